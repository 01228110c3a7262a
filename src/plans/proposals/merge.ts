import { isRavelError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../model/json.ts';
import { type Conflict, type MergeSides, mergeRecords } from '../../model/merge.ts';
import { type PlanFile, planFiles } from '../../model/plan.ts';
import { editYaml, parseYaml } from '../../yaml/yaml.ts';
import type { YamlPlace } from '../../yaml/yamlDocument.ts';
import { type ResolvedConflict, settledText, settleSides, takesFor } from './resolution.ts';

/** The three texts of a file; undefined for a missing file. */
export interface FileSides {
  readonly base?: string | undefined;
  readonly session?: string | undefined;
  readonly person?: string | undefined;
}

export type FileMerge =
  | {
      /** Undefined: the file is not there. */
      readonly text: string | undefined;
      /** Whether the person's text differs from the one that the session was given. */
      readonly personEdited: boolean;
    }
  | { readonly conflicts: readonly Conflict[] };

/** Record lists of each YAML file; a file with none merges by its top-level keys alone, any other as one text. */
const listKeys: Readonly<Partial<Record<PlanFile, readonly string[]>>> = {
  [planFiles.backlog]: ['tasks', 'received', 'dispatched'],
  [planFiles.memory]: ['entries'],
  [planFiles.sessionLog]: ['sessions'],
  [planFiles.latestSession]: [],
  [planFiles.commits]: [],
  [planFiles.dispatches]: [],
  [planFiles.queries]: [],
};

/**
 * Merges what a session made of a plan's file into what is there now. The person's bytes survive wherever the session
 * changed nothing; what cannot be merged comes back as conflicts and is never dropped. Conflicts that a person has
 * resolved, with the very sides that they have now, are settled so.
 */
export function mergePlanFile(
  file: PlanFile,
  texts: FileSides,
  subject: string,
  resolved: readonly ResolvedConflict[] = [],
): FileMerge {
  const merged = mergeSides(file, texts, subject, (sides) => sides);
  if (!('conflicts' in merged)) return merged;
  const takes = takesFor(merged.conflicts, resolved);
  if (takes === undefined) return merged;
  const [whole] = takes;
  if (whole !== undefined && isWhole(whole.conflict)) return { text: settledText(whole), personEdited: true };
  return mergeSides(file, texts, subject, (sides) => settleSides(sides, takes));
}

function isWhole({ list, record, field }: Conflict): boolean {
  return list === undefined && record === undefined && field === undefined;
}

function mergeSides(
  file: PlanFile,
  texts: FileSides,
  subject: string,
  settle: (sides: MergeSides) => MergeSides,
): FileMerge {
  const { base, session, person } = texts;
  const personEdited = person !== base;
  if (session === base || session === person) return { text: person, personEdited };
  const keys = listKeys[file];
  if (keys === undefined || session === undefined || (person === undefined && base !== undefined)) {
    return personEdited ? { conflicts: [wholeConflict(file, texts)] } : { text: session, personEdited };
  }
  if (person === undefined) return { text: session, personEdited };
  const place = { file, subject };
  const [before, proposed, current] = [
    parseSide(base ?? '', place),
    parseSide(session, place),
    parseSide(person, place),
  ];
  if (typeof proposed === 'string') return { conflicts: [{ ...wholeConflict(file, texts), reason: proposed }] };
  // The session may repair a file that was broken before and that no person has edited.
  if (typeof current === 'string' && !personEdited) return { text: session, personEdited };
  if (typeof current === 'string') return { conflicts: [{ ...wholeConflict(file, texts), reason: current }] };
  if (typeof before === 'string') return { conflicts: [{ ...wholeConflict(file, texts), reason: before }] };
  const merge = mergeRecords(settle({ base: before, session: proposed, person: current }), keys);
  if ('conflicts' in merge) return merge;
  try {
    return { text: editYaml(person, merge.edits, place), personEdited };
  } catch (error) {
    if (!isRavelError(error, 'yaml/editRefused')) throw error;
    return { conflicts: [{ ...wholeConflict(file, texts), reason: error.message }] };
  }
}

/** The mapping that a text holds, `{}` for an empty one; a sentence when there is none. */
function parseSide(text: string, place: YamlPlace): JsonObject | string {
  const { value, diagnostics } = parseYaml(text, place);
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  return `${place.file} cannot be merged. ${diagnostics[0]?.message ?? 'It is not a mapping.'}`;
}

function wholeConflict(file: PlanFile, { base, session, person }: FileSides): Conflict {
  const reason =
    session === undefined
      ? `The session removed ${file}, which a person changed.`
      : person === undefined
        ? `A person removed ${file}, which the session changed.`
        : `The session and a person changed ${file} in different ways.`;
  return { base, session, person, reason };
}
