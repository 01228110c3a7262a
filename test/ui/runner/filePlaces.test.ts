import { expect, test } from 'vitest';
import type { FilePlace } from '../../../src/model/webview.ts';
import { resolvePlace, staysInside } from '../../../src/ui/runner/filePlaces.ts';

const roots = { plan: '/vault/projects/Demo/project-root', vault: '/vault', project: '/code/demo' };

test.each<[FilePlace['root'], string, string | undefined]>([
  ['project', 'src/a.ts', '/code/demo/src/a.ts'],
  ['plan', 'backlog.yaml', '/vault/projects/Demo/project-root/backlog.yaml'],
  ['vault', 'ravel.toml', '/vault/ravel.toml'],
  ['project', '/code/demo/src/a.ts', '/code/demo/src/a.ts'],
  ['project', '/vault/daemon.toml', '/vault/daemon.toml'],
  ['project', 'src/../../demo/a.ts', '/code/demo/a.ts'],
  ['project', '../other/a.ts', undefined],
  ['project', '../../vault/ravel.toml', undefined],
  ['project', '/code/demonstration/a.ts', undefined],
  ['project', '/etc/passwd', undefined],
  ['plan', '..', undefined],
  ['project', '.', undefined],
  ['project', 'a\0b', undefined],
])('resolvePlace in the %s of %j is %s', (root, path, expected) =>
  expect(resolvePlace({ root, path }, roots)).toBe(expected),
);

const links: Readonly<Record<string, string>> = {
  '/vault': '/data/vault',
  '/vault/projects/Demo/a.md': '/code/demo/ravel/a.md',
  '/vault/passwords.md': '/etc/passwd',
  '/code/demo': '/code/demo',
  '/code/demo/near.md': '/code/demo/src/a.md',
  '/code/demo/far.md': '/code/demonstration/a.md',
};

/** Resolves only these links. */
async function realPath(path: string): Promise<string> {
  const real = links[path];
  if (real === undefined) throw new Error(`${path} is not there.`);
  return real;
}

test.each<[string, boolean]>([
  ['/vault/projects/Demo/a.md', true],
  ['/code/demo/near.md', true],
  ['/code/demo/far.md', false],
  ['/vault/passwords.md', false],
  ['/code/demo/new.md', true],
])('staysInside(%j), with links followed, is %s', async (path, expected) =>
  expect(await staysInside(path, ['/gone', '/vault', '/code/demo'], realPath)).toBe(expected),
);
