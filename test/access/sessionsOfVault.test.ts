import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSessionOf } from '../../src/access/sessionsOfVault.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Ulid } from '../../src/model/id.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const own = '01HZY0000000000000000000S1';
const other = '01HZY0000000000000000000S2';

test('sessions of a vault are its own, and those of a rehearsal of it under any name of its folder', async () => {
  const root = await makeTemporaryDirectory();
  const vault = join(root, 'vault');
  await mkdir(new VaultLayout(vault).session(own as Ulid), { recursive: true });
  await symlink(vault, join(root, 'link'));
  const isOf = (session: string, rehearsed?: string) => isSessionOf(nodeDisk, vault, session, rehearsed);
  expect(await Promise.all([isOf(own), isOf(other), isOf('nothing'), isOf('nothing', vault)])).toEqual([
    ...[true, false],
    ...[false, false],
  ]);
  expect(await isOf(other, join(root, 'link'))).toBe(true);
  expect(await isOf(other, join(root, 'elsewhere'))).toBe(false);
});
