import { expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import { after, makeContext, refused } from './context.ts';

const session = '01JD0000000000000000000009' as Ulid;

test('set-latest takes id, time and claim ids from code, and no verdict', () => {
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

test('set-latest replaces the record that was there; show-latest reads it', () => {
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
