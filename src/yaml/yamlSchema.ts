import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import type * as z from 'zod';
import type { Diagnostic, Range } from '../base/errors.ts';
import { diagnostic } from '../model/codes.ts';
import { describeIssue, type FoundValue } from '../model/issueText.ts';
import { isJsonArray, isJsonObject, type Json } from '../model/json.ts';
import {
  findPair,
  isParsedNode,
  keyName,
  nearestNode,
  rangeBetween,
  type YamlPlace,
  type YamlSource,
} from './yamlDocument.ts';

/** Lists whose records are told apart by their `id`. */
export const recordLists: ReadonlySet<string> = new Set([
  'tasks',
  'entries',
  'sessions',
  'received',
  'dispatched',
  'claims',
]);

/**
 * One diagnostic an issue, at the node it is about; a field that is missing is told at the record that lacks it, and each
 * unknown key by itself, where it stands.
 */
export function schemaProblems(source: YamlSource, error: Pick<z.ZodError, 'issues'>, place: YamlPlace): Diagnostic[] {
  return error.issues.flatMap(oneForEachKey).map((issue) => {
    const node = nodeOf(source, issue);
    const found = isScalar(node) ? { value: node.value } : undefined;
    return schemaProblem(issue, place, { found, ...(node !== null && { range: firstLine(source, node) }) });
  });
}

/** An issue about several unknown keys as one for each of them; any other as it is. */
export function oneForEachKey(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue];
}

function nodeOf({ document }: YamlSource, issue: z.core.$ZodIssue): ParsedNode | null {
  const node = nearestNode(document, issue.path);
  if (issue.code !== 'unrecognized_keys') return node;
  const key = findPair(node, issue.keys[0] ?? '')?.key;
  return isParsedNode(key) ? key : node;
}

/** The same of a text too large to find places in; the path of a problem says where it is. */
export function unplacedProblems(
  error: Pick<z.ZodError, 'issues'> | undefined,
  hasDuplicates: boolean,
  place: YamlPlace,
): Diagnostic[] {
  const problems = (error?.issues ?? []).slice(0, unplacedMax).map((issue) => schemaProblem(issue, place));
  if (!hasDuplicates) return problems;
  const message = `Two records of one list (${[...recordLists].join(', ')}) have the same id.`;
  return [...problems, diagnostic('yaml/duplicateId', place.subject, message, { file: place.file })];
}

/** Problems of one file that are reported. */
const unplacedMax = 20;

/** Records that are checked together: a schema makes an issue of several kilobytes for each field that is wrong. */
const recordsAtOnce = 1000;

/**
 * What is wrong with the first records of a long list that are not as the schema says. To check all of them at once would
 * take a minute and gigabytes if millions are wrong, to tell of twenty.
 */
export function firstProblems(schema: z.ZodType, value: Json): Pick<z.ZodError, 'issues'> | undefined {
  if (!isJsonObject(value)) return undefined;
  const long = Object.entries(value).flatMap(([name, list]) =>
    isJsonArray(list) && list.length > recordsAtOnce ? [[name, list] as const] : [],
  );
  const rest = { ...value, ...Object.fromEntries(long.map(([name]) => [name, []])) };
  for (const [name, list] of long) {
    for (let from = 0; from < list.length; from += recordsAtOnce) {
      const { error } = schema.safeParse({ ...rest, [name]: list.slice(from, from + recordsAtOnce) });
      const issues = error?.issues.filter(({ path }) => path[0] === name) ?? [];
      if (issues.length > 0) return { issues: issues.map((issue) => movedBy(from, issue)) };
    }
  }
  return undefined;
}

interface IssuePlace {
  readonly range?: Range;
  readonly found?: FoundValue | undefined;
}

function movedBy(from: number, issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const [name = '', index, ...rest] = issue.path;
  return typeof index === 'number' ? { ...issue, path: [name, index + from, ...rest] } : issue;
}

function schemaProblem(issue: z.core.$ZodIssue, place: YamlPlace, at: IssuePlace = {}): Diagnostic {
  const { range, found } = at;
  const message = `${formatPath(issue.path)}: ${describeIssue(issue, found)}`.replace(/[^.]$/, '$&.');
  return diagnostic('yaml/schema', place.subject, message, { file: place.file, ...(range && { range }) });
}

/** Records of one list that share an id; the diagnostic stands at the later one. */
export function duplicateIds(source: YamlSource, place: YamlPlace): Diagnostic[] {
  const found: Diagnostic[] = [];
  visit(source.document.contents);
  return found;

  function visit(node: unknown): void {
    if (isSeq(node)) node.items.forEach(visit);
    if (!isMap<ParsedNode>(node)) return;
    for (const pair of node.items) {
      const name = keyName(pair);
      if (recordLists.has(name) && isSeq(pair.value)) compare(name, pair.value.items);
      visit(pair.value);
    }
  }

  function compare(list: string, records: readonly unknown[]): void {
    const lines = new Map<unknown, number>();
    for (const record of records) {
      const id = findPair(record, 'id')?.value;
      if (!isScalar(id) || !isParsedNode(id)) continue;
      const range = firstLine(source, id);
      const first = lines.get(id.value);
      if (first === undefined) lines.set(id.value, range.start.line + 1);
      else {
        const message = `${list}: the id "${id.value}" is on line ${first} and on line ${range.start.line + 1}.`;
        found.push(diagnostic('yaml/duplicateId', place.subject, message, { file: place.file, range }));
      }
    }
  }
}

/** A path as people write it: `tasks[3].status`. */
function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The document';
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

/** The range of a node, as far as its first line goes. */
function firstLine(source: YamlSource, node: ParsedNode): Range {
  const [start, end] = node.range;
  const lineEnd = source.text.slice(start, end).search(/\r?\n/);
  return rangeBetween(source.lineStarts, start, lineEnd < 0 ? end : start + lineEnd);
}
