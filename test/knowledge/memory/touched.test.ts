import { expect, test } from 'vitest';
import { touchedBy } from '../../../src/knowledge/memory/touched.ts';

const project = '/base/greeter';

test.each<[string, string, Record<string, unknown>, string[], string]>([
  ['a file that is read', 'Read', { file_path: `${project}/src/greet.mjs` }, ['src/greet.mjs'], ''],
  ['a relative path', 'Read', { file_path: './src/../greet.mjs' }, ['greet.mjs'], ''],
  [
    'the changed lines of an edit',
    'Edit',
    { file_path: 'a.mjs', old_string: 'one\ntwo', new_string: 'one\nthree' },
    ['a.mjs'],
    'two\nthree',
  ],
  ['what is written', 'Write', { file_path: 'a.mjs', content: 'text' }, ['a.mjs'], 'text'],
  ['a cell of a notebook', 'NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x' }, ['a.ipynb'], 'x'],
  ['what is searched', 'Grep', { path: 'src/greet.mjs', pattern: 'trimName' }, ['src/greet.mjs'], 'trimName'],
  [
    'the files of a command',
    'Bash',
    { command: 'node --test test/greet.test.mjs && cat notes.md' },
    ['test/greet.test.mjs', 'notes.md'],
    'node --test test/greet.test.mjs && cat notes.md',
  ],
  ['no address', 'Bash', { command: 'curl https://example.org/a.md' }, [], 'curl https://example.org/a.md'],
  ['nothing outside of the project', 'Read', { file_path: '/etc/hosts.md' }, [], ''],
  ['nothing beside the project that begins like it', 'Read', { file_path: `${project}-two/a.md` }, [], ''],
  ['nothing of the plans', 'Read', { file_path: `${project}/ravel/project-root/memory.yaml` }, [], ''],
  ['nothing of git', 'Read', { file_path: '.git/config' }, [], ''],
  ['not the project itself', 'Grep', { path: project, pattern: 'x' }, [], 'x'],
  ['no path with a NUL', 'Read', { file_path: 'a\0.md' }, [], ''],
  ['nothing by a tool that is not known', 'WebFetch', { file_path: 'a.md' }, [], ''],
  ['nothing by an input that does not fit', 'Edit', { file_path: 7, old_string: null }, [], ''],
])('a tool call touches %s', (_what, tool, input, paths, code) => {
  expect(touchedBy({ tool, input }, project)).toEqual({ paths, code });
});

test('a command runs from where its program is', () => {
  const use = { tool: 'Bash', input: { command: 'cat greet.mjs ../top.md' } };
  expect(touchedBy(use, project, `${project}/src`).paths).toEqual(['src/greet.mjs', 'top.md']);
});

test('of a text of any size only the beginning is looked into', () => {
  const { code } = touchedBy({ tool: 'Write', input: { file_path: 'a', content: 'x'.repeat(1_000_000) } }, project);
  expect(code.length).toBeLessThan(40_000);
});
