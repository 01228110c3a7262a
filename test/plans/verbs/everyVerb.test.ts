import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRavelError } from '../../../src/base/errors.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import { personVerbNames, type VerbName } from '../../../src/model/verbs.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import type { VerbEffect } from '../../../src/plans/verbs/verbContext.ts';
import { makeContext } from './context.ts';

/** A record of a file as its lines; lines with keys unknown to every verb start with x_ or y_, and must outlive every edit. */
interface RecordText {
  readonly id: string;
  readonly lines: readonly string[];
}

interface FileText {
  readonly head: readonly string[];
  readonly records: readonly RecordText[];
  readonly tail: readonly string[];
}

/** Values that a person may have put anywhere in a record or a file, in the notations that people use. */
const foreignValue = fc.constantFrom(
  '[1,   2] # as is',
  '{deep: {deeper: [~, "x"]},  odd: true}',
  "'it''s quoted'",
  '"a\\tb" ',
  '0x1F',
  '2026-04-12T08:00:00Z   # a time',
  '|\n@  two\n@\n@  lines',
  '\n@  nested:\n@  - list: 1 # in a list\n@  - ~',
  '',
);

function foreignLines(prefix: string, indent: string) {
  return fc
    .array(foreignValue, { maxLength: 3 })
    .map((values) => values.map((value, n) => `${prefix}${n}: ${value}`.replaceAll('@', indent)));
}

const comment = fc.constantFrom<readonly string[]>([], ['# a remark'], ['', '# after a gap']);

const status = fc.constantFrom('not_started', 'in_progress', 'done', 'blocked');

function taskText(id: string) {
  return fc
    .tuple(foreignLines(`  x_${id}_`, '  '), foreignLines(`  y_${id}_`, '  '), status, comment, fc.boolean())
    .map(([before, after, state, remark, isLong]): RecordText => {
      const description = isLong ? ['  description: |', `    What ${id} is.`] : [`  description: "What ${id} is."`];
      const known = [`  title: 'Task ${id}'  # of ${id}`, '  category: core', `  status: ${state}`];
      const rest = [...description, '  results: It works.', '  handoff: Settled.', ...after];
      return { id, lines: [...remark, `- id: ${id}`, ...before, ...known, '  dependencies: []', ...rest] };
    });
}

function entryText(id: string) {
  return fc.tuple(foreignLines(`  x_${id}_`, '  '), foreignLines(`  y_${id}_`, '  '), comment).map(
    ([before, after, remark]): RecordText => ({
      id,
      lines: [...remark, `- id: ${id}`, ...before, `  title: Entry ${id}`, `  body: The fact ${id}.`, ...after],
    }),
  );
}

function fileText(list: string, record: (id: string) => fc.Arbitrary<RecordText>): fc.Arbitrary<FileText> {
  const records = fc.tuple(record('alpha'), record('beta'), record('gamma'));
  return fc
    .tuple(comment, foreignLines('head_', ''), records, foreignLines('tail_', ''))
    .map(([remark, head, three, tail]) => ({ head: [...remark, ...head, `${list}:`], records: three, tail }));
}

function join({ head, records, tail }: FileText, lineEnd: string): string {
  const lines = [...head, ...records.flatMap((record) => record.lines), ...tail, ''];
  return lines.join('\n').replaceAll('\n', lineEnd);
}

type Use = readonly [verb: VerbName, args: object, touched: readonly string[], gone?: readonly string[]];

const ids = ['alpha', 'beta', 'gamma'] as const;
const anyText = fc.constantFrom('Plain.', 'Two\n\n  lines: # no remark', '- "quoted"', 'Ünïcode\n');

