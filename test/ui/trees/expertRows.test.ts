import { expect, test } from 'vitest';
import { expertSchema } from '../../../src/model/expert.ts';
import type { QualifiedId } from '../../../src/model/id.ts';
import { expertEntries } from '../../../src/ui/trees/expertRows.ts';
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

test('an expert row shows its description and opens its file', () => {
  const [entry] = expertEntries({ rows, actors: new Map(), faults: [] });
  expect(entry).toMatchObject({
    file: '/vault/experts/rust.md',
    row: { label: 'rust', description: 'Knows Rust', contextValue: 'expert' },
  });
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
