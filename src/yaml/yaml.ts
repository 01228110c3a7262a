import type * as z from 'zod';
import { AssertionError } from '../base/assert.ts';
import { defined } from '../base/defined.ts';
import type { Diagnostic, RavelError } from '../base/errors.ts';
import { hasTooManyParts } from '../base/yamlBounds.ts';
import { failure } from '../model/codes.ts';
import { applyEdits, type Edit, type JsonPath, valueAt } from '../model/edit.ts';
import { equalJson, isJsonArray, isJsonObject, type Json, ownValue } from '../model/json.ts';
import { hasDuplicateIds, parsePlainYaml } from './plainYaml.ts';
import { appendItem } from './yamlAppend.ts';
import { byteOrderMark, endsInBlockScalar, parseSource, type YamlPlace, type YamlSource } from './yamlDocument.ts';
import { UnsupportedForm } from './yamlEntry.ts';
import { formatDocument } from './yamlFormat.ts';
import { duplicateIds, firstProblems, recordLists, schemaProblems, unplacedProblems } from './yamlSchema.ts';
import { isInPlace, type Splice, spliceEdit } from './yamlSplice.ts';

export type YamlEdit = Edit;

/**
 * The value of a YAML 1.2 text (core schema) and what is wrong with it; never throws. With an error among the
 * diagnostics the value is undefined; an empty text is null. Ranges are zero-based and do not count a byte order mark.
 */
export function parseYaml(text: string, place: YamlPlace): { value: unknown; diagnostics: readonly Diagnostic[] } {
  const plain = parsePlainYaml(text);
  if (plain !== undefined) return { value: plain.value, diagnostics: [] };
  const { value, diagnostics } = parseSource(text, place);
  return { value, diagnostics };
}

/** As `parseYaml`, with the value checked against `schema` and the ids of records against each other. */
export function readYaml<S extends z.ZodType>(
  schema: S,
  text: string,
  place: YamlPlace,
): { value: z.infer<S> | undefined; diagnostics: readonly Diagnostic[] } {
  const plain = parsePlainYaml(text);
  if (plain !== undefined) {
    const isAmbiguous = hasDuplicateIds(plain.value, recordLists);
    const problems = firstProblems(schema, plain.value);
    const result =
      problems === undefined ? schema.safeParse(plain.value) : { success: false as const, error: problems };
    if (result.success && !isAmbiguous) return { value: result.data, diagnostics: [] };
    // Whatever is wrong is told with its place, which only the full parser knows, and that one takes too long here.
    if (hasTooManyParts(text)) {
      return { value: undefined, diagnostics: unplacedProblems(result.error, isAmbiguous, place) };
    }
  }
  const source = parseSource(text, place);
  if (source.value === undefined) return { value: undefined, diagnostics: source.diagnostics };
  const result = schema.safeParse(source.value);
  const problems = result.success ? [] : schemaProblems(source, result.error, place);
  const diagnostics = [...source.diagnostics, ...problems, ...duplicateIds(source, place)];
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return { value: failed ? undefined : result.data, diagnostics };
}

/** A new file: block style, long texts as literal blocks, nothing folded, with a final line end. */
export function formatYaml(value: unknown): string {
  return `${formatDocument(toJson(value), 'flush').join('\n')}\n`;
}

/**
 * The text after the edits, one after the other. Only the edits' own ranges change: comments, order, quoting, line ends
 * and unknown keys survive. The result is parsed again and compared with the value that the edits describe; a text or
 * an edit that this cannot be done for is refused (`yaml/editRefused`).
 */
export function editYaml(text: string, edits: readonly YamlEdit[], place: YamlPlace): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const body = text.slice(mark.length);
  if (/\r(?!\n)/.test(body)) throw refusal(place, 'It holds a carriage return that is not a line end.');
  const before = readValue(body, place);
  const { steps, expected } = planSteps(before, edits, place);
  if (steps.length === 0) return text;
  const appended = appendItems(body, before, steps);
  if (appended !== undefined && equalJson(parsePlainYaml(appended)?.value, expected)) return mark + appended;
  const lineEnd = /\r?\n/.exec(body)?.[0] ?? '\n';
  const isOpen = body !== '' && !body.endsWith('\n');
  const edited = takeSteps(isOpen ? body + lineEnd : body, steps, { place, lineEnd });
  const result = isOpen ? trimEnd(edited, body, place) : edited;
  const after = parseYaml(result, place);
  if (after.value === undefined || !equalJson(after.value as Json, expected)) {
    throw refusal(place, 'The edited text would not say what was meant.', after.diagnostics[0]);
  }
  return mark + result;
}

/** The value of a text that may be edited. */
function readValue(text: string, place: YamlPlace): Json {
  const plain = parsePlainYaml(text);
  if (plain !== undefined) return plain.value;
  const { value, hasTags, diagnostics } = parseSource(text, place);
  if (value === undefined) throw refusal(place, diagnostics[0]?.message ?? '', diagnostics[0]);
  if (hasTags) throw refusal(place, 'It uses tags.');
  return value;
}

function refusal(place: YamlPlace, reason: string, cause?: unknown): RavelError {
  const message = `${place.file} cannot be edited in place. ${reason}`.trim();
  return failure('yaml/editRefused', place.subject, message, {
    file: place.file,
    ...defined({ cause }),
  });
}

