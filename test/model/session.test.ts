import { describe, expect, test } from 'vitest';
import {
  claimSchema,
  commitSpecSchema,
  evidenceSchema,
  sessionLogSchema,
  sessionRecordSchema,
} from '../../src/model/session.ts';

describe('evidence holds exactly one kind of proof:', () => {
  test.each<[unknown, boolean]>([
    [{ path: 'src/a.ts' }, true],
    [{ path: 'src/a.ts', hunk: '+ a' }, true],
    [{ test: 'npm test' }, true],
    [{ commit: 'abc' }, true],
    [{ file: 'README.md' }, true],
    [{ path: 'src/a.ts', test: 'npm test' }, false],
    [{ hunk: '+ a' }, false],
    [{ said: 'so' }, false],
    [{}, false],
  ])('%j is valid: %s', (value, expected) => expect(evidenceSchema.safeParse(value).success).toBe(expected));
});

describe('a session record', () => {
  const record = { id: 'r', timestamp: '2026-01-02T03:04:05Z', phase: 'work', body: 'b' };

  test.each<[string, unknown, boolean]>([
    ['with an unknown phase word is accepted', { ...record, phase: 'session' }, true],
    ['with empty claims is accepted', { ...record, claims: null }, true],
    ['with unknown keys is accepted', { ...record, mood: 'good' }, true],
    ['with a Date as timestamp is refused', { ...record, timestamp: new Date(0) }, false],
    ['with an empty id is refused', { ...record, id: '' }, false],
  ])('%s', (_name, value, expected) => expect(sessionRecordSchema.safeParse(value).success).toBe(expected));

  test('keeps unknown keys, as does the log', () => {
    const log = { sessions: [{ ...record, mood: 'good' }], note: 'n' };
    expect(sessionLogSchema.parse(log)).toEqual(log);
  });

  test('accepts a known verdict and refuses any other', () => {
    expect(claimSchema.safeParse({ id: 'c1', text: 't', verdict: 'true' }).success).toBe(false);
    expect(claimSchema.safeParse({ id: 'c1', text: 't', verdict: 'evidenced' }).success).toBe(true);
  });

  test.each<[unknown, boolean]>([
    [{ commits: [{ paths: ['.'], message: 'Do it' }] }, true],
    [{ commits: null }, true],
    [{ commits: [{ paths: [], message: 'Do it' }] }, false],
    [{ commits: [{ paths: ['.'], message: '' }] }, false],
  ])('the commit spec %j is valid: %s', (value, expected) =>
    expect(commitSpecSchema.safeParse(value).success).toBe(expected),
  );
});
