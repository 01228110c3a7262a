import { hiddenCharacters } from './id.ts';

/** Names of a plan's files; no other code spells them out. */
export const planFiles = {
  marker: 'plan-state.md',
  phase: 'phase.md',
  backlog: 'backlog.yaml',
  memory: 'memory.yaml',
  sessionLog: 'session-log.yaml',
  latestSession: 'latest-session.yaml',
  commits: 'commits.yaml',
  dispatches: 'dispatches.yaml',
  queries: 'queries.yaml',
  dreamWordCount: 'dream-word-count',
  /** Of an imported plan: a commit, which is left alone, or in the oldest ones the word count itself. */
  dreamBaseline: 'dream-baseline',
} as const;

export type PlanFile = (typeof planFiles)[keyof typeof planFiles];

/** Scratch files: consumed and removed within the cycle, never committed. */
export const scratchFiles: readonly PlanFile[] = [planFiles.commits, planFiles.dispatches, planFiles.queries];

/** All that a row of the list needs of a plan's folder. */
export const overviewFiles = [planFiles.marker, planFiles.phase, planFiles.backlog] as const;

/** Generated views for Obsidian, ignored by git. */
export const viewFiles = ['backlog.md', 'memory.md', 'session-log.md'] as const;

/** Beside a plan's files: messages that are done with, by the month in which they were sent. */
export const messageArchiveName = /^backlog\.\d{4}-\d{2}\.jsonl$/;

/** Parts of a session log that were put aside: the day of their last record, and a number if a day has several. */
export const logPartName = /^session-log\.(\d{4}-\d{2}-\d{2})(?:\.([1-9]\d{0,5}))?\.yaml$/;

/** The texts of a plan's files by name; a file that is not there has no entry. */
export type PlanTexts = ReadonlyMap<PlanFile, string>;

/** Characters of a plan's description, which is one line in lists and prompts. */
export const descriptionLengthMax = 120;

const placeholders = new Set(['todo', 'fixme', 'tbd', '...', '…', 'description']);

/** Why `text` does not describe a permanent scope, as a sentence; undefined if it does (invariant 7). */
export function descriptionProblem(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 'the description is empty';
  if (placeholders.has(trimmed.toLowerCase())) return `"${trimmed}" is a placeholder`;
  if (/[\r\n\u0085\u2028\u2029]/.test(trimmed)) return 'the description runs over more than one line';
  if (hiddenCharacters.test(trimmed.replaceAll('\t', ' '))) return 'the description holds a control character';
  if (/\p{Surrogate}/u.test(trimmed)) return 'the description holds half of a character';
  // A character is at least one unit long, and most descriptions are short.
  if (trimmed.length <= descriptionLengthMax) return undefined;
  const length = [...trimmed].length;
  if (length > descriptionLengthMax) {
    return `the description has ${length} characters, ${length - descriptionLengthMax} more than the ${descriptionLengthMax} allowed`;
  }
  return undefined;
}
