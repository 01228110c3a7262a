import { isAtLeast } from '../../model/entry.ts';
import type { EntryHead, KnowledgeEntry } from '../../vault/entryFile.ts';
import type { EntryIndex } from '../../vault/entryIndex.ts';

/** Points from which on a person is asked whether an entry holds in general. */
const pointsLeast = 70;

const experiencePoints = 30;
const projectPoints = 20;
const projectsMax = 3;
const recurrencePoints = 5;
const recurrencesMax = 2;
/** No entry that is contradicted reaches the points, whatever else speaks for it. */
const contradictionPoints = -40;

/** The entries as they are at one moment, and by their names. */
interface KnownEntries {
  readonly heads: readonly EntryHead[];
  readonly index: Pick<EntryIndex, 'find' | 'backlinks'>;
}

export interface Promotion {
  readonly isReached: boolean;
  readonly points: number;
  /** How the points come about: a line for each rule, and the sum. */
  readonly breakdown: readonly string[];
}

/**
 * How many entries contradict one, whichever of the two names the other. One that was archived or deleted, or whose place
 * another took, contradicts nothing any more.
 */
export function countContradicting(entry: Pick<EntryHead, 'file'>, { heads, index }: KnownEntries): number {
  const head = heads.find(({ file }) => file === entry.file);
  if (head === undefined) return 0;
  const named = head.links.flatMap(({ key, target }) => (key === 'contradicts' ? index.find(target, head) : []));
  const naming = index.backlinks(head).flatMap(({ key, from }) => (key === 'contradicts' ? [from] : []));
  const others = new Set([...named, ...naming]);
  others.delete(head);
  return [...others].filter(({ isArchived, fields }) => !isArchived && fields['superseded-by'].length === 0).length;
}

/**
 * What speaks for an entry to hold in general (docs/knowledge.md, “What plans learn”). One project never reaches the
 * points alone, however often it proves the same.
 */
export function scorePromotion({ fields }: Pick<KnowledgeEntry, 'fields'>, contradicting: number): Promotion {
  const { confidence } = fields;
  const origins = fields.origins.filter(({ project }) => project !== '');
  const projects = new Set(origins.map(({ project }) => project)).size;
  const again = origins.length - projects;
  const isExperience = isAtLeast(confidence, 'medium');
  const rules = [
    [isExperience ? experiencePoints : 0, isExperience ? 'experience' : `not experience (${confidence})`],
    [projectPoints * Math.min(projects, projectsMax), `distinct projects: ${projects}`],
    [recurrencePoints * Math.min(again, recurrencesMax), `proven again in one of them: ${again}`],
    [contradictionPoints * contradicting, `contradicting entries: ${contradicting}`],
  ] as const;
  const points = rules.reduce((sum, [part]) => sum + part, 0);
  return {
    isReached: points >= pointsLeast,
    points,
    breakdown: [
      ...rules.map(([part, what]) => `${pointsText(part)}  ${what}`),
      `${pointsText(points)}  of ${pointsLeast} that are needed`,
    ],
  };
}

function pointsText(points: number): string {
  return String(points === 0 ? 0 : points).padStart(4);
}
