import { isMap, isPair, isScalar, isSeq } from 'yaml';
import type * as z from 'zod';
import { capitalized } from '../base/text.ts';
import { diagnostic } from '../model/codes.ts';
import type { DocumentRecord, YamlKind } from '../model/document.ts';
import { documentSchemas } from '../model/documentSchemas.ts';
import { valueAt } from '../model/edit.ts';
import { allocateSlug } from '../model/id.ts';
import type { Json } from '../model/json.ts';
import { allowedWords, type JsonSchema, jsonSchemaOf, schemaAt } from '../model/jsonSchemas.ts';
import { nearestNames } from '../model/nearest.ts';
import {
  isParsedNode,
  keyName,
  nearestNode,
  rangeBetween,
  type YamlPlace,
  type YamlSource,
} from '../yaml/yamlDocument.ts';
import { duplicateIds, oneForEachKey, schemaProblems } from '../yaml/yamlSchema.ts';
import { type Found, found, type QuickFix, replacements, replaceText, replaceWord } from './found.ts';

/** Faults in the form of a YAML document: its syntax, its fields, its ids, and keys that Ravel does not read. */
export function formFindings(
  kind: YamlKind,
  source: YamlSource,
  records: readonly DocumentRecord[],
  place: YamlPlace,
): Found[] {
  const { value } = source;
  if (value === undefined) return source.diagnostics.map((one) => found(one));
  const schema = jsonSchemaOf(kind);
  const result = documentSchemas[kind].safeParse(value);
  const issues = result.success ? [] : result.error.issues;
  return [
    ...source.diagnostics.map((one) => found(one)),
    ...issues
      .flatMap(oneForEachKey)
      .flatMap((issue) =>
        schemaProblems(source, { issues: [issue] }, place).map((one) =>
          found({ ...one, message: plainMessage(one.message, issue, source, schema) }, () =>
            issueFixes(issue, source, schema),
          ),
        ),
      ),
    ...duplicateFindings(source, records, place),
    ...unknownKeys(source, schema, place),
  ];
}

/** The commonest mistakes in words for people; of the others what the schema says. */
function plainMessage(message: string, issue: z.core.$ZodIssue, { value }: YamlSource, schema: JsonSchema): string {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  const given = valueAt(value ?? null, path);
  const [key, holder] = [path.at(-1), path.slice(0, -1)];
  if (given === undefined && typeof key === 'string') {
    const id = valueAt(value ?? null, [...holder, 'id']);
    return `${typeof id === 'string' ? `"${id}"` : 'This record'} has no "${key}".`;
  }
  const words = allowedWords(schemaAt(schema, schemaPath(path)));
  return typeof given === 'string' && words.length > 1
    ? `"${given}" is not a ${String(key)}; write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`
    : message;
}

/** What would satisfy the schema if one issue is; nothing if a person has to think. */
export function issueFixes(issue: z.core.$ZodIssue, source: YamlSource, schema: JsonSchema): QuickFix[] {
  if (issue.code === 'unrecognized_keys') return otherKeys(issue, source, schema);
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  const value = valueAt(source.value ?? null, path);
  const expected = schemaAt(schema, schemaPath(path));
  const key = path.at(-1);
  if (value === undefined && typeof key === 'string') {
    const missing = missingValue(key, path, source.value ?? null, expected);
    if (missing === undefined) return [];
    return [{ title: `Add "${key}"`, isPreferred: true, change: { yaml: [{ op: 'set', path, value: missing }] } }];
  }
  const words = allowedWords(expected);
  if (typeof value === 'string' && words.length > 0) {
    const near = nearestNames(value, words);
    return replacements(near.length > 0 ? near : words, (word) => replaceWord(source, path, word));
  }
  if (issue.code === 'invalid_type' && issue.expected === 'string' && ['number', 'boolean'].includes(typeof value)) {
    const node = nearestNode(source.document, path);
    if (node === null || !isScalar(node)) return [];
    const written = source.text.slice(node.range[0], node.range[1]);
    const change: QuickFix['change'] = { yaml: [{ op: 'set', path, value: written }] };
    return [{ title: `Put quotes around ${written}`, isPreferred: true, change }];
  }
  return [];
}

