import { defined } from '../base/defined.ts';
import { readTextIfExists } from '../base/files.ts';
import { mebibyte } from '../base/units.ts';
import { gitText } from '../git/git.ts';
import { inspectRepository } from '../git/repository.ts';
import type { Check } from '../model/requests/doctor.ts';
import type { PlanServices } from '../plans/services.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

/** Free bytes below which the disk is a warning. */
const fewBytes = 1024 * mebibyte;
/** Free bytes below which it is an error: a commit of a large project could fail. */
const tooFewBytes = 100 * mebibyte;

/** A full disk loses nothing, but stops everything. */
export async function checkDisk({ disk, layout }: Pick<VaultPorts, 'disk' | 'layout'>): Promise<Check[]> {
  const bytes = await disk.freeBytes(layout.root);
  const about = { check: 'disk', subject: layout.root } as const;
  const free = `${sizeOf(bytes)} are free on the disk of the vault.`;
  if (bytes >= fewBytes) return [{ ...about, severity: 'ok', message: free }];
  const severity = bytes < tooFewBytes ? 'error' : 'warning';
  return [{ ...about, severity, message: free, fix: 'Free some space; `ravel doctor --clean` removes stale files.' }];
}

/** A large number of MiB is hard to read. */
function sizeOf(bytes: number): string {
  const mib = Math.floor(bytes / mebibyte);
  return mib < 10 * 1024 ? `${mib} MiB` : `${Math.floor(mib / 1024)} GiB`;
}

/** git itself, and the vault's own repository. */
export async function checkGit({
  git,
  layout,
  settings,
}: Pick<PlanServices, 'git' | 'layout' | 'settings'>): Promise<Check[]> {
  const { root } = layout;
  const version = await gitText(git, root, ['--version']);
  const checks: Check[] = [{ check: 'git', severity: 'ok', subject: 'git', message: `${version}.` }];
  const commits = settings.vault.commit !== 'never';
  const { hasIdentity } = await inspectRepository(git, root);
  if (!hasIdentity) {
    checks.push({
      check: 'git',
      severity: commits ? 'error' : 'warning',
      subject: root,
      message: 'git does not know who commits.',
      fix: '`git config --global user.name NAME` and `git config --global user.email ADDRESS`',
    });
  }
  return checks;
}

/** Enough for a vault of thousands of plans beside an editor and other programs that watch files. */
const watchesMin = 65_536;
const instancesMin = 128;

/** How much one user may watch on Linux; elsewhere there is no such limit. */
export async function checkWatching({ disk }: Pick<PlanServices, 'disk'>): Promise<Check[]> {
  const limits = [
    { name: 'max_user_watches', min: watchesMin, wanted: 524_288 },
    { name: 'max_user_instances', min: instancesMin, wanted: 512 },
  ];
  const checks: Check[] = [];
  for (const { name, min, wanted } of limits) {
    const text = await readTextIfExists(disk, `/proc/sys/fs/inotify/${name}`);
    const limit = Number(text ?? Number.NaN);
    if (!Number.isInteger(limit)) continue;
    const about = { check: 'watching', subject: `fs.inotify.${name}` } as const;
    checks.push(
      limit >= min
        ? { ...about, severity: 'ok', message: `The system watches up to ${limit}.` }
        : {
            ...about,
            severity: 'warning',
            message: `The system watches only up to ${limit}; in a large vault changes are then noticed late.`,
            fix: `\`sudo sysctl fs.inotify.${name}=${wanted}\``,
          },
    );
  }
  return checks;
}

/** Whether what work sessions run can be kept in a sandbox here. */
export async function checkSandbox(
  { confiner, settings }: Pick<PlanServices, 'confiner' | 'settings'>,
  signal: AbortSignal,
): Promise<Check[]> {
  const sandboxMode = settings.sandbox.commands;
  const about = { check: 'sandbox', subject: 'sandbox.commands' } as const;
  if (sandboxMode === 'off') {
    const message = 'Work sessions are unconfined, so what they run has your rights: sandboxes are switched off.';
    return [{ ...about, severity: 'info', message, fix: 'Set `sandbox.commands` to "preferred" in daemon.toml.' }];
  }
  const found = await confiner.probe(signal);
  if (found.state === 'confined')
    return [
      { ...about, severity: 'ok', message: 'Work sessions can be confined: what they run then stays in its project.' },
    ];
  const { reason, fix } = found;
  return [
    {
      ...about,
      severity: sandboxMode === 'required' ? 'error' : 'warning',
      message:
        sandboxMode === 'required'
          ? `Work sessions would be unconfined, and \`sandbox.commands\` is "required", so no work begins. ${reason}`
          : `Work sessions are unconfined, so what they run has your rights. ${reason}`,
      ...defined({ fix }),
    },
  ];
}
