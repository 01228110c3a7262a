import { join } from 'node:path';
import { DeadLetters } from '../actors/deadLetters.ts';
import { findPending } from '../actors/pendingMailboxes.ts';
import type { ActorStatus } from '../actors/supervision.ts';
import type { Diagnostic } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { plural } from '../base/text.ts';
import { mebibyte } from '../base/units.ts';
import { loadHousekeeping } from '../housekeeping/housekeeper.ts';
import { findSessionFolders, isRemovable } from '../housekeeping/sessionFolders.ts';
import type { Check, CheckName, SessionFolder } from '../model/requests/doctor.ts';
import { checkNames } from '../model/requests/doctor.ts';
import { checkNotifications } from '../notifications/checkNotifications.ts';
import { unreadableOutgoing } from '../plans/messages/sending.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import type { PlanServices } from '../plans/services.ts';
import type { WaitingSetting } from '../vault/liveSettings.ts';
import { checkFiles } from './fileChecks.ts';
import { checkHarnesses } from './harnessChecks.ts';
import { checkDisk, checkGit, checkSandbox, checkWatching } from './machineChecks.ts';
import { approvalChecks, checkMessages, checkPlans, checkRepositories, checkViews } from './planChecks.ts';
import {
  checkEditor,
  checkIdentity,
  checkLines,
  checkLocks,
  checkOwner,
  checkPermissions,
  checkProjects,
  checkSettings,
  contain,
} from './vaultChecks.ts';

export interface DoctorParts {
  readonly services: PlanServices;
  readonly isOwner: boolean;
  /** What stands in `daemon.toml` and does not hold yet. */
  readonly waitingSettings?: readonly WaitingSetting[];
  readonly directory: Pick<PlanDirectory, 'rescan'>;
  /** The states of the actors that are not dormant; without an owner of the vault, as their files have them. */
  readonly statuses: () => Promise<readonly ActorStatus[]>;
  /** What is wrong with `routing.yaml`, lint aside. */
  readonly ruleFaults: () => Promise<readonly Diagnostic[]>;
  /** What is wrong with policies that cannot be used. */
  readonly brokenPolicies: () => Promise<readonly Diagnostic[]>;
  /** Everything that is wrong with the files of the vault and of its plans. */
  readonly fileProblems: () => Promise<readonly Diagnostic[]>;
  /** What is wrong with messages that look for their receiver. */
  readonly unreadableRoutes: () => Promise<readonly Diagnostic[]>;
}

/** Examines everything that could keep a vault from working, and changes nothing. */
export async function examine(parts: DoctorParts, signal: AbortSignal): Promise<Check[]> {
  const { services } = parts;
  const { plans, diagnostics } = await parts.directory.rescan();
  const examinations: readonly (readonly [CheckName, () => Promise<readonly Check[]>])[] = [
    ['owner', () => checkOwner(services)],
    ['vault', () => checkIdentity(services)],
    ['settings', () => checkSettings(services, parts.waitingSettings)],
    ['rules', async () => checkLines('rules', await parts.ruleFaults())],
    ['policy', async () => checkLines('policy', await parts.brokenPolicies())],
    ['permissions', () => checkPermissions(services)],
    ['disk', () => checkDisk(services)],
    ['watching', () => checkWatching(services)],
    ['git', () => checkGit(services)],
    ['harness', () => checkHarnesses({ ...services, isOwner: parts.isOwner }, signal)],
    ['sandbox', () => checkSandbox(services, signal)],
    ['projects', () => checkProjects(services, { plans, diagnostics })],
    ['projects', () => checkRepositories(services, plans)],
    ['plans', () => checkPlans(services, plans, signal)],
    ['approvals', () => approvalChecks(services)],
    ['messages', async () => checkMessages(await messageFacts(parts))],
    ['views', () => checkViews(services, plans, signal)],
    ['editor', () => checkEditor(services)],
    ['notifications', () => checkNotifications(services)],
    ['stale-files', () => checkStaleFiles(services)],
    ['stale-files', () => checkHousekeeping(services)],
    ['stale-files', () => checkLocks(services)],
  ];
  const checks: Check[] = [];
  for (const [name, examination] of examinations) {
    signal.throwIfAborted();
    checks.push(...(await contain(name, examination)));
  }
  const ofFiles = async () => checkFiles(services.layout.root, await parts.fileProblems(), checks);
  checks.push(...(await contain('files', ofFiles)));
  return checks.sort((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check));
}

