/**
 * What every git that Ravel starts runs with, whatever the repository says. A session can write the configuration of a
 * repository; git run by the owner must not start a program because of it. What depends on names that a repository
 * chooses (filters, drivers) is in `programSettings.ts`.
 */

interface OwnSetting {
  readonly key: string;
  readonly value: string;
  /** Kept if the repository's hooks run: they are the person's programs and may need what git itself does not. */
  readonly inHooks: boolean;
}

export const ownSettings: readonly OwnSetting[] = [
  // Status, diff and every command that reads the index would start it, or a daemon.
  { key: 'core.fsmonitor', value: 'false', inHooks: true },
  // Also hooks that no commit needs: post-index-change, reference-transaction, post-checkout.
  { key: 'core.hooksPath', value: '/dev/null', inHooks: false },
  // Nothing here has a terminal, so neither should start; a setting that is not read can not be wrong.
  { key: 'core.pager', value: 'cat', inHooks: true },
  { key: 'core.editor', value: 'true', inHooks: true },
  { key: 'sequence.editor', value: 'true', inHooks: true },
  // No command here talks to a remote; see also GIT_ALLOW_PROTOCOL below.
  { key: 'core.sshCommand', value: 'false', inHooks: false },
  { key: 'core.askPass', value: '', inHooks: false },
  { key: 'credential.helper', value: '', inHooks: false },
  // A power cut leaves what a commit named. Git syncs neither objects nor branches by itself, and Ravel's own files, which
  // are synced, would outlive a commit that they name. Git before 2.36 does not know these two.
  { key: 'core.fsync', value: 'all', inHooks: true },
  { key: 'core.fsyncMethod', value: fsyncMethod(process.platform), inHooks: true },
  // How long git waits for a branch that another git is at, instead of a tenth of a second.
  { key: 'core.filesRefLockTimeout', value: '5000', inHooks: true },
  // Housekeeping runs in the background and has hooks of its own.
  { key: 'gc.auto', value: '0', inHooks: true },
  { key: 'maintenance.auto', value: 'false', inHooks: true },
  // Runs gpg for each commit of a log.
  { key: 'log.showSignature', value: 'false', inHooks: true },
  // Commands that step into a submodule run with the settings of that.
  { key: 'submodule.recurse', value: 'false', inHooks: true },
  // A folder of the work tree that looks like a bare repository would bring settings along.
  { key: 'safe.bareRepository', value: 'explicit', inHooks: true },
];

/**
 * `batch` syncs once for all the objects that one command writes. Git promises the safety of `fsync` for it if the file
 * system orders what it writes (APFS, HFS+, NTFS, ReFS), and nowhere on Linux.
 */
function fsyncMethod(platform: NodeJS.Platform): string {
  return platform === 'darwin' || platform === 'win32' ? 'batch' : 'fsync';
}

/** What every git of ours finds in its environment. */
export const ownEnvironment: Readonly<Record<string, string>> = {
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  // What only reads does not write the index either.
  GIT_OPTIONAL_LOCKS: '0',
  // An object that is missing in a partial clone would be fetched by a program that the remote's settings name.
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

/** Beside it if no hooks run: no transport is open, whatever `protocol.*.allow` says, and so none of their programs. */
export const withoutHooks: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: 'none' };

/**
 * Keys of settings that pass unseen into a child, in `GIT_CONFIG_COUNT` form. It goes before everything in a file, and
 * unlike `-c` it can name a subsection with any character.
 */
export function settingsEnvironment(
  person: Readonly<Record<string, string | undefined>>,
  settings: readonly (readonly [key: string, value: string])[],
): Record<string, string> {
  const own = Number(person['GIT_CONFIG_COUNT'] ?? 0);
  const from = Number.isInteger(own) && own > 0 ? own : 0;
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(from + settings.length) };
  for (const [at, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${from + at}`] = key;
    environment[`GIT_CONFIG_VALUE_${from + at}`] = value;
  }
  return environment;
}
