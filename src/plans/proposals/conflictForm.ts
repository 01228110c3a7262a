import * as z from 'zod';
import { defined } from '../../base/defined.ts';
import { failure } from '../../model/codes.ts';
import type { Json } from '../../model/json.ts';
import type { Conflict } from '../../model/merge.ts';
import type { PlanFile } from '../../model/plan.ts';
import { formatYaml, parseYaml } from '../../yaml/yaml.ts';
import type { ResolvedConflict } from './resolution.ts';

/** Conflicts by file, as a question holds them. */
export type ConflictsByFile = Readonly<Partial<Record<PlanFile, readonly Conflict[]>>>;

const heading = `# Both sides of each conflict, and under "result" the text to keep, which is yours at first.
# Change the results, save, and close. A conflict without the line "result" ends with nothing in that place.
# Everything else in here is for you to read.
`;

/** The conflicts as a text for an editor. */
export function formatConflicts(conflicts: ConflictsByFile): string {
  const entries = Object.entries(conflicts).flatMap(([file, list]) =>
    list.map(({ list: in_, record, field, base, session, person }, at) => ({
      conflict: `${file} ${at + 1}`,
      ...defined({ list: in_, record, field, base, session }),
      ...(person !== undefined && { yours: person, result: person }),
    })),
  );
  return `${heading}${formatYaml({ conflicts: entries })}`;
}

const formSchema = z.object({
  conflicts: z.array(z.looseObject({ conflict: z.string(), result: z.unknown().optional() })),
});

/** What the person made of the text. Throws `approval/badDecision`. */
export function parseConflicts(
  text: string,
  conflicts: ConflictsByFile,
  approval: string,
): Readonly<Partial<Record<PlanFile, readonly ResolvedConflict[]>>> {
  const { value, diagnostics } = parseYaml(text, { file: 'the edited text', subject: approval });
  const form = formSchema.safeParse(value);
  if (!form.success) {
    const problem = diagnostics[0]?.message ?? 'It is not a list of conflicts with their results.';
    throw failure('approval/badDecision', approval, `The edited text cannot be read: ${problem}`);
  }
  const results = new Map(form.data.conflicts.map((entry) => [entry.conflict, entry]));
  const resolve = (file: string, conflict: Conflict, at: number): ResolvedConflict => {
    const entry = results.get(`${file} ${at + 1}`);
    if (entry === undefined) {
      throw failure('approval/badDecision', approval, `The edited text has no conflict "${file} ${at + 1}" any more.`);
    }
    return { conflict, take: { value: entry.result as Json | undefined } };
  };
  return Object.fromEntries(
    Object.entries(conflicts).map(([file, list]) => [file, list.map((conflict, at) => resolve(file, conflict, at))]),
  );
}