const taskUse: fc.Arbitrary<Use> = fc
  .tuple(fc.constantFrom(...ids), fc.constantFrom(...ids), anyText)
  .chain(([id, other, body]) =>
    fc.constantFrom<Use>(
      ['backlog/add', { title: body, category: 'new', description: body, dependencies: [id] }, []],
      ['backlog/set-status', { id, status: 'done' }, [id]],
      ['backlog/set-status', { id, status: 'blocked', reason: body.trim() }, [id]],
      ['backlog/set-results', { id, body }, [id]],
      ['backlog/set-handoff', { id, body }, [id]],
      ['backlog/set-description', { id, body }, [id]],
      ['backlog/clear-handoff', { id }, [id]],
      ['backlog/set-title', { id, title: body.trim() }, [id]],
      ['backlog/set-dependencies', { id, dependencies: ids.filter((one) => one !== id) }, [id]],
      ['backlog/reorder', { id, where: 'before', target: other === id ? ids[(ids.indexOf(id) + 1) % 3] : other }, []],
      ['backlog/delete', { id }, [], [id]],
      ['backlog/repair-stale-statuses', {}, ids],
    ),
  );

const entryUse: fc.Arbitrary<Use> = fc
  .tuple(fc.constantFrom(...ids), anyText)
  .chain(([id, body]) =>
    fc.constantFrom<Use>(
      ['memory/add', { title: body, body, source: 'decision' }, []],
      ['memory/set-title', { id, title: body.trim() }, [id]],
      ['memory/set-body', { id, body }, [id]],
      ['memory/delete', { id }, [], [id]],
      [
        'memory/merge',
        { into: id, from: ids.filter((one) => one !== id), body },
        [id],
        ids.filter((one) => one !== id),
      ],
    ),
  );

