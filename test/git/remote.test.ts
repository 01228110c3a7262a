import { describe, expect, test } from 'vitest';
import { readRemote, shareableUrl } from '../../src/git/remote.ts';
import { makeGitProject } from '../support/gitProject.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

describe('shareableUrl', () => {
  test.each<[string, string | undefined]>([
    ['https://example.org/a/b.git', 'https://example.org/a/b.git'],
    ['https://ada:secret@example.org/a.git', 'https://example.org/a.git'],
    ['https://token@example.org/a@b.git', 'https://example.org/a@b.git'],
    [`https://ada:${'p@ss'}@example.org:8443/a.git`, 'https://example.org:8443/a.git'],
    ['https://example.org/a.git?key=secret#part', 'https://example.org/a.git'],
    ['HTTPS://ada@example.org', 'HTTPS://example.org'],
    ['ssh://git@example.org:2222/a.git', 'ssh://git@example.org:2222/a.git'],
    ['ssh://git:secret@example.org/a.git', 'ssh://git@example.org/a.git'],
    ['git+ssh://git@example.org/a.git', 'git+ssh://git@example.org/a.git'],
    ['git@example.org:a/b.git', 'git@example.org:a/b.git'],
    ['example.org:a.git', 'example.org:a.git'],
    ['file:///srv/a.git', undefined],
    ['/srv/a.git', undefined],
    ['../a.git', undefined],
    ['./a:b', undefined],
    ['C:\\a', undefined],
    ['C:/a', undefined],
  ])('of %s is %s', (url, expected) => expect(shareableUrl(url)).toBe(expected));
});

describe('readRemote', () => {
  test('returns the URL of origin without its password, also from a subfolder', async () => {
    const project = await makeGitProject({ files: { 'below/a': '1' } });
    expect(await readRemote(project.git, project.directory)).toBeUndefined();
    await project.person('remote', 'add', 'upstream', 'https://example.org/other.git');
    expect(await readRemote(project.git, project.directory)).toBeUndefined();
    await project.person('remote', 'add', 'origin', 'https://ada:secret@example.org/a.git');
    expect(await readRemote(project.git, `${project.directory}/below`)).toBe('https://example.org/a.git');
  });

  test('returns nothing outside a repository', async () => {
    const { git } = await makeGitProject();
    expect(await readRemote(git, await makeTemporaryDirectory())).toBeUndefined();
  });
});
