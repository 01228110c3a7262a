import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { gatherLayoutFacts } from '../../../src/harness/confinement/layoutFacts.ts';
import { makeSandboxWorld } from '../../support/sandboxWorld.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

test('a sandbox is laid out without a wait for a pipe in the place of .gitmodules', async () => {
  const root = await makeTemporaryDirectory();
  const { place, project } = makeSandboxWorld(root, {});
  execFileSync('mkfifo', [join(project, '.gitmodules')]);
  const own = { temporary: join(root, 'own'), privateHome: join(root, 'own', 'home') };
  await expect(gatherLayoutFacts({ disk: nodeDisk, environment: {} }, place, own)).resolves.toMatchObject(own);
});
