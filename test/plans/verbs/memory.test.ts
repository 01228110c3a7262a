import { describe, expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import { memorySchema } from '../../../src/model/memory.ts';
import type { VerbName } from '../../../src/model/verbs.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import { after, makeContext, memoryText, refused } from './context.ts';

function run(name: VerbName, args: unknown, context = makeContext()) {
  return memorySchema.parse(after('memory.yaml', name, args, context)).entries ?? [];
}

test('memory/list gives titles, and with `bodies` each entry in full', () => {
  const listed = (args: unknown) => applyVerb('memory/list', args, makeContext()).result;
  expect(listed({})).toMatchObject({ entries: [{ id: 'alpha' }, { id: 'beta', title: 'Beta' }, { id: 'gamma' }] });
  expect(JSON.stringify(listed({}))).not.toContain('The second fact.');
  expect(listed({ bodies: true })).toMatchObject({ entries: [{}, { id: 'beta', body: 'The second fact.\n' }, {}] });
});

test.each<[string, unknown, object]>([
  ['an id', 'beta', { id: 'beta', body: 'The second fact.\n' }],
  ['a title', 'Beta', { id: 'beta' }],
  ['a list of ids and titles, each once', ['beta', 'Beta', 'alpha'], { entries: [{ id: 'beta' }, { id: 'alpha' }] }],
  ['ids with commas between them', 'alpha, gamma', { entries: [{ id: 'alpha' }, { id: 'gamma' }] }],
])('memory/show takes %s', (_what, id, expected) =>
  expect(applyVerb('memory/show', { id }, makeContext()).result).toMatchObject(expected),
);

test('memory/search gives the entries that have the words, the best first', () => {
  const found = (args: unknown) => applyVerb('memory/search', args, makeContext()).result;
  expect(found({ text: 'second fact', limit: 1 })).toEqual({ entries: [{ id: 'beta', title: 'Beta' }] });
  expect(found({ text: 'second fact', limit: 1, bodies: true })).toMatchObject({
    entries: [{ body: 'The second fact.\n' }],
  });
  expect(found({ text: 'zebra' })).toEqual({ entries: [] });
});

test('memory/add appends an entry with its claims and its source', () => {
  const session = '01JD0000000000000000000009' as Ulid;
  const entries = run('memory/add', { title: 'Alpha', body: 'x', claims: ['c1', 'c1'] }, makeContext({ session }));
  expect(entries.at(-1)).toEqual({
    id: 'alpha-2',
    title: 'Alpha',
    body: 'x\n',
    'source-session': session,
    claims: ['c1'],
  });
  expect(run('memory/add', { title: '…', body: 'x', source: 'decision' }).at(-1)).toEqual({
    id: 'entry',
    title: '…',
    body: 'x\n',
    source: 'decision',
  });
});

test('memory/set-title and memory/set-body change only that field', () => {
  expect(run('memory/set-title', { id: 'beta', title: 'Other' })[1]).toEqual({
    id: 'beta',
    title: 'Other',
    body: 'The second fact.\n',
  });
  expect(run('memory/set-body', { id: 'beta', body: 'Other' })[1]).toEqual({
    id: 'beta',
    title: 'Beta',
    body: 'Other\n',
  });
  expect(refused('memory/set-body', { id: 'none', body: 'x' }).code).toBe('state/unknownRecord');
});

describe('memory/delete', () => {
  test('removes any entry in a reflection', () => {
    const effect = applyVerb('memory/delete', { id: 'beta' }, makeContext({ phase: 'reflect' }));
    expect(effect.dreamMap).toBeUndefined();
    expect(run('memory/delete', { id: 'beta' }).map(({ id }) => id)).toEqual(['alpha', 'gamma']);
  });

  test('refuses an unknown entry and names the known ones', () => {
    const error = refused('memory/delete', { id: 'none' });
    expect([error.code, error.message]).toEqual(['state/unknownRecord', expect.stringContaining('alpha, beta, gamma')]);
  });

  test('in a dream, removes only an entry whose text another entry repeats', () => {
    const context = makeContext({ phase: 'dream' });
    expect(refused('memory/delete', { id: 'beta' }, context).code).toBe('state/notAllowed');
    expect(applyVerb('memory/delete', { id: 'gamma' }, context).dreamMap).toEqual({ gamma: ['alpha'] });
  });
});

describe('memory/merge', () => {
  const context = makeContext({ phase: 'dream', dreamMap: { old: ['beta'] } });

  test('removes the merged entries and redirects the dream map to the one that stays', () => {
    const args = { into: 'alpha', from: ['beta', 'gamma', 'alpha', 'beta'], title: 'Both', body: 'All of it.' };
    expect(run('memory/merge', args, context)).toEqual([{ id: 'alpha', title: 'Both', body: 'All of it.\n' }]);
    expect(applyVerb('memory/merge', args, context).dreamMap).toEqual({
      old: ['alpha'],
      beta: ['alpha'],
      gamma: ['alpha'],
    });
  });

  test('keeps the place of the entry that stays, even after the others', () => {
    expect(run('memory/merge', { into: 'gamma', from: ['alpha'], body: 'x' }, context).map(({ id }) => id)).toEqual([
      'beta',
      'gamma',
    ]);
  });

  test('refuses an unknown entry, a blank body, or nothing to merge', () => {
    expect(refused('memory/merge', { into: 'alpha', from: ['alpha'], body: 'x' }, context).code).toBe(
      'state/badArguments',
    );
    expect(refused('memory/merge', { into: 'alpha', from: ['none'], body: 'x' }, context).code).toBe(
      'state/unknownRecord',
    );
    expect(refused('memory/merge', { into: 'none', from: ['alpha'], body: 'x' }, context).code).toBe(
      'state/unknownRecord',
    );
    expect(refused('memory/merge', { into: 'alpha', from: ['beta'], body: ' ' }, context).code).toBe(
      'state/badArguments',
    );
  });
});

test('memory/init fills an empty memory and refuses one with entries', () => {
  const body = 'entries:\n- id: a\n  title: A\n  body: It is.\n  mood: good\n';
  const empty = makeContext({ texts: new Map([['memory.yaml', '# mine\nentries: []\n']]) });
  expect(run('memory/init', { body }, empty)).toEqual([{ id: 'a', title: 'A', body: 'It is.', mood: 'good' }]);
  const error = refused('memory/init', { body });
  expect([error.code, error.message]).toEqual(['state/notEmpty', expect.stringContaining('holds 3 entries')]);
});

describe('beside a damaged entry', () => {
  const bad = '- id: broken\n  title: 7 # mine\n';
  const context = () =>
    makeContext({ texts: new Map([['memory.yaml', `entries:\n${bad}${memoryText.slice('entries:\n'.length)}`]]) });

  test.each<[VerbName, unknown]>([
    ['memory/list', {}],
    ['memory/search', { text: 'second fact' }],
  ])('%s gives the others and tells of it', (name, args) => {
    expect(applyVerb(name, args, context()).result).toMatchObject({
      entries: expect.arrayContaining([{ id: 'beta', title: 'Beta' }]),
      damaged: [expect.stringMatching(/^entry 1 \("broken"\): /)],
    });
  });

  test.each<[VerbName, unknown, string, string]>([
    ['memory/set-title', { id: 'beta', title: 'Other' }, 'title: Beta', 'title: Other'],
    ['memory/set-body', { id: 'beta', body: 'Other.' }, 'The second fact.', 'Other.'],
    ['memory/delete', { id: 'alpha' }, '- id: alpha\n  title: Alpha\n  body: |\n    The first fact.\n', ''],
  ])('%s changes the entry that it names, and no byte of another', (name, args, from, to) => {
    const before = context().texts.get('memory.yaml') ?? '';
    expect(before.split(from)).toHaveLength(2);
    expect(applyVerb(name, args, context()).edits.get('memory.yaml')).toBe(before.replace(from, to));
  });

  test('memory/add appends, and takes no id of it', () => {
    const before = context().texts.get('memory.yaml') ?? '';
    const { edits, result } = applyVerb('memory/add', { title: 'Broken', body: 'x' }, context());
    expect(edits.get('memory.yaml')?.startsWith(before)).toBe(true);
    expect(result).toEqual({ id: 'broken-2' });
  });
});