function planSteps(value: Json, edits: readonly YamlEdit[], place: YamlPlace): { steps: Edit[]; expected: Json } {
  const steps: Edit[] = [];
  let expected = value;
  try {
    for (const edit of edits) {
      const after = applyEdits(expected, [edit]);
      steps.push(...smallestSteps(expected, edit));
      expected = after;
    }
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    throw refusal(place, `An edit does not fit: ${error.message}.`, error);
  }
  return { steps, expected };
}

/** The text with items at the end of a list, if all the steps are that and no parse is needed to take them. */
function appendItems(text: string, before: Json, steps: readonly Edit[]): string | undefined {
  let appended: string | undefined = text;
  const lengths = new Map<string, number>();
  for (const step of steps) {
    const [key, ...deeper] = step.path;
    if (step.op !== 'insert' || typeof key !== 'string' || deeper.length > 0) return undefined;
    const list = valueAt(before, step.path);
    const length = lengths.get(key) ?? (isJsonArray(list) ? list.length : 0);
    if (step.index !== length || appended === undefined) return undefined;
    lengths.set(key, length + 1);
    appended = appendItem(appended, key, step.value);
  }
  return appended;
}

/** The same change in parts that touch as little as possible; none if nothing changes. */
function smallestSteps(value: Json, edit: Edit): Edit[] {
  if (edit.op === 'delete') return valueAt(value, edit.path) === undefined ? [] : [edit];
  if (edit.op !== 'set') return [edit];
  const { path } = edit;
  const [before, after] = [valueAt(value, path), edit.value];
  if (before !== undefined && equalJson(before, after)) return [];
  if (isJsonArray(before) && isJsonArray(after) && before.length > 0 && after.length > 0) {
    return listSteps(before, after, path);
  }
  if (!isJsonObject(before) || !isJsonObject(after) || Object.keys(before).length === 0) return [edit];
  const [kept, gone] = [Object.keys(after), Object.keys(before).filter((key) => !Object.hasOwn(after, key))];
  if (kept.length === 0) return [edit];
  return [
    ...kept.flatMap((key) => setStep(ownValue(before, key), after[key] ?? null, [...path, key])),
    ...gone.map((key): Edit => ({ op: 'delete', path: [...path, key] })),
  ];
}

function listSteps(before: readonly Json[], after: readonly Json[], path: JsonPath): Edit[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && equalJson(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && equalJson(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  const steps: Edit[] = [];
  const [goneEnd, newEnd] = [before.length - tail, after.length - tail];
  for (let index = head; index < Math.min(goneEnd, newEnd); index++) {
    steps.push(...setStep(before[index], after[index] ?? null, [...path, index]));
  }
  for (let index = goneEnd; index < newEnd; index++) {
    steps.push({ op: 'insert', path, index, value: after[index] ?? null });
  }
  for (let index = goneEnd - 1; index >= newEnd; index--) steps.push({ op: 'delete', path: [...path, index] });
  return steps;
}

function setStep(before: Json | undefined, after: Json, path: JsonPath): Edit[] {
  if (before === undefined) return [{ op: 'set', path, value: after }];
  return smallestSteps(before, { op: 'set', path: [], value: after }).map((edit) => ({
    ...edit,
    path: [...path, ...edit.path],
  }));
}

/** Edits that move nothing share one parse; all others are found on a fresh one. Returns the text after the last. */
function takeSteps(
  before: string,
  steps: readonly Edit[],
  { place, lineEnd }: { place: YamlPlace; lineEnd: string },
): string {
  let text = before;
  let parsed: YamlSource | undefined;
  let waiting: Splice[] = [];
  try {
    for (const step of steps) {
      if (!isInPlace(source(), step)) flush();
      let splices = spliceEdit(source(), step);
      if (splices.some((splice) => waiting.some((other) => overlap(splice, other)))) {
        flush();
        splices = spliceEdit(source(), step);
      }
      waiting.push(...splices);
      if (!isInPlace(source(), step)) flush();
    }
    flush();
  } catch (error) {
    if (!(error instanceof UnsupportedForm)) throw error;
    throw refusal(place, error.message, error);
  }
  return text;

  /** Parsed only when a step asks for it, so not after the last step. */
  function source(): YamlSource {
    parsed ??= reparse(text, place);
    return parsed;
  }

  function flush(): void {
    if (waiting.length === 0) return;
    text = applySplices(text, waiting, lineEnd);
    parsed = undefined;
    waiting = [];
  }
}

function reparse(text: string, place: YamlPlace): YamlSource {
  const source = parseSource(text, place);
  const problem = source.diagnostics[0];
  if (source.value === undefined)
    throw new UnsupportedForm(`The edited text would not parse. ${problem?.message ?? ''}`);
  return source;
}

function overlap(left: Splice, right: Splice): boolean {
  return left.start <= right.end && right.start <= left.end;
}

function applySplices(text: string, splices: readonly Splice[], lineEnd: string): string {
  let result = '';
  let at = 0;
  for (const splice of splices.toSorted((left, right) => left.start - right.start)) {
    result += text.slice(at, splice.start) + (lineEnd === '\n' ? splice.text : splice.text.replace(/\r?\n/g, lineEnd));
    at = splice.end;
  }
  return result + text.slice(at);
}

/** Takes the final line end away again, unless the text now ends in a block scalar whose last line needs it. */
function trimEnd(edited: string, body: string, place: YamlPlace): string {
  const trimmed = edited.replace(/\r?\n$/, '');
  const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1);
  if (lastLine(trimmed) === lastLine(body)) return trimmed;
  return endsInBlockScalar(parseSource(edited, place).document) ? edited : trimmed;
}

/** Drops what JSON has no form for: keys without a value. */
function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}
