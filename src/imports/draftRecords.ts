import { join } from 'node:path';
import type { Diagnostic } from '../base/errors.ts';
import { type PlanFile, planFiles, scratchFiles } from '../model/plan.ts';
import { planSchemas } from '../model/planSchemas.ts';
import type { Scaffold } from '../vault/scaffold.ts';
import { formatYaml, readYaml } from '../yaml/yaml.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';
import type { Draft } from './draft.ts';
import { type Converted, convertBacklog } from './markdownBacklog.ts';
import { convertMemory } from './markdownMemory.ts';
import { convertSessions } from './markdownSessions.ts';
import { resolvePathTokens, unknownPathTokens } from './pathTokens.ts';
import { unclear } from './warnings.ts';

export interface RecordSource {
  readonly directory: string;
  readonly texts: ReadonlyMap<string, string>;
}

export interface RecordTarget {
  readonly planPath: string;
  /** Texts for what is missing. */
  readonly scaffold: Scaffold;
}

export interface DraftedRecords {
  readonly tasks: number;
  readonly entries: number;
  readonly sessions: number;
  /** What stood in Markdown files and in no record of them. */
  readonly prose: readonly { readonly from: string; readonly text: string }[];
}

/** The files of the Markdown form that hold records. */
export const markdownFiles = ['backlog.md', 'memory.md', 'session-log.md', 'latest-session.md'] as const;

interface Row {
  readonly file: PlanFile;
  readonly markdown: (typeof markdownFiles)[number];
  /** Key of the list of records. */
  readonly list: 'tasks' | 'entries' | 'sessions' | undefined;
  readonly convert: (text: string, place: YamlPlace) => Converted<unknown>;
  /** What a record looks like in the Markdown form. */
  readonly form: string;
  readonly whenMissing: 'warn' | 'make' | 'nothing';
}

const sessionForm = 'A session is a heading such as `Session 1 (2026-01-31)`.';

const rows: readonly Row[] = [
  {
    file: planFiles.backlog,
    markdown: 'backlog.md',
    list: 'tasks',
    convert: convertBacklog,
    form: 'A task is a heading right above a field such as `**Status:** done`.',
    whenMissing: 'warn',
  },
  {
    file: planFiles.memory,
    markdown: 'memory.md',
    list: 'entries',
    convert: convertMemory,
    form: 'An entry is a heading with its text below.',
    whenMissing: 'warn',
  },
  {
    file: planFiles.sessionLog,
    markdown: 'session-log.md',
    list: 'sessions',
    convert: convertSessions,
    form: sessionForm,
    whenMissing: 'make',
  },
  {
    file: planFiles.latestSession,
    markdown: 'latest-session.md',
    list: undefined,
    convert: convertSessions,
    form: sessionForm,
    whenMissing: 'nothing',
  },
];

/** Decides about the files that hold records, whatever their form. */
export function draftRecords(draft: Draft, source: RecordSource, target: RecordTarget): DraftedRecords {
  const counts = { tasks: 0, entries: 0, sessions: 0 };
  const prose: { from: string; text: string }[] = [];
  for (const row of rows) {
    const { file, markdown, list } = row;
    const text = source.texts.get(file);
    const older = source.texts.get(markdown);
    let value: unknown;
    if (text !== undefined) {
      value = check(draft, source, { file, from: file, text });
      draft.take(file, remark(list, value));
      if (older !== undefined) draft.keep(markdown, `${file} is taken instead`);
    } else if (older !== undefined) {
      const converted = convertFile(draft, source, { row, text: older, planPath: target.planPath });
      value = converted.value;
      if (converted.prose !== '') prose.push({ from: markdown, text: converted.prose });
    } else {
      makeEmpty(draft, row, target.scaffold);
    }
    if (list !== undefined) counts[list] = countOf(value, list);
  }
  draftScratch(draft, source);
  return { ...counts, prose };
}

export function warnOfTokens(draft: Draft, path: string, text: string): void {
  const unknown = unknownPathTokens(text);
  if (unknown.length === 0) return;
  draft.warn('import/unclear', path, `${path} has tokens that lead nowhere here: ${unknown.join(', ')}.`);
}

