import { expect, test } from 'vitest';
import { changedEntries, readStoredEntry } from '../../src/git/changedEntries.ts';
import { locateRepository } from '../../src/git/repository.ts';
import { makeGitProject } from '../support/gitProject.ts';

test('what is stored has the line ends of its path, also in a folder of a larger repository', async () => {
  const files = { '.gitattributes': '*.txt eol=crlf\n', 'a.txt': 'one\r\n', 'a.md': 'one\n' };
  const project = await makeGitProject({ files, below: 'apps/one' });
  const { directory, git } = project;
  await project.write('a.txt', 'two\r\n');
  await project.write('a.md', 'two\n');
  const { prefix, head = '' } = {
    ...(await locateRepository(git, directory)),
    head: await project.person('rev-parse', 'HEAD'),
  };
  const entries = await changedEntries(git, { directory, baseline: head.trim(), exclude: [] });
  const texts = entries.map(async ({ path, before }) => {
    const entry = before && (await readStoredEntry(git, { directory, prefix }, path, before));
    return [path, entry?.kind === 'file' ? entry.content.toString() : undefined];
  });
  expect(await Promise.all(texts)).toEqual([
    ['a.md', 'one\n'],
    ['a.txt', 'one\r\n'],
  ]);
});
