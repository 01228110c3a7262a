import { expect, test } from 'vitest';
import type { EntryRow } from '../../../src/model/requests/knowledge.ts';
import { nearestPath, nearestSides } from '../../../src/ui/inbox/nearestText.ts';
import { id } from '../../support/fakeModel.ts';

const path = 'knowledge/tools/retries.md';
const details = {
  ...{ title: 'Retries need a limit', body: 'Five at most.\u0007\n', plan: 'shop/project-root' },
  near: [{ path, title: 'Retries', score: 0.8 }],
};
const row: EntryRow = {
  ...{ entry: path, title: 'Retries\u202e', kind: 'heuristic', status: 'staged', confidence: 'low', tags: [] },
  ...{ axis: 'tools', project: '', version: 1, file: `/vault/${path}`, bytes: 10 },
};
const question = { details, plan: id('shop'), subject: 'Experts disagree: Retries need a limit' };

test('a learned statement stands beside its nearest entry, and both sides say what they are', () => {
  expect(nearestSides(question, path, { row, body: '\nRetry forever.\n\n## Superseded\n\n> Never retry.\n' })).toEqual({
    left: `# In the vault already\n\nRetries\n${path}, staged, low confidence\n\nRetry forever.\n`,
    right:
      '# Learned, and not in the vault yet\n\nRetries need a limit\nlearned by shop/project-root\n\nFive at most.\ufffd\n',
    title: 'Nearest Entry ↔ Learned: shop/project-root',
  });
});

test('an entry that is gone by now is said to be', () => {
  expect(nearestSides(question, path, undefined).left).toBe(
    `# In the vault already\n\nGone\n${path}\n\nThe entry was moved or removed since the question was asked.\n`,
  );
});

test.each([
  ['the first of those that are near', 'learned-statement', details, path],
  ['none if none is near', 'learned-statement', { ...details, near: [] }, undefined],
  ['none in details that say nothing', 'learned-statement', undefined, undefined],
  ['none for another question', 'entry-deletion', details, undefined],
] as const)('the nearest entry is %s', (_name, kind, given, expected) =>
  expect(nearestPath({ kind, details: given })).toBe(expected),
);
