import { RavelError } from '../../base/errors.ts';
import { equalJson, isJsonArray, isJsonObject, type Json } from '../../model/json.ts';
import type { PlanFile } from '../../model/plan.ts';
import { readYaml, type YamlEdit } from '../../yaml/yaml.ts';
import { editEffect, readPlanFile, refusal } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';

interface Filling {
  readonly file: PlanFile;
  /** The key of the list of records. */
  readonly list: string;
  readonly schema: Parameters<typeof readYaml>[0];
  /** What the records are called in a message. */
  readonly noun: string;
}

/**
 * Fills a file that has no records with those of a text. A file that is not there becomes the text, byte for byte; into
 * one that holds other keys or comments the records are put, so that nothing of it is lost.
 */
export function fillFile(filling: Filling, body: string, context: VerbContext): VerbEffect {
  const { file, list, noun } = filling;
  const given = readGiven(filling, body, context);
  const records = recordsIn(given, list);
  if (records.length === 0) throw refusal('state/badArguments', `The text holds no ${noun}.`, context);
  const done = { result: { added: records.length }, summary: `filled ${file} with ${records.length} ${noun}` };
  if ((context.texts.get(file) ?? '').trim() === '') {
    return { edits: new Map([[file, body.endsWith('\n') ? body : `${body}\n`]]), ...done };
  }
  const current = readPlanFile(file, filling.schema, context).value as Json;
  const present = recordsIn(current, list).length;
  if (present > 0) {
    throw refusal('state/notEmpty', `${file} is not empty: it holds ${present} ${noun}; nothing was changed.`, context);
  }
  const edits: YamlEdit[] = [
    ...keyEdits(filling, given, current, context),
    { op: 'set', path: [list], value: records },
  ];
  return editEffect(file, edits, context, done);
}

function readGiven({ schema, noun }: Filling, body: string, { subject }: VerbContext): Json {
  const { value, diagnostics } = readYaml(schema, body, { file: `the given ${noun}`, subject });
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new RavelError(problem);
  return (value ?? null) as Json;
}

/** The text's other keys are taken over, unless the file says something else there. */
function keyEdits({ file, list }: Filling, given: Json, current: Json, context: VerbContext): YamlEdit[] {
  if (!isJsonObject(given) || !isJsonObject(current)) return [];
  return Object.entries(given).flatMap(([key, value]): YamlEdit[] => {
    if (key === list || equalJson(current[key], value)) return [];
    if (Object.hasOwn(current, key)) {
      throw refusal('state/notEmpty', `${file} and the text have different values under "${key}".`, context);
    }
    return [{ op: 'set', path: [key], value }];
  });
}

function recordsIn(value: Json, list: string): readonly Json[] {
  const records = isJsonObject(value) ? value[list] : undefined;
  return isJsonArray(records) ? records : [];
}
