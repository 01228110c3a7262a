import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  type ParsedNode,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { type Diagnostic, messageOf, type Range } from '../base/errors.ts';
import {
  hasTooManyParts,
  isTooDeep,
  isTooLarge,
  withoutStacks,
  yamlBytesMax,
  yamlPartsMax,
} from '../base/yamlBounds.ts';
import { type Code, diagnostic } from '../model/codes.ts';
import type { Json } from '../model/json.ts';
import { firstLineNotPlain } from './plainYaml.ts';

/** What a text is and whom a diagnostic about it names: a path, and a qualified id or the path again. */
export interface YamlPlace {
  readonly file: string;
  readonly subject: string;
}

/** A text without its byte order mark, and what the parser made of it; ranges of its nodes are offsets into `text`. */
export interface YamlSource {
  readonly text: string;
  /** Starting offset of each line. */
  readonly lineStarts: readonly number[];
  readonly document: Document.Parsed;
  /** Undefined when `diagnostics` holds an error. */
  readonly value: Json | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** A tag says how a value is to be read; such a text is read but never edited. */
  readonly hasTags: boolean;
}

export const byteOrderMark = '\ufeff';
/** Levels of nesting, so that reading never exhausts the stack. */
const depthMax = 64;
/** Problems of one file that are reported. */
const errorsMax = 20;

/**
 * Parses without ever throwing; whatever is wrong stands in the diagnostics. A text of many parts is parsed only if it is
 * plain, since nothing else that large comes from us, and others could hold up the owner with it.
 */
export function parseSource(given: string, place: YamlPlace): YamlSource {
  const text = given.startsWith(byteOrderMark) ? given.slice(1) : given;
  if (isTooLarge(text)) {
    const message = `The file is larger than ${yamlBytesMax / 1024 / 1024} MiB.`;
    return refused(text, [diagnostic('disk/tooLarge', place.subject, message, { file: place.file })]);
  }
  const lines = new LineCounter();
  const problems = new Problems(place, lines);
  const directive = directiveAt(text);
  if (directive !== undefined) {
    lines.addNewLine(0);
    for (const match of text.slice(0, directive).matchAll(/\n/g)) lines.addNewLine(match.index + 1);
    problems.add('yaml/syntax', 'A directive (a line that starts with %) is not allowed.', directive);
    return refused(text, problems.list);
  }
  if (isTooDeep(text)) {
    lines.addNewLine(0);
    problems.add('yaml/bomb', 'The file is nested too deeply to be read.', 0);
    return refused(text, problems.list);
  }
  const oddLine = hasTooManyParts(text) ? firstLineNotPlain(text) : undefined;
  if (oddLine !== undefined) {
    const message = `The file has more than ${yamlPartsMax.toLocaleString('en')} keys, values and marks, and is read at that size only if it is plain: line ${oddLine + 1} is not. Write it as \`key: value\` or \`- value\` on one line, or as a \`|\` block.`;
    const position = { line: oddLine, character: 0 };
    const range = { start: position, end: position };
    return refused(text, [diagnostic('disk/tooLarge', place.subject, message, { file: place.file, range })]);
  }
  const document = parseQuietly(text, lines);
  if (document instanceof Error) {
    problems.add('yaml/bomb', `The file is nested too deeply to be read (${messageOf(document)}).`, 0);
    return refused(text, problems.list);
  }
  for (const error of document.errors.slice(0, errorsMax)) addParserError(error, problems);
  const survey = new Survey(problems, lines);
  if (problems.list.length === 0) survey.visit(document.contents, 0);
  const failed = problems.list.some((problem) => problem.severity === 'error');
  const value: Json | undefined = failed ? undefined : (document.toJS({ maxAliasCount: 0 }) ?? null);
  return { text, lineStarts: lines.lineStarts, document, value, diagnostics: problems.list, hasTags: survey.hasTags };
}

/** The range between two offsets, zero-based. */
export function rangeBetween(lineStarts: readonly number[], start: number, end: number): Range {
  return { start: positionAt(lineStarts, start), end: positionAt(lineStarts, end) };
}

/** The pair of `map` under `key`, as JavaScript names keys. */
export function findPair(map: unknown, key: string): Pair<ParsedNode, ParsedNode | null> | undefined {
  if (!isMap<ParsedNode, ParsedNode | null>(map)) return undefined;
  return map.items.find((pair) => keyName(pair) === key);
}

export function keyName(pair: Pair<ParsedNode, unknown>): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

/** The node at `path`, or the last one on the way to it that is there. */
export function nearestNode(document: Document.Parsed, path: readonly PropertyKey[]): ParsedNode | null {
  let node: ParsedNode | null = document.contents;
  for (const step of path) {
    const next: unknown = isSeq(node) ? node.items[Number(step)] : findPair(node, String(step))?.value;
    if (!isParsedNode(next)) return node;
    node = next;
  }
  return node;
}

/** Whether the last thing of a document is a block scalar that ends with a line end. */
export function endsInBlockScalar(document: Document.Parsed): boolean {
  let node: unknown = document.contents;
  while (isCollection(node)) {
    const last: unknown = node.items.at(-1);
    node = isPair(last) ? last.value : last;
  }
  return isScalar(node) && node.type?.startsWith('BLOCK') === true && String(node.value).endsWith('\n');
}

