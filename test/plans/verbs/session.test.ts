import { describe, expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import { after, makeContext, refused } from './context.ts';

const session = '01JD0000000000000000000009' as Ulid;

test('session/set-latest sets id, time and claim ids itself and refuses a verdict', () => {
  const claims = [
    { text: 'one', evidence: [{ path: 'a', hunk: '@@' }] },
    { text: 'two', evidence: [] },
  ];
  const args = { title: 'Made it: work', body: 'What happened.\n\nMore.', claims };
  expect(after('latest-session.yaml', 'session/set-latest', args, makeContext({ session }))).toEqual({
    id: '2026-11-20-made-it-work',
    timestamp: '2026-11-20T08:30:00Z',
    phase: 'work',
    session,
    body: 'What happened.\n\nMore.\n',
    claims: [
      { id: 'c1', text: 'one', evidence: [{ path: 'a', hunk: '@@' }] },
      { id: 'c2', text: 'two', evidence: [] },
    ],
  });
  const judged = { ...args, claims: [{ text: 'x', evidence: [], verdict: 'evidenced' }] };
  expect(refused('session/set-latest', judged).code).toBe('state/badArguments');
});

test('session/set-latest replaces the record that session/show-latest reads', () => {
  const effect = applyVerb(
    'session/set-latest',
    { title: '…', body: 'x' },
    makeContext({ texts: new Map([['latest-session.yaml', 'id: old\n']]) }),
  );
  const text = effect.edits.get('latest-session.yaml') ?? '';
  expect(text).not.toContain('old');
  const texts = new Map([['latest-session.yaml' as const, text]]);
  expect(applyVerb('session/show-latest', {}, makeContext({ texts })).result).toMatchObject({
    id: '2026-11-20-session',
    body: 'x\n',
  });
});

test('commits/set writes the whole specification', () => {
  const commits = [{ paths: ['src', ':!docs'], message: 'Add x\n\nBecause.' }];
  expect(after('commits.yaml', 'commits/set', { commits })).toEqual({ commits });
});

describe('the session log', () => {
  const log = (...ids: string[]) => {
    const records = ids.map(
      (id) => `- id: ${id}\n  timestamp: 2026-04-12T08:00:00Z\n  phase: work\n  body: |\n    ### ${id}!\n\n    More.\n`,
    );
    return makeContext({ texts: new Map([['session-log.yaml', `# kept\nsessions:\n${records.join('')}mine: 1\n`]]) });
  };
  const listed = (args: object, context = log('s1', 's2', 's3')) => applyVerb('session/list', args, context).result;
  const ids = (args: object, context = log('s1', 's2', 's3')) =>
    (listed(args, context) as { sessions: { id: string }[] }).sessions.map(({ id }) => id);

  test('lists the newest record first', () => {
    expect(ids({})).toEqual(['s3', 's2', 's1']);
    expect(ids({ limit: 2 })).toEqual(['s3', 's2']);
    expect(ids({ limit: 9 })).toEqual(['s3', 's2', 's1']);
    expect(listed({ limit: 1 })).toEqual({
      sessions: [{ id: 's3', timestamp: '2026-04-12T08:00:00Z', phase: 'work', title: 's3!' }],
      total: 3,
    });
  });

  test('lists the newest twenty of a long log, or all on request', () => {
    const long = log(...Array.from({ length: 30 }, (_, n) => `s${n}`));
    expect(ids({}, long)).toHaveLength(20);
    expect(ids({}, long)[0]).toBe('s29');
    expect(ids({ all: true }, long)).toHaveLength(30);
    expect(refused('session/list', { all: true, limit: 3 }, long).code).toBe('state/badArguments');
  });

  test('shows one record whole', () => {
    expect(applyVerb('session/show', { id: 's2' }, log('s1', 's2')).result).toMatchObject({
      id: 's2',
      body: '### s2!\n\nMore.\n',
    });
    expect(refused('session/show', { id: 'none' }, log('s1')).code).toBe('state/unknownRecord');
    const record = (id: string, body: string) => ({ id, timestamp: '2026-01-01T00:00:00Z', phase: 'work', body });
    const divided = { ...log('s2', 's3'), olderSessions: [record('s1', 'One.'), record('s2', 'Twice.')] };
    expect(applyVerb('session/show', { id: 's1' }, divided).result).toMatchObject({ body: 'One.' });
    expect(applyVerb('session/list', { all: true }, divided).result).toMatchObject({
      total: 3,
      sessions: [{ id: 's3' }, { id: 's2' }, { id: 's1' }],
    });
    expect(refused('session/list', {}, makeContext()).diagnostic.help).toContain('append');
  });

  const record = { id: 's4', timestamp: '2026-04-13T08:00:00Z', body: 'By hand.' };

  test('appends a record at the end and keeps everything before it', () => {
    const context = log('s2', 's1');
    const text = applyVerb('session/append', record, context).edits.get('session-log.yaml') ?? '';
    const before = context.texts.get('session-log.yaml') ?? '';
    const added = '- id: s4\n  timestamp: 2026-04-13T08:00:00Z\n  phase: work\n  body: |\n    By hand.\n';
    expect(text.replace(/body: (?:\|\n {4})?By hand\.\n/, 'body: |\n    By hand.\n')).toBe(
      before.replace('mine: 1', `${added}mine: 1`),
    );
  });

  test('is created by the first append, with the given phase', () => {
    const args = { ...record, phase: 'analyse-work' };
    expect(after('session-log.yaml', 'session/append', args)).toEqual({
      sessions: [{ ...record, phase: 'analyse-work', body: 'By hand.\n' }],
    });
  });

  test('ignores an append with an id it already has', () => {
    const effect = applyVerb('session/append', { ...record, id: 's1' }, log('s1', 's2'));
    expect(effect.edits.size).toBe(0);
    expect(effect.result).toEqual({ id: 's1', appended: false });
    expect(effect.summary).toContain('already');
  });
});
