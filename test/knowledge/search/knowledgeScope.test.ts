import { expect, test } from 'vitest';
import { inKnowledgeScopes } from '../../../src/knowledge/search/knowledgeScope.ts';

const note = (project: string, path: string) => `knowledge\t${project}\t${JSON.stringify(path)}\n${path}`;

test.each<[string, string, string, boolean]>([
  ['', 'languages/rust', note('', 'languages/rust/a.md'), true],
  ['', 'languages/rust', note('', 'languages/rust/deep/a.md'), true],
  ['', 'languages/rust', note('', 'languages/rust.md'), true],
  ['', 'languages/rust', note('', 'languages/rustic/a.md'), false],
  ['', 'languages/rust', note('greeter', 'languages/rust/a.md'), false],
  ['', 'tools/cargo/**', note('', 'tools/cargo/a.md'), true],
  ['', 'languages/*/async', note('', 'languages/rust/async/a.md'), true],
  ['', 'languages/*/async', note('', 'languages/rust/sync/a.md'), false],
  ['', '**', note('', 'a.md'), true],
  ['greeter', 'rust', note('greeter', 'rust/a.md'), true],
  ['greeter', 'rust', note('other', 'rust/a.md'), false],
  ['*', 'rust', note('other', 'rust/a.md'), true],
  ['*', 'rust', note('', 'rust/a.md'), false],
  ['', 'languages', 'memory\tgreeter/project-root\t"memory.yaml"\nlanguages', false],
])('in “%s” the scope %s has %s: %s', (project, glob, id, expected) => {
  expect(inKnowledgeScopes([{ project, glob }])(id)).toBe(expected);
});