export function isParsedNode(value: unknown): value is ParsedNode {
  return isNode(value) && value.range !== undefined && value.range !== null;
}

/** Where a directive starts: a `%` at the start of a line that only blank lines and comments come before. */
function directiveAt(text: string): number | undefined {
  let at = 0;
  for (;;) {
    if (text[at] === '%') return at;
    let first = at;
    while (text[first] === ' ' || text[first] === '\t') first += 1;
    const isEmpty = text[first] === '\n' || (text[first] === '\r' && text[first + 1] === '\n');
    if (!isEmpty && text[first] !== '#') return undefined;
    const end = text.indexOf('\n', first);
    if (end < 0) return undefined;
    at = end + 1;
  }
}

function refused(text: string, diagnostics: readonly Diagnostic[]): YamlSource {
  const document = parseDocument('');
  return { text, lineStarts: [0], document, value: undefined, diagnostics, hasTags: false };
}

function parseQuietly(text: string, lineCounter: LineCounter): Document.Parsed | Error {
  try {
    return withoutStacks(() =>
      parseDocument(text, {
        version: '1.2',
        schema: 'core',
        merge: false,
        resolveKnownTags: false,
        strict: true,
        // `Survey` compares keys by the name that JavaScript gives them, in linear time.
        uniqueKeys: false,
        prettyErrors: false,
        keepSourceTokens: true,
        // Not `silent`, which would hide that there are several documents.
        logLevel: 'error',
        lineCounter,
      }),
    );
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function addParserError(error: YAMLParseError, problems: Problems): void {
  if (error.code === 'RESOURCE_EXHAUSTION') {
    problems.add('yaml/bomb', 'The file is nested too deeply to be read.', error.pos[0]);
    return;
  }
  const message = error.code === 'MULTIPLE_DOCS' ? 'The file holds more than one document.' : sentence(error.message);
  problems.add('yaml/syntax', message, error.pos[0], error.pos[1]);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

class Problems {
  readonly list: Diagnostic[] = [];
  readonly #place: YamlPlace;
  readonly #lines: LineCounter;

  constructor(place: YamlPlace, lines: LineCounter) {
    this.#place = place;
    this.#lines = lines;
  }

  add(code: Code, message: string, start: number, end = start + 1): void {
    if (this.list.length >= errorsMax) return;
    const { file, subject } = this.#place;
    const range = rangeBetween(this.#lines.lineStarts, start, end);
    this.list.push(diagnostic(code, subject, `Line ${range.start.line + 1}: ${message}`, { file, range }));
  }
}

/** One walk over all nodes for what the parser permits and a state file must not hold. */
class Survey {
  hasTags = false;
  readonly #problems: Problems;
  readonly #lines: LineCounter;

  constructor(problems: Problems, lines: LineCounter) {
    this.#problems = problems;
    this.#lines = lines;
  }

  visit(node: unknown, depth: number): void {
    if (!isParsedNode(node)) return;
    const start = node.range[0];
    if (isAlias(node)) {
      this.#problems.add('yaml/bomb', `The alias *${node.source} is not allowed.`, start);
      return;
    }
    if (node.anchor !== undefined) this.#problems.add('yaml/bomb', `The anchor &${node.anchor} is not allowed.`, start);
    if (node.tag !== undefined) this.hasTags = true;
    if (!isCollection(node)) return;
    if (depth >= depthMax) {
      this.#problems.add('yaml/bomb', `The file is nested deeper than ${depthMax} levels.`, start);
      return;
    }
    if (isMap(node)) this.#visitKeys(node.items);
    for (const item of node.items) this.visit(isPair(item) ? item.value : item, depth + 1);
  }

  #visitKeys(pairs: readonly Pair[]): void {
    const seen = new Map<string, number>();
    for (const { key } of pairs) {
      if (!isParsedNode(key)) continue;
      const start = key.range[0];
      if (!isScalar(key)) {
        this.#problems.add('yaml/syntax', 'A key must be plain text, not a list, a mapping or an alias.', start);
        continue;
      }
      this.visit(key, 0);
      const name = String(key.value);
      const first = seen.get(name);
      if (first === undefined) seen.set(name, start);
      else {
        const line = this.#lines.linePos(first).line;
        this.#problems.add('yaml/syntax', `The key "${name}" is there already, on line ${line}.`, start, key.range[1]);
      }
    }
  }
}

/** Of these keys, each with a number or a list as its value: the same with numbers as they are written. */
export function numbersAsWritten(
  text: string,
  place: YamlPlace,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  const { document } = parseSource(text, place);
  const written = (node: unknown) =>
    isScalar(node) && typeof node.value === 'number' ? (node.source ?? String(node.value)) : toValue(node);
  const toValue = (node: unknown): unknown => (isNode(node) ? node.toJS(document) : node);
  return Object.fromEntries(
    keys.map((key) => {
      const node = document.get(key, true);
      return [key, isSeq(node) ? node.items.map(written) : written(node)];
    }),
  );
}

function positionAt(lineStarts: readonly number[], offset: number): { line: number; character: number } {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - (lineStarts[low] ?? 0) };
}