async function messageFacts({ services, statuses, unreadableRoutes }: DoctorParts) {
  const { disk, layout } = services;
  const hasMailboxes = await exists(disk, layout.mailboxes);
  return {
    statuses: await statuses(),
    unreadable: [...(await unreadableRoutes()), ...(await unreadableOutgoing(services))],
    letters: await new DeadLetters(disk, layout.deadLetters).list(),
    mailboxes: hasMailboxes ? await findPending(disk, layout.mailboxes) : { diagnostics: [] },
  };
}

/** The number of unknown files that doctor names; enough to recognise a folder full of them. */
const foreignShown = 20;

/** What old sessions and phases left; a session that lives without a phase to belong to is told by itself. */
async function checkStaleFiles(
  services: Pick<PlanServices, 'disk' | 'clock' | 'processes' | 'layout' | 'settings'>,
): Promise<Check[]> {
  const sessionFolders = await findSessionFolders(services);
  const { days, mib } = services.settings.retention;
  const bytes = sessionFolders.reduce((sum, one) => sum + one.bytes, 0);
  const going = sessionFolders.filter(isRemovable);
  const about = { check: 'stale-files', subject: services.layout.runtime } as const;
  const all = `Folders that sessions and phases left: ${sessionFolders.length}, with ${toMebibytes(bytes)} MiB.`;
  const foreign = sessionFolders.filter(({ fate }) => fate === 'unrecognised');
  const unrecognised = foreign.slice(0, foreignShown).map(foreignCheck(about.subject));
  if (going.length === 0) return [{ ...about, severity: 'ok', message: all }, ...unrecognised];
  const goingBytes = going.reduce((sum, one) => sum + one.bytes, 0);
  const why = bytes > mib * mebibyte ? `more than ${mib} MiB` : `older than ${plural(days, 'day')}`;
  return [
    {
      ...about,
      severity: bytes > mib * mebibyte ? 'warning' : 'info',
      message: `${all} Of these ${going.length} can be removed, with ${toMebibytes(goingBytes)} MiB, since it is ${why}.`,
      fix: '`ravel doctor --clean`',
    },
    ...unrecognised,
  ];
}

/** When what is old last went by itself. */
async function checkHousekeeping(services: Pick<PlanServices, 'disk' | 'layout' | 'settings'>): Promise<Check[]> {
  const about = { check: 'stale-files', subject: services.layout.housekeeping } as const;
  const run = await loadHousekeeping(services);
  if (run === undefined) {
    if (services.settings.retention.automatic) return [];
    const message = 'Stale files are not removed automatically: retention.automatic is off.';
    return [{ ...about, severity: 'info', message, fix: 'run `ravel doctor --clean` from time to time' }];
  }
  const what = `Stale files were last removed at ${run.at}: ${run.removed}, with ${toMebibytes(run.bytes)} MiB.`;
  const problems = run.problems.map((message): Check => ({ ...about, severity: 'warning', message }));
  return [{ ...about, severity: 'ok', message: what }, ...problems];
}

/** Of what Ravel does not know, which stays until a person has looked at it. */
function foreignCheck(runtime: string): (stale: SessionFolder) => Check {
  return ({ path }) => ({
    check: 'stale-files',
    severity: 'info',
    subject: join(runtime, path),
    message: 'Ravel does not recognise what this is, and leaves it alone.',
    fix: 'look at it, and move it away yourself',
  });
}

function toMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1);
}
