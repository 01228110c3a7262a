import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { adoptProject } from '../../src/vault/adoption.ts';
import { initVault } from '../../src/vault/bootstrap.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { createPlan } from '../../src/vault/planCreation.ts';
import { ManualClock } from './manualClock.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

/** A temporary folder with a new vault in `vault/` and, when asked for, adopted projects beside it. */
export interface VaultFolder {
  readonly folder: string;
  readonly layout: VaultLayout;
  /** Writes a file below the folder, with the folders above it. */
  write(path: string, text: string | Uint8Array): string;
  read(path: string): string;
}

export async function makeVaultFolder(projects: readonly string[] = [], children: readonly string[] = []) {
  const folder = await makeTemporaryDirectory();
  const layout = new VaultLayout(join(folder, 'vault'));
  const about = { name: 'test', version: '0.0.0', makeRepository: () => Promise.resolve() };
  await initVault({ disk: nodeDisk, clock: new ManualClock(), root: layout.root, ...about });
  const vault: VaultFolder = {
    folder,
    layout,
    write(path, text) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  };
  for (const name of projects) {
    mkdirSync(join(folder, name));
    await adoptProject({ disk: nodeDisk, layout, project: join(folder, name), description: `What ${name} is for` });
  }
  for (const id of children) {
    await createPlan({ disk: nodeDisk, layout, id: toQualifiedId(id), description: `What ${id} is for` });
  }
  return vault;
}
