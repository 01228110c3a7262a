// Queries of Obsidian's Dataview plugin: read by its own parser, and carried out over notes by the rules of its pages.

import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path/posix';
import { parseFrontmatter } from '../../src/vault/frontmatter.ts';

const programs = new URL('../programs/node_modules/', import.meta.url);
const bundle = new URL(['obsidian-dataview', 'lib/index.js'].join('/'), programs);

interface Expression {
  readonly type: string;
  readonly value?: unknown;
  readonly name?: string;
  readonly op?: string;
  readonly left?: Expression;
  readonly right?: Expression;
  readonly object?: Expression;
  readonly index?: Expression;
  readonly func?: Expression;
  readonly arguments?: readonly Expression[];
}

interface Query {
  readonly header: {
    readonly type: string;
    readonly fields: readonly { readonly name: string; readonly field: Expression }[];
  };
  readonly source: Source;
  readonly operations: readonly Operation[];
}

interface Source {
  readonly type: string;
  readonly tag?: string;
  readonly folder?: string;
  readonly op?: string;
  readonly left?: Source;
  readonly right?: Source;
}

interface Operation {
  readonly type: string;
  readonly clause?: Expression;
  readonly amount?: Expression;
  readonly field?: { readonly name: string; readonly field: Expression };
  readonly fields?: readonly { readonly field: Expression; readonly direction: string }[];
}

interface Parser {
  readonly QUERY_LANGUAGE: { readonly query: { tryParse(text: string): Query } };
}

let parser: Parser | undefined;

/** The plugin's own parser. Its bundle asks for the program Obsidian, of which parsing needs nothing. Throws on a bad query. */
function parseDataview(query: string): Query {
  parser ??= loadParser();
  return parser.QUERY_LANGUAGE.query.tryParse(query);
}

function loadParser(): Parser {
  const exports = {};
  const load = new Function('exports', 'require', readFileSync(bundle, 'utf8'));
  load(exports, () => ({}));
  return exports as Parser;
}

/** The text of each query in a note. */
export function dataviewQueries(note: string): readonly string[] {
  return [...note.matchAll(/^```dataview\n([^`]+)```$/gm)].map(([, query]) => query ?? '');
}

/** Notes by their path in the vault, with `/`. */
export type Notes = ReadonlyMap<string, string>;

/** The rows of a table, each a value for each column. */
export function queryNotes(text: string, notes: Notes): readonly (readonly unknown[])[] {
  const query = parseDataview(text);
  if (query.header.type !== 'table') throw new Error(`${query.header.type} is not a table`);
  let rows = [...notes]
    .map(([path, note]) => pageOf(path, note))
    .filter((page) => isFrom(query.source, page))
    .map((page): Row => page);
  for (const operation of query.operations) rows = carryOut(operation, rows);
  return rows.map((row) => query.header.fields.map(({ field }) => evaluate(field, row)));
}

type Row = Readonly<Record<string, unknown>>;

function pageOf(path: string, note: string): Row {
  const frontmatter = (parseFrontmatter(note, { file: path, subject: path }).data ?? {}) as Row;
  const [folder, name] = [dirname(path), basename(path, '.md')];
  return { ...frontmatter, file: { path, folder, name, link: `[[${path}]]`, frontmatter } };
}

function isFrom(source: Source, page: Row): boolean {
  const { left, right } = source;
  switch (source.type) {
    case 'tag':
      return ((page['tags'] ?? []) as readonly string[]).some((tag) => `#${tag}` === source.tag);
    case 'folder':
      return String(indexed(page['file'], 'path')).startsWith(`${source.folder}/`);
    case 'binaryop':
      if (left === undefined || right === undefined) throw new Error('half of a source');
      return source.op === '&' ? isFrom(left, page) && isFrom(right, page) : isFrom(left, page) || isFrom(right, page);
    default:
      throw new Error(`no source ${source.type}`);
  }
}

function carryOut({ type, clause, amount, field, fields }: Operation, rows: readonly Row[]): Row[] {
  switch (type) {
    case 'where':
      return rows.filter((row) => clause !== undefined && isTrue(evaluate(clause, row)));
    case 'limit':
      return rows.slice(0, Number(amount?.value));
    case 'flatten':
      return rows.flatMap((row) => {
        const value = field && evaluate(field.field, row);
        return (Array.isArray(value) ? value : [value]).map((one: unknown) => ({ ...row, [field?.name ?? '']: one }));
      });
    case 'sort':
      return rows.toSorted((a, b) => {
        for (const { field: by, direction } of fields ?? []) {
          const order = compare(evaluate(by, a), evaluate(by, b));
          if (order !== 0) return direction === 'descending' ? -order : order;
        }
        return 0;
      });
    default:
      throw new Error(`no operation ${type}`);
  }
}

function evaluate(expression: Expression, row: Row): unknown {
  const { type, left, right, object, index } = expression;
  switch (type) {
    case 'literal':
      return expression.value;
    case 'variable':
      return row[expression.name ?? ''];
    case 'index':
      return object && index && indexed(evaluate(object, row), evaluate(index, row));
    case 'binaryop':
      if (left === undefined || right === undefined) throw new Error('half of an operation');
      return operate(expression.op ?? '', evaluate(left, row), () => evaluate(right, row));
    case 'function': {
      const values = (expression.arguments ?? []).map((argument) => evaluate(argument, row));
      if (expression.func?.name === 'link') return `[[${values.join('|')}]]`;
      throw new Error(`no function ${expression.func?.name}`);
    }
    default:
      throw new Error(`no expression ${type}`);
  }
}

function operate(op: string, left: unknown, right: () => unknown): unknown {
  switch (op) {
    case '+':
      return `${left}${right()}`;
    case '=':
      return left === right();
    case '>':
      return compare(left, right()) > 0;
    case '&':
      return isTrue(left) && isTrue(right());
    case '|':
      return isTrue(left) || isTrue(right());
    default:
      throw new Error(`no operator ${op}`);
  }
}

function indexed(value: unknown, key: unknown): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, String(key)) : undefined;
}

function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function compare(a: unknown, b: unknown): number {
  const [x, y] = typeof a === 'number' && typeof b === 'number' ? [a, b] : [String(a ?? ''), String(b ?? '')];
  return x < y ? -1 : x > y ? 1 : 0;
}
