import { join, relative } from 'node:path';
import { copyChangingTree } from '../../base/copyChangingTree.ts';
import { ensureDirectory, removeTree, sha256, writeAtomic } from '../../base/files.ts';
import { isWithin } from '../../base/paths.ts';
import { shellQuoted } from '../../base/text.ts';
import type { ConfinedHooks, HooksPlace } from '../../git/confinedHooks.ts';
import { gitText } from '../../git/git.ts';
import { removeTemporary } from '../../harness/confinement/removeTemporary.ts';
import { failure } from '../../model/codes.ts';
import { describeConfinement, type Unconfined } from '../../model/confinement.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { walkVault } from '../../vault/walk.ts';
import type { PlanServices } from '../services.ts';
import {
  confinementRefusal,
  findHiddenFiles,
  readableBySettings,
  secretsUnknown,
  trackedAmong,
} from '../sessions/confineSession.ts';
import { makeStandIns } from './standIns.ts';

type HookPorts = Pick<PlanServices, 'disk' | 'layout' | 'settings' | 'git' | 'confiner' | 'environment' | 'socketPath'>;

/**
 * A sandbox for the hooks of one commit. They may change their repository, since tools such as pre-commit put the whole
 * tree away and back, but neither settings nor hooks, themselves included; of the plans they have a copy, which is dropped.
 * Undefined if hooks are to run as they do for a person: no sandbox is wanted or to be had, the repository is the
 * vault's own, or it holds the vault, so that nothing of it could be hidden. Throws `sandbox/unavailable` if one is
 * required and there is none, or files of the repository keep it from being built.
 */
export async function confineHooks(services: HookPorts, place: HooksPlace): Promise<ConfinedHooks | undefined> {
  const { disk, layout, settings } = services;
  const sandboxMode = settings.sandbox.commands;
  const vault = await disk.realPath(layout.root);
  // Those of the vault's own repository are yours: no session reaches them.
  if (sandboxMode === 'off' || place.root === vault) return undefined;
  if (isWithin(place.root, vault)) {
    if (sandboxMode !== 'required') return undefined;
    const message = `The hooks of ${place.root} need a sandbox, and a repository that holds the vault has none.`;
    throw failure('sandbox/unavailable', place.root, message);
  }
  const directory = join(layout.hooks, sha256(place.root).slice(0, 16));
  const clear = async () => {
    await removeTemporary(disk, directory);
    await removeTree(disk, directory);
  };
  // Left by a crash.
  await clear();
  await ensureDirectory(disk, directory, 0o700);
  const removeStandIns = await makeStandIns(disk, place);
  const end = async () => {
    await removeStandIns();
    await clear();
  };
  try {
    const shell =
      (await workTreeProblem(services, place)) ?? (await buildSandbox(services, place, { directory, vault }));
    if (shell.state === 'confined') {
      const { shell: program, plans } = shell;
      return { folder: await writePrograms(services, place, { directory, shell: program, plans }), end };
    }
    if (shell.state === 'refused') {
      throw failure('sandbox/unavailable', place.root, ...confinementRefusal(`The hooks of ${place.root}`, shell));
    }
    if (sandboxMode === 'required') {
      const message = `The hooks of ${place.root} need a sandbox, and would be ${describeConfinement(shell)}`;
      throw failure('sandbox/unavailable', place.root, message);
    }
  } catch (error) {
    await end();
    throw error;
  }
  await end();
  return undefined;
}

/** With a stand-in for `commondir`, git does not read where a work tree is; one that lies elsewhere would be missed. */
async function workTreeProblem(
  { git }: Pick<PlanServices, 'git'>,
  { root }: HooksPlace,
): Promise<Unconfined | undefined> {
  const found = await gitText(git, root, ['rev-parse', '--show-toplevel'], { okCodes: [0, 128] });
  if (found === root) return undefined;
  return { state: 'unconfined', reason: `The setting core.worktree leads to ${root}, and hooks could change that.` };
}

