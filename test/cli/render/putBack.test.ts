import { expect, test } from 'vitest';
import { formatPutBack } from '../../../src/cli/render/putBack.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';

const answer = {
  ...{ plan: toQualifiedId('shop/project-root'), session: '01M0A9XQYJ6N8K3T5V7W9Y1Z2A' as Ulid },
  ...{ already: [], refused: [], more: 0 },
} as const;

test.each([
  ['a b.txt', "'a b.txt'"],
  ['-rf', './-rf'],
  ['--all', './--all'],
  ['-a b', "'./-a b'"],
])('the way back of %j is an argument that is taken for the file', (path, named) => {
  expect(formatPutBack({ ...answer, done: [path] }, 'before', plainStyle).at(-1)).toBe(
    `To undo this: \`ravel changes shop/project-root --undo-put-back ${named}\`.`,
  );
});

test('files beyond those that are recorded are told', () => {
  expect(formatPutBack({ ...answer, done: [], more: 7 }, 'before', plainStyle)).toContain(
    '✗ 7 more files that the session changed stay as they are, since only the first 10,000 are recorded. Put them back with git.',
  );
});
