import { basename, dirname } from 'node:path';
import { defined } from '../base/defined.ts';
import { ifThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import { fileFaults } from '../model/fileFaults.ts';
import type { Check } from '../model/requests/doctor.ts';
import type { PlanServices } from '../plans/services.ts';
import { loadIdentity } from '../vault/identity.ts';
import { settingsDiagnostics, type WaitingSetting } from '../vault/liveSettings.ts';
import { readHolder } from '../vault/lock.ts';
import { countLocks } from '../vault/lockFolder.ts';
import { missingObsidianFiles } from '../vault/obsidianTemplate.ts';
import { findLinks } from '../vault/ownPlaces.ts';
import { loadProjects } from '../vault/projects.ts';
import { findLinkProblems } from '../vault/relink.ts';
import { loadSettings } from '../vault/settings.ts';
import type { VaultWalk } from '../vault/walk.ts';

type VaultPorts = Pick<PlanServices, 'disk' | 'layout' | 'processes' | 'clock'>;

export async function checkIdentity({ disk, layout }: VaultPorts): Promise<Check[]> {
  const { name, schemaVersion } = await loadIdentity(disk, layout);
  const message = `The vault "${name}", format version ${schemaVersion}.`;
  const links = await findLinks(disk, layout);
  return [
    { check: 'vault', severity: 'ok', subject: layout.root, message },
    ...links.map((link) => toCheck('vault', link)),
  ];
}

/** As they stand in the file now, and what of that does not hold yet. */
export async function checkSettings(
  { disk, layout }: VaultPorts,
  waiting: readonly WaitingSetting[] = [],
): Promise<Check[]> {
  const loaded = await loadSettings(disk, layout);
  const diagnostics = [...loaded.diagnostics, ...settingsDiagnostics({ waiting }, layout.settings)];
  const message = 'Every setting is one that Ravel knows.';
  if (diagnostics.length === 0) return [{ check: 'settings', severity: 'ok', subject: layout.settings, message }];
  return diagnostics.map((problem) => toCheck('settings', problem));
}

/** Each fault with its line, since such a file is written by hand; a file without one needs no line. */
export function checkLines(check: 'rules' | 'policy', faults: readonly Diagnostic[]): Check[] {
  return faults.map((problem) => {
    const { file, range } = problem;
    const at = file === undefined ? problem.subject : range === undefined ? file : `${file}:${range.start.line + 1}`;
    return toCheck(check, { ...problem, subject: at });
  });
}

/** Who owns the vault, and what earlier owners left of their lock. */
export async function checkOwner({ disk, layout, processes, clock }: VaultPorts): Promise<Check[]> {
  const { ownerLock } = layout;
  const holder = await readHolder({ disk, processes, clock, path: ownerLock });
  const about = { check: 'owner', subject: ownerLock } as const;
  const prefix = `${basename(ownerLock)}.`;
  const names = (await disk.readDirectory(dirname(ownerLock))).map(({ name }) => name);
  const generations = names.filter((name) => name.startsWith(prefix));
  const checks: Check[] = [
    holder === undefined
      ? { ...about, severity: 'info', message: 'No process owns the vault. The next command that runs something will.' }
      : { ...about, severity: 'ok', message: `Process ${holder.pid} owns the vault.` },
  ];
  if (generations.length > 1) {
    const message = `Beside the lock: ${plural(generations.length - 1, 'file')} of earlier owners, which the next owner removes.`;
    checks.push({ ...about, severity: 'info', message });
  }
  return checks;
}

/** Plans that are being changed just now, and what processes left that ended in the middle of that. */
export async function checkLocks({ disk, layout, processes, clock }: VaultPorts): Promise<Check[]> {
  const { held, left } = await countLocks({ disk, layout, processes, clock });
  const about = { check: 'stale-files', severity: 'info', subject: layout.locks } as const;
  const checks: Check[] = [];
  if (held > 0) checks.push({ ...about, message: `Plans that are being changed just now: ${held}.` });
  if (left > 0) {
    const message = `Locks of plans, left by processes that have ended: ${left}. The next owner of the vault removes them.`;
    checks.push({ ...about, message });
  }
  return checks;
}

/** Anyone who can enter `runtime/` can act as the owner and read what sessions said. */
export async function checkPermissions({
  disk,
  layout,
  socketPath,
  sessionSocketPath,
}: Pick<PlanServices, 'disk' | 'layout' | 'socketPath' | 'sessionSocketPath'>): Promise<Check[]> {
  // Windows has neither; a named pipe is not below any folder.
  if (!socketPath.startsWith('/')) return [];
  const places = [
    { path: layout.runtime, mode: '700' },
    ...(dirname(socketPath) === layout.runtime ? [] : [{ path: dirname(socketPath), mode: '700' }]),
    { path: socketPath, mode: '600' },
    { path: dirname(sessionSocketPath), mode: '700' },
    { path: sessionSocketPath, mode: '600' },
  ];
  const checks: Check[] = [];
  for (const { path, mode } of places) {
    const bits = await modeOf({ disk }, path);
    if (bits === undefined || (bits & 0o077) === 0) continue;
    checks.push({
      check: 'permissions',
      severity: 'error',
      subject: path,
      message: `Others can open ${path}: its mode is ${bits.toString(8)}.`,
      fix: `\`chmod ${mode} '${path}'\``,
    });
  }
  if (checks.length > 0) return checks;
  const message = 'Only you can open runtime/ and the sockets.';
  return [{ check: 'permissions', severity: 'ok', subject: layout.runtime, message }];
}

/** Links of projects, and the invariants of their trees. */
export async function checkProjects(
  { disk, layout }: VaultPorts,
  { plans, diagnostics }: Pick<VaultWalk, 'plans' | 'diagnostics'>,
): Promise<Check[]> {
  const registry = await loadProjects(disk, layout);
  const problems = [...(await findLinkProblems(disk, layout)), ...diagnostics];
  const missing = registry.projects.filter(({ name }) => !plans.some(({ project }) => project === name));
  const checks = problems.map((problem) => toCheck('projects', problem));
  for (const { name } of missing) {
    if (checks.some(({ subject }) => subject === name || basename(subject) === name)) continue;
    checks.push({
      check: 'projects',
      severity: 'warning',
      subject: name,
      message: 'No link leads to this project.',
      fix: '`ravel rescan` recreates links; adopt a project that moved again, under its name',
    });
  }
  if (checks.length > 0) return checks;
  const count = new Set(plans.map(({ project }) => project)).size;
  const message = `Every link leads to its project. Projects: ${count}, plans: ${plans.length}.`;
  return [{ check: 'projects', severity: 'ok', subject: layout.projects, message }];
}

/** What Obsidian needs to show links between plans and the table of them. */
export async function checkEditor({ disk, layout }: VaultPorts): Promise<Check[]> {
  const about = { check: 'editor', subject: '.obsidian' } as const;
  const missing = await missingObsidianFiles(disk, layout.root);
  if (missing.length === 0) return [{ ...about, severity: 'ok', message: 'The files for Obsidian are there.' }];
  const fix = '`ravel rescan --obsidian` creates them, and leaves existing files alone';
  return [{ ...about, severity: 'info', message: `Files for Obsidian are missing: ${missing.join(', ')}.`, fix }];
}

export function toCheck(check: Check['check'], problem: Diagnostic): Check {
  const { severity, subject, message: said, help } = problem;
  const [{ message } = { message: said }] = fileFaults([problem]);
  return { check, severity, subject, message, ...defined({ fix: help }) };
}

/** A check that fails reports its failure as the problem. */
export async function contain(
  check: Check['check'],
  examination: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return await examination();
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return [toCheck(check, error.diagnostic)];
  }
}

async function modeOf({ disk }: Pick<VaultPorts, 'disk'>, path: string): Promise<number | undefined> {
  const found = await ifThere(path, () => disk.stat(path));
  return found && found.mode & 0o777;
}