async function buildSandbox(
  services: HookPorts,
  place: HooksPlace,
  { directory, vault }: { readonly directory: string; readonly vault: string },
) {
  const { disk, confiner, settings, socketPath, environment } = services;
  const { root, gitDirectory, commonDirectory, hooks } = place;
  // Git shows its own index to hooks, and they write it: a tracked file that looked empty would be a change.
  const secrets = await findHiddenFiles(services, root);
  if (secrets === undefined) return secretsUnknown(services);
  const tracked = new Set(await trackedAmong(services, root, secrets));
  const programs = await Promise.all(hooks.map(({ path }) => disk.realPath(path)));
  const home = environment['HOME'];
  const copied = await copyPlans(services, root, directory);
  const shell = await confiner.confine(
    {
      ...{ project: root, ravelDirectory: join(root, 'ravel'), vault, socketPath },
      sessionDirectory: directory,
      repository: { root, gitDirectory, commonDirectory },
      copied,
      writesGit: true,
      network: settings.sandbox.network === 'open' ? 'open' : 'closed',
      secretFiles: secrets.filter((path) => !tracked.has(path)),
      trackedSecrets: [],
      fixed: [...place.settings, ...programs],
      variables: [...gitVariables, ...settings.environment.pass],
      readable: [
        ...programs,
        ...(home === undefined ? [] : startFiles.map((file) => join(home, file))),
        ...readableBySettings(services),
      ],
    },
    new AbortController().signal,
  );
  return { ...shell, plans: copied.map(({ path }) => relative(root, path)) };
}

/** Tools that put the tree away and back do so with plans as well, while the owner may change the real ones. */
async function copyPlans({ disk, layout }: VaultPorts, root: string, directory: string) {
  const { plans } = await walkVault(disk, layout);
  const real = await Promise.all(plans.map(({ ravelDirectory }) => disk.realPath(ravelDirectory)));
  const paths = [...new Set(real)].filter((path) => isWithin(root, path));
  const copied = paths.map((path, at) => ({ path, from: join(directory, `plans-${at}`) }));
  for (const { path, from } of copied) await copyChangingTree(disk, path, from);
  return copied;
}

/** What Husky reads before each hook, such as to find Node. */
const startFiles = ['.config/husky', '.huskyrc'];

/** How git tells a hook what it is at, and how Ravel's git is set up. With more settings than these, git in a hook fails. */
const settingsMax = 100;
const gitVariables: readonly string[] = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_EXEC_PATH', 'GIT_REFLOG_ACTION'],
  ...['AUTHOR', 'COMMITTER'].flatMap((who) => ['NAME', 'EMAIL', 'DATE'].map((what) => `GIT_${who}_${what}`)),
  ...['GIT_TERMINAL_PROMPT', 'GIT_OPTIONAL_LOCKS', 'GIT_NO_LAZY_FETCH', 'GIT_ALLOW_PROTOCOL'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_COUNT'],
  ...Array.from({ length: settingsMax }, (_, at) => [`GIT_CONFIG_KEY_${at}`, `GIT_CONFIG_VALUE_${at}`]).flat(),
];

interface Programs {
  readonly directory: string;
  readonly shell: string;
  /** Folders of plans, from the top of the work tree. */
  readonly plans: readonly string[];
}

/** A program for each hook, in a folder that git takes for that of the hooks. */
async function writePrograms(
  { disk }: Pick<PlanServices, 'disk'>,
  { hooks }: HooksPlace,
  { directory, shell, plans }: Programs,
): Promise<string> {
  const folder = join(directory, 'hooks');
  await ensureDirectory(disk, folder, 0o700);
  for (const { name, path } of hooks) {
    // What later hooks stage is in no commit.
    const command = name === 'pre-commit' && plans.length > 0 ? keepingPlans(path, plans) : `exec ${shellQuoted(path)}`;
    await writeAtomic(disk, join(folder, name), formatProgram(command, shell), { permissions: 0o700 });
  }
  return folder;
}

/** Runs a hook, and takes out of the commit what it staged of its copy of the plans. */
function keepingPlans(hook: string, plans: readonly string[]): string {
  const list = (option: string) => `git --literal-pathspecs ls-files ${option} -- ${plans.map(shellQuoted).join(' ')}`;
  return `plans=$(${list('--stage')})
run() {
  ${shellQuoted(hook)} "$@" || return
  [ "$(${list('--stage')})" = "$plans" ] && return
  ${list('-z')} | git update-index -z --force-remove --stdin || return
  [ -z "$plans" ] || printf '%s\n' "$plans" | git update-index --index-info
}
run`;
}

/**
 * Git's index learns first that the copy of the plans is as the plans are. The sandbox takes a command as one text, so that
 * arguments are quoted; without any program of PATH.
 */
function formatProgram(command: string, shell: string): string {
  return `#!/bin/sh
# Runs a hook in a sandbox. Written by Ravel for one commit.
command=${shellQuoted(`git update-index -q --refresh > /dev/null 2>&1; ${command}`)}
for word do
  quoted=
  while :; do
    case $word in
      *\\'*) quoted="$quoted\${word%%\\'*}'\\\\''"; word=\${word#*\\'} ;;
      *) break ;;
    esac
  done
  command="$command '$quoted$word'"
done
exec ${shellQuoted(shell)} "$command"
`;
}
