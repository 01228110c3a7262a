import { describe, expect, test } from 'vitest';
import {
  claimSchema,
  commitSpecSchema,
  evidenceSchema,
  sessionLogSchema,
  sessionRecordSchema,
} from '../../src/model/session.ts';

describe('evidence is one thing', () => {
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
  ])('%j: %s', (value, expected) => expect(evidenceSchema.safeParse(value).success).toBe(expected));
});

describe('records', () => {
  const record = { id: 'r', timestamp: '2026-01-02T03:04:05Z', phase: 'work', body: 'b' };

  test.each<[string, unknown, boolean]>([
    ['a phase word of another age', { ...record, phase: 'session' }, true],
    ['claims left empty', { ...record, claims: null }, true],
    ['unknown keys', { ...record, mood: 'good' }, true],
    ['a timestamp that became a date', { ...record, timestamp: new Date(0) }, false],
    ['no id', { ...record, id: '' }, false],
  ])('%s', (_name, value, expected) => expect(sessionRecordSchema.safeParse(value).success).toBe(expected));

  test('unknown keys are kept', () => {
    const log = { sessions: [{ ...record, mood: 'good' }], note: 'n' };
    expect(sessionLogSchema.parse(log)).toEqual(log);
  });

  test('a verdict is one of three', () => {
    expect(claimSchema.safeParse({ id: 'c1', text: 't', verdict: 'true' }).success).toBe(false);
    expect(claimSchema.safeParse({ id: 'c1', text: 't', verdict: 'evidenced' }).success).toBe(true);
  });

  test.each<[unknown, boolean]>([
    [{ commits: [{ paths: ['.'], message: 'Do it' }] }, true],
    [{ commits: null }, true],
    [{ commits: [{ paths: [], message: 'Do it' }] }, false],
    [{ commits: [{ paths: ['.'], message: '' }] }, false],
  ])('commits %j: %s', (value, expected) => expect(commitSpecSchema.safeParse(value).success).toBe(expected));
});
