import { expect, test } from 'vitest';
import { provenEntries } from '../../../src/experts/ingestion/extract.ts';
import type { Ulid } from '../../../src/model/id.ts';
import type { MemoryEntry } from '../../../src/model/memory.ts';
import type { SessionRecord } from '../../../src/model/session.ts';

const before = '01AAAAAAAAAAAAAAAAAAAAAAAA' as Ulid;
const analysis = '01BBBBBBBBBBBBBBBBBBBBBBBB';
const after = '01CCCCCCCCCCCCCCCCCCCCCCCC' as Ulid;

const record: SessionRecord = {
  ...{ id: 'r', timestamp: 't', phase: 'work', body: 'b', session: analysis },
  claims: [
    { id: 'c1', text: 'It holds', verdict: 'evidenced' },
    { id: 'c2', text: 'It may hold', verdict: 'unsupported' },
    { id: 'c3', text: 'It was not looked at' },
  ],
};

const usual: MemoryEntry = { id: 'e', title: 'T', body: 'B', claims: ['c1'], 'source-session': after };

test.each<[string, Partial<MemoryEntry>, number]>([
  ['rests on a claim with evidence is taken', {}, 1],
  ['rests on a claim without evidence is left', { claims: ['c2'] }, 0],
  ['rests on a claim that nothing judged is left', { claims: ['c3'] }, 0],
  ['rests on one with and one without is left', { claims: ['c1', 'c2'] }, 0],
  ['rests on a claim that is not there is left', { claims: ['c9'] }, 0],
  ['rests on nothing is left', { claims: [] }, 0],
  ['was put there by an earlier session is left', { 'source-session': before }, 0],
  ['was put there by nobody is left', { 'source-session': null }, 0],
  ['says nothing is left', { body: ' \n' }, 0],
])('an entry that %s', (_name, changes, count) => {
  expect(provenEntries({ entries: [{ ...usual, ...changes }] }, record)).toHaveLength(count);
});

test('a record without its session, and a memory without entries, prove nothing', () => {
  const { session: _session, ...without } = record;
  expect(provenEntries({ entries: [usual] }, without)).toEqual([]);
  expect(provenEntries({}, record)).toEqual([]);
});

test.each<[string, Ulid | undefined, readonly string[]]>([
  ['the work that was analysed, its analysis and its reflection', before, [before, analysis, after]],
  ['no work that began later', after, [analysis, after]],
  ['what is known of them', undefined, [analysis, after]],
])('an entry names as its sessions %s', (_what, work, expected) => {
  expect(provenEntries({ entries: [usual] }, record, work)).toMatchObject([{ sessions: expected }]);
});
