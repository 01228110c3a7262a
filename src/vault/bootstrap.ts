import { dirname } from 'node:path';
import { type Clock, formatTimestamp } from '../base/clock.ts';
import type { Disk, EntryKind } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { ensureDirectory, exists, removeTree } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { knowledgeAxes, uncategorizedFolder } from '../model/entry.ts';
import { emptyCatalog } from './catalog.ts';
import { formatIdentity } from './identity.ts';
import { VaultLayout } from './layout.ts';
import { obsidianFiles } from './obsidianTemplate.ts';
import { findForeign, type Scaffold, writeScaffold } from './scaffold.ts';
import { searchFileText } from './searchFile.ts';
import { formatDefaultSettings } from './settings.ts';

export interface NewVault {
  readonly disk: Disk;
  readonly clock: Clock;
  /** Absolute. */
  readonly root: string;
  readonly name: string;
  /** Version of the program. */
  readonly version: string;
  /** Makes the repository in the folder, after all checks and before all files: no vault is ever without one. */
  readonly makeRepository: (root: string) => Promise<void>;
}

/**
 * Makes a vault in a folder that does not exist or is empty but for `.git`; its parent must exist. `ravel.toml` comes
 * last, so after a crash the same call completes what it began. Returns the paths for the first commit, relative and
 * with `/`. Throws `vault/exists`, or `vault/none` if there is no parent.
 */
export async function initVault(vault: NewVault): Promise<readonly string[]> {
  const { disk, clock, root, name, version } = vault;
  const layout = new VaultLayout(root);
  if ((await kindOf(disk, dirname(root))) !== 'directory') {
    const help = 'Make that folder first, or choose another place.';
    throw failure('vault/none', root, `There is no folder ${dirname(root)} to make the vault in.`, { help });
  }
  const identity = formatIdentity({ name, created: formatTimestamp(clock.wallMs()), version });
  const scaffold: Scaffold = new Map([...vaultFiles(), ['ravel.toml', identity]]);
  await refuseTaken(disk, layout, scaffold);
  await makeRepository(vault);
  await ensureDirectory(disk, layout.projects);
  await ensureDirectory(disk, layout.runtime, 0o700);
  await disk.changeMode(layout.runtime, 0o700);
  await writeScaffold(disk, root, scaffold);
  return trackedVaultPaths();
}

/** Makes the folder before git runs, whose message about missing rights differs from ours; removes it if git fails. */
async function makeRepository({ disk, root, makeRepository: make }: NewVault): Promise<void> {
  const wasThere = (await kindOf(disk, root)) !== undefined;
  await ensureDirectory(disk, root);
  try {
    await make(root);
  } catch (error) {
    if (!wasThere) await removeTree(disk, root);
    throw error;
  }
}

/** The files of a new vault that its repository tracks. */
export function trackedVaultPaths(): readonly string[] {
  return [...vaultFiles().keys(), 'ravel.toml'].filter((path) => path !== 'plan-catalog.md');
}

async function refuseTaken(disk: Disk, layout: VaultLayout, scaffold: Scaffold): Promise<void> {
  const { root } = layout;
  const kind = await kindOf(disk, root);
  if (kind === undefined) return;
  if (kind !== 'directory') throw failure('vault/exists', root, `${root} exists already and is not a folder.`);
  if (await exists(disk, layout.identity)) throw failure('vault/exists', root, `${root} is a vault already.`);
  const foreign = await findForeign(disk, root, scaffold, {
    ignored: ['.git'],
    emptyFolders: ['projects', 'runtime'],
  });
  if (foreign !== undefined) {
    throw failure('vault/exists', root, `${root} is not empty: there is "${foreign}" in it.`);
  }
}

async function kindOf(disk: Disk, path: string): Promise<EntryKind | undefined> {
  return (await ifThere(path, () => disk.stat(path)))?.kind;
}

/** Everything but the identity. Git keeps no empty folder, hence the `.gitkeep`s. */
function vaultFiles(): Map<string, string> {
  const folders = [
    'experts',
    ...[...knowledgeAxes, uncategorizedFolder].map((name) => `knowledge/${name}`),
    'archive',
    'decisions',
  ];
  return new Map([
    ['.gitignore', ignored],
    ['.ignore', searchFileText],
    ['daemon.toml', formatDefaultSettings()],
    ['projects.yaml', projectsHeader],
    ['routing.yaml', routingHeader],
    ['plan-catalog.md', emptyCatalog],
    ...folders.map((folder) => [`${folder}/.gitkeep`, ''] as const),
    ...obsidianFiles(),
  ]);
}

const ignored = `# This machine's own
/runtime/
/projects/
/projects.local.yaml
# Generated
/plan-catalog.md
.*.tmp
# What Obsidian rewrites whenever it is used
/.obsidian/workspace*.json
/.obsidian/cache
/.trash/
`;

const projectsHeader = `# The projects of this vault by name, each with its git remote if it has one.
# projects.local.yaml says where they are on this machine.
projects: []
`;

const routingHeader = `# Rules that say which plan or expert a message goes to. All of them are checked; those that match must agree.
rules: []
`;