interface CheckedText {
  readonly file: PlanFile;
  /** The file of the source that it comes from. */
  readonly from: string;
  readonly text: string;
}

/** The value of a file by its schema; what is wrong with it goes to the draft. */
function check(draft: Draft, source: RecordSource, { file, from, text }: CheckedText): unknown {
  const { value, diagnostics } = readAs(draft, source, { file, from, text });
  draft.diagnostics.push(...diagnostics);
  return value;
}

function readAs(
  draft: Draft,
  source: RecordSource,
  { file, from, text }: CheckedText,
): { readonly value: unknown; readonly diagnostics: readonly Diagnostic[] } {
  const schema = planSchemas.get(file);
  const place = { file: join(source.directory, from), subject: draft.plan };
  return schema === undefined ? { value: undefined, diagnostics: [] } : readYaml(schema, text, place);
}

interface MarkdownSource {
  readonly row: Row;
  readonly text: string;
  readonly planPath: string;
}

function convertFile(
  draft: Draft,
  source: RecordSource,
  { row, text, planPath }: MarkdownSource,
): { readonly value: unknown; readonly prose: string } {
  const { file, markdown, list, convert, form } = row;
  const place = { file: join(source.directory, markdown), subject: draft.plan };
  const resolved = resolvePathTokens(text, planPath);
  warnOfTokens(draft, markdown, resolved);
  const { records, prose, diagnostics } = convert(resolved, place);
  if (list === undefined && records.length !== 1) {
    const message = `${markdown} holds ${records.length} sessions where one was expected; it is only kept.`;
    draft.diagnostics.push(unclear(place, undefined, message));
    draft.keep(markdown);
    return { value: undefined, prose: '' };
  }
  draft.diagnostics.push(...diagnostics);
  if (list !== undefined && records.length === 0 && hasContent(prose)) {
    const message = `${markdown} has no ${list} that could be read; all of it is prose in ${planFiles.marker} now. ${form}`;
    draft.diagnostics.push(unclear(place, undefined, message));
  }
  const result = formatYaml(list === undefined ? records[0] : { [list]: records });
  const value = check(draft, source, { file, from: markdown, text: result });
  draft.convert(markdown, file, result, remark(list, value));
  return { value, prose };
}

/** Whether the text has more than a title; a file that is not filled in yet has only that. */
function hasContent(prose: string): boolean {
  return /^(?!#[ \t]).*\S/m.test(prose);
}

function makeEmpty(draft: Draft, row: Row, scaffold: Scaffold): void {
  const text = scaffold.get(row.file);
  if (row.whenMissing === 'nothing' || text === undefined) return;
  if (row.whenMissing === 'warn') {
    draft.warn('plan/missingFile', row.file, `${row.file} was missing; an empty one is made.`);
  }
  draft.make(row.file, text);
}

/** What a cycle uses up: another program's form of it is kept, since nothing but the next phase would want it. */
function draftScratch(draft: Draft, source: RecordSource): void {
  for (const file of scratchFiles) {
    const text = source.texts.get(file);
    if (text === undefined) continue;
    const { diagnostics } = readAs(draft, source, { file, from: file, text });
    const [problem] = diagnostics.filter(({ severity }) => severity === 'error');
    if (problem?.code === 'yaml/schema') {
      draft.warn('import/unclear', file, `${file} has another form than Ravel's and is only kept: ${problem.message}`);
      draft.keep(file);
    } else {
      draft.diagnostics.push(...diagnostics);
      draft.take(file);
    }
  }
}

function remark(list: Row['list'], value: unknown): string | undefined {
  if (list === undefined) return undefined;
  const count = countOf(value, list);
  return `${count} ${count === 1 ? singular[list] : list}`;
}

const singular = { tasks: 'task', entries: 'entry', sessions: 'session' } as const;

function countOf(value: unknown, list: string): number {
  const records = typeof value === 'object' && value !== null ? Reflect.get(value, list) : undefined;
  return Array.isArray(records) ? records.length : 0;
}