/** Checks that every unknown line is unchanged after the edit, in every record that still exists. */
function checkBytes(file: PlanFile, text: FileText, lineEnd: string, [verb, args, touched, gone = []]: Use): void {
  const before = join(text, lineEnd);
  const { edits } = applyVerb(verb, args, makeContext({ texts: new Map([[file, before]]) }));
  const after = edits.get(file) ?? before;
  const expectLines = (lines: readonly string[]) => {
    if (lines.length > 0) expect(after).toContain(lines.join('\n').replaceAll('\n', lineEnd));
  };
  expectLines(text.head);
  expectLines(text.tail);
  for (const { id, lines } of text.records) {
    if (gone.includes(id)) continue;
    const start = lines.findIndex((line) => line.startsWith('- id: '));
    if (!touched.includes(id)) expectLines(lines.slice(start));
    else for (const line of lines.filter((one) => /^(?:- id: | {2}[xy]_|# )/.test(one))) expectLines([line]);
  }
  if (lineEnd === '\r\n') expect(after).not.toMatch(/[^\r]\n/);
}

const lineEnds = fc.constantFrom('\n', '\r\n');

test('a verb on the backlog keeps the bytes that it is not about', () =>
  fc.assert(
    fc.property(fileText('tasks', taskText), lineEnds, taskUse, (text, lineEnd, use) =>
      checkBytes('backlog.yaml', text, lineEnd, use),
    ),
    { numRuns: 400 },
  ));

test('a verb on the memory keeps the bytes that it is not about', () =>
  fc.assert(
    fc.property(fileText('entries', entryText), lineEnds, entryUse, (text, lineEnd, use) =>
      checkBytes('memory.yaml', text, lineEnd, use),
    ),
    { numRuns: 200 },
  ));

/** Valid arguments for each verb on the backlog. */
const backlogUses: readonly (readonly [VerbName, object])[] = [
  ['backlog/list', {}],
  ['backlog/show', { id: 'a' }],
  ['backlog/add', { title: 'New', category: 'c' }],
  ['backlog/set-status', { id: 'a', status: 'done' }],
  ['backlog/set-results', { id: 'a', body: 'x' }],
  ['backlog/set-handoff', { id: 'a', body: 'x' }],
  ['backlog/clear-handoff', { id: 'a' }],
  ['backlog/set-title', { id: 'a', title: 'x' }],
  ['backlog/set-description', { id: 'a', body: 'x' }],
  ['backlog/set-dependencies', { id: 'a', dependencies: [] }],
  ['backlog/reorder', { id: 'a', where: 'after', target: 'b' }],
  ['backlog/delete', { id: 'a' }],
  ['backlog/repair-stale-statuses', {}],
  ['backlog/lint-dependencies', {}],
  ['backlog/init', { body: 'tasks:\n- {id: z, title: Z, category: c, status: done}\n' }],
  ['received/list', {}],
  ['message/list', {}],
  ['received/show', { id: 'm' }],
  ['received/promote', { id: 'm', title: 'x', category: 'c' }],
  ['received/decline', { id: 'm', reason: 'x' }],
];

function outcomeOf(verb: VerbName, args: object, text: string): VerbEffect | string {
  try {
    return applyVerb(verb, args, makeContext({ texts: new Map([['backlog.yaml', text]]) }));
  } catch (error) {
    if (isRavelError(error)) return error.code;
    throw error;
  }
}

test('backlogUses covers every verb on the backlog', () => {
  const nouns = ['backlog', 'received'];
  const expected = personVerbNames.filter((name) => nouns.includes(name.split('/')[0] ?? ''));
  expect(backlogUses.map(([name]) => name)).toEqual(expect.arrayContaining([...expected]));
});

const task = (id: string, more = '') => `- {id: ${id}, title: T, category: c, status: done${more}}\n`;

describe('a backlog file', () => {
  test.each(['tasks: null\n', 'tasks:\n', 'tasks: ~ # none\nmine: 1\n', 'tasks: []\nreceived:\n', '{}\n'])(
    'that reads %j counts as empty for every verb',
    (text) => {
      for (const [verb, args] of backlogUses) {
        const outcome = outcomeOf(verb, args, text);
        const isAboutRecord = 'id' in args;
        if (isAboutRecord) expect([verb, outcome]).toEqual([verb, 'state/unknownRecord']);
        else expect([verb, typeof outcome]).toEqual([verb, 'object']);
      }
    },
  );

  test.each<[string, string, string]>([
    ['a duplicate id', `tasks:\n${task('a')}${task('b')}${task('a')}`, 'yaml/duplicateId'],
    ['an unknown status', `tasks:\n${task('a')}${task('b').replace('done', 'wip')}`, 'yaml/schema'],
    ['tasks that are not a list', 'tasks: {a: 1}\n', 'yaml/schema'],
    ['a plain text instead of a mapping', 'tasks\n', 'yaml/schema'],
    ['broken YAML', 'tasks: [\n', 'yaml/syntax'],
    ['a duplicate key', 'tasks: []\ntasks: []\n', 'yaml/syntax'],
    ['exploding anchors', `a: &a [1]\nb: &b [*a,*a]\ntasks: []\n`, 'yaml/bomb'],
  ])('with %s is refused by every verb', (_name, text, code) => {
    for (const [verb, args] of backlogUses) expect([verb, outcomeOf(verb, args, text)]).toEqual([verb, code]);
  });

  test('a backlog file of ten megabytes can be read and edited', { timeout: 60_000 }, () => {
    const filler = 'word '.repeat(4100);
    const many = Array.from({ length: 500 }, (_, n) => task(`t${n}`, `, description: ${filler}`)).join('');
    const text = `tasks:\n${task('a')}${task('b')}${many}`;
    expect(text.length).toBeGreaterThan(10_000_000);
    const outcome = outcomeOf('backlog/set-title', { id: 'a', title: 'Other' }, text);
    if (typeof outcome === 'string') throw new Error(outcome);
    expect(outcome.edits.get('backlog.yaml') === text.replace('title: T', 'title: Other')).toBe(true);
    expect(outcomeOf('backlog/lint-dependencies', {}, text)).toMatchObject({ result: { drifts: [] } });
  });
});
