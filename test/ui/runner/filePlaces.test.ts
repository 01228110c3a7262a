import { expect, test } from 'vitest';
import type { FilePlace } from '../../../src/model/webview.ts';
import { resolvePlace } from '../../../src/ui/runner/filePlaces.ts';

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
])('in the %s, %s', (root, path, expected) => expect(resolvePlace({ root, path }, roots)).toBe(expected));