/** Of a key that its schema forbids: the keys that were likely meant. */
function otherKeys(
  { path, keys: [key = ''] }: z.core.$ZodIssueUnrecognizedKeys,
  source: YamlSource,
  schema: JsonSchema,
): QuickFix[] {
  const steps = path.filter((step) => typeof step !== 'symbol');
  const node = nearestNode(source.document, steps);
  const pair = isMap(node) ? node.items.find((one) => keyName(one as never) === key) : undefined;
  if (!isMap(node) || !isParsedNode(pair?.key)) return [];
  const present = node.items.map((one) => keyName(one as never));
  const known = knownKeys(schemaAt(schema, schemaPath(steps))).filter((one) => !present.includes(one));
  const [start, end] = pair.key.range;
  const range = rangeBetween(source.lineStarts, start, end);
  return replacements(nearestNames(key, known), (name) => replaceText(range, name));
}

function knownKeys(at: JsonSchema | undefined): readonly string[] {
  return at === undefined ? [] : [at, ...(at.anyOf ?? [])].flatMap(({ properties }) => Object.keys(properties ?? {}));
}

/** A schema that forbids other keys tells of them itself. */
function isClosed(at: JsonSchema): boolean {
  return [at, ...(at.anyOf ?? [])].some(({ additionalProperties }) => additionalProperties === false);
}

function schemaPath(path: readonly (string | number)[]): string[] {
  return path.map((step) => (typeof step === 'number' ? '*' : step));
}

function missingValue(
  key: string,
  path: readonly (string | number)[],
  value: Json,
  expected: JsonSchema | undefined,
): Json | undefined {
  const [word] = allowedWords(expected);
  if (key === 'schema-version') return 1;
  if (word !== undefined) return word;
  const id = valueAt(value, [...path.slice(0, -1), 'id']);
  if (key === 'title' && typeof id === 'string') return sentenceFromSlug(id);
  if (key === 'category') return commonCategory(value) ?? 'general';
  return undefined;
}

function sentenceFromSlug(id: string): string {
  const words = id.replaceAll('-', ' ');
  return capitalized(words);
}

/** The category that most tasks have. */
function commonCategory(value: Json): string | undefined {
  const tasks = valueAt(value, ['tasks']);
  const counts = new Map<string, number>();
  for (const task of Array.isArray(tasks) ? tasks : []) {
    const category = valueAt(task, ['category']);
    if (typeof category === 'string') counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function duplicateFindings(source: YamlSource, records: readonly DocumentRecord[], place: YamlPlace): Found[] {
  const byLine = new Map(records.map((record) => [record.idRange.start.line, record]));
  return duplicateIds(source, place).map((one) => {
    const record = byLine.get(one.range?.start.line ?? -1);
    if (record?.id === undefined) return found(one);
    const { id, list, idRange } = record;
    const first = records.find((other) => other.list === list && other.id === id);
    const related =
      first === undefined ? [] : [{ file: place.file, range: first.idRange, message: 'Used here first.' }];
    const fixes = () => {
      const taken = records.filter((other) => other.list === list).map((other) => other.id ?? '');
      const free = allocateSlug(id, new Set(taken), id);
      return [{ title: `Rename to "${free}"`, isPreferred: true, change: replaceText(idRange, free) }];
    };
    return { diagnostic: one, fixes, related };
  });
}

/** Keys that are nearly one that means something; others are a person's own and kept. */
function unknownKeys(source: YamlSource, schema: JsonSchema, place: YamlPlace): Found[] {
  const findings: Found[] = [];
  visit(source.document.contents, schema);
  return findings;

  function visit(node: unknown, at: JsonSchema | undefined): void {
    if (at === undefined) return;
    if (isSeq(node)) for (const item of node.items) visit(item, schemaAt(at, ['*']));
    if (!isMap(node)) return;
    const known = knownKeys(at);
    const present = new Set(node.items.filter((pair) => isPair(pair)).map((pair) => keyName(pair as never)));
    for (const pair of node.items) {
      const name = keyName(pair as never);
      if (known.includes(name)) visit(pair.value, schemaAt(at, [name]));
      else if (isParsedNode(pair.key) && !isClosed(at))
        report(
          name,
          pair.key.range,
          known.filter((key) => !present.has(key)),
        );
    }
  }

  function report(name: string, [start, end]: readonly [number, number, number], free: readonly string[]): void {
    const near = nearestNames(name, free, 1);
    if (near.length === 0) return;
    const range = rangeBetween(source.lineStarts, start, end);
    const message = `The key "${name}" means nothing to Ravel; "${near[0]}" does.`;
    const where = { severity: 'warning', file: place.file, range } as const;
    findings.push(
      found(diagnostic('yaml/unknownKey', place.subject, message, where), () =>
        replacements(near, (key) => replaceText(range, key)),
      ),
    );
  }
}
