import { expect, test } from 'vitest';
import { expertSchema } from '../../../src/model/expert.ts';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import { expertEntries, expertNodes } from '../../../src/ui/trees/expertRows.ts';
import type { VaultExperts } from '../../../src/ui/vaultModel.ts';

const actor = 'expert:rust' as QualifiedId;
const declaration = expertSchema.parse({
  'actor-type': 'expert',
  'expert-id': 'rust',
  description: 'Knows Rust',
  persona: 'You know Rust.',
  'knowledge-scope': ['rust'],
  tags: ['rust'],
});
const rows: VaultExperts['rows'] = [{ actor, file: '/vault/experts/rust.md', declaration }];
const problem = {
  code: 'expert/unknownScope',
  severity: 'warning',
  message: 'No such folder.',
  subject: actor,
} as const;

test('an expert row shows its description and opens its page, a declaration that cannot be read its file', () => {
  const [entry] = expertEntries({ rows, actors: new Map(), faults: [] });
  expect(entry).toMatchObject({
    file: '/vault/experts/rust.md',
    row: { label: 'rust', description: 'Knows Rust', contextValue: 'expert' },
  });
  const fault = { ...problem, subject: 'expert:c', severity: 'error', file: '/vault/experts/c.md' } as const;
  const clicks = expertNodes({ rows, actors: new Map(), faults: [fault] }, []).map(({ row }) => row.command);
  expect(clicks).toMatchObject([
    { command: 'ravel.openEntry', arguments: ['/vault/experts/c.md'] },
    { command: 'ravel.openExpert', arguments: [actor] },
  ]);
});

test('its open questions stand before its answers', () => {
  const about = { from: 'person', at: '2026-01-02T03:04:05Z', question: 'When?' } as const;
  const query = '01JD0000000000000000000001' as Ulid;
  const questions = [
    { ...about, query, to: actor },
    { ...about, query, to: 'expert:other' as QualifiedId },
  ];
  const [node] = expertNodes({ rows, actors: new Map(), faults: [] }, [], questions);
  expect(node?.below?.map(({ row }) => [row.id, row.description])).toEqual([
    [`question:${query}`, 'a session is asked'],
  ]);
});

test('an expert that takes no messages says so in words', () => {
  const actors = new Map([[actor, { actor, state: 'faulted', queued: 3, deadLetters: 1 } as const]]);
  const [entry] = expertEntries({ rows, actors, faults: [problem] });
  expect(entry?.row).toMatchObject({
    description: 'takes no messages · 1 problem · 3 waiting · 1 dead letter · Knows Rust',
    contextValue: 'expert.mute',
  });
  expect(entry?.tooltip).toContain('No such folder');
});

test('an unreadable declaration has its own row', () => {
  const fault = { ...problem, subject: 'expert:c', severity: 'error', file: '/vault/experts/c.md' } as const;
  const [first, second] = expertEntries({ rows, actors: new Map(), faults: [fault] });
  expect(first).toMatchObject({ file: '/vault/experts/c.md', row: { label: 'expert:c', contextValue: 'fault' } });
  expect(second?.row.label).toBe('rust');
});

test('below an expert stand its latest answers, each with what became of the question', () => {
  const receipt = {
    ...{ id: '01JD0000000000000000000001' as Ulid, at: '2026-01-02T03:04:05Z', expert: actor, from: 'person' as const },
    ...{ question: 'When is a future pinned?', state: 'answered' as const, isSupported: true, cites: ['x'] },
  } as const;
  const receipts = [
    receipt,
    { ...receipt, isSupported: false },
    { ...receipt, state: 'unknown' as const },
    { ...receipt, expert: 'expert:other' as QualifiedId },
  ];
  const [node] = expertNodes({ rows, actors: new Map(), faults: [] }, receipts);
  expect(node?.below?.map(({ row }) => row.description)).toEqual([
    ...['answered from 1 entry', 'answered without checked sources', 'not known'],
  ]);
  expect(node?.below?.[0]?.row.command?.arguments).toEqual([receipt.id]);
  const many = expertNodes({ rows, actors: new Map(), faults: [] }, Array(30).fill(receipt));
  expect(many[0]?.below?.at(-1)?.row.label).toBe('All answers…');
});
