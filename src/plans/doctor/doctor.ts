import { openDeadLetters } from '../../actors/deadLetters.ts';
import { findPending } from '../../actors/pendingMailboxes.ts';
import type { ActorStatus } from '../../actors/supervision.ts';
import type { Diagnostic } from '../../base/errors.ts';
import { exists } from '../../base/files.ts';
import type { Check, CheckName } from '../../model/requests/doctor.ts';
import { checkNames } from '../../model/requests/doctor.ts';
import { findLeftovers, mayGo } from '../housekeeping/retention.ts';
import { unreadableOutgoing } from '../messages/sending.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import type { PlanServices } from '../services.ts';
import { checkHarnesses } from './harnessChecks.ts';
import { checkDisk, checkGit, checkSandbox, checkWatching } from './machineChecks.ts';
import { checkApprovals, checkMessages, checkPlans, checkRepositories, checkViews } from './planChecks.ts';
import {
  checkEditor,
  checkIdentity,
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
  readonly directory: Pick<PlanDirectory, 'rescan'>;
  /** How the actors stand that are not dormant; where nobody owns the vault, as their files say. */
  readonly statuses: () => Promise<readonly ActorStatus[]>;
  /** What is wrong with messages that look for their receiver. */
  readonly unreadableRoutes: () => Promise<readonly Diagnostic[]>;
}

/** Looks at everything that could keep a vault from working, and changes nothing. */
export async function examine(parts: DoctorParts, signal: AbortSignal): Promise<Check[]> {
  const { services } = parts;
  const { plans, diagnostics } = await parts.directory.rescan();
  const looks: readonly (readonly [CheckName, () => Promise<readonly Check[]>])[] = [
    ['owner', () => checkOwner(services)],
    ['vault', () => checkIdentity(services)],
    ['settings', () => checkSettings(services)],
    ['permissions', () => checkPermissions(services)],
    ['disk', () => checkDisk(services)],
    ['watching', () => checkWatching(services)],
    ['git', () => checkGit(services)],
    ['harness', () => checkHarnesses({ ...services, isOwner: parts.isOwner }, signal)],
    ['sandbox', () => checkSandbox(services, signal)],
    ['projects', () => checkProjects(services, { plans, diagnostics })],
    ['projects', () => checkRepositories(services, plans)],
    ['plans', () => checkPlans(services, plans, signal)],
    ['approvals', () => checkApprovals(services)],
    ['messages', async () => checkMessages(await messageFacts(parts))],
    ['views', () => checkViews(services, plans, signal)],
    ['editor', () => checkEditor(services)],
    ['leftovers', () => checkLeftovers(services)],
    ['leftovers', () => checkLocks(services)],
  ];
  const checks: Check[] = [];
  for (const [name, look] of looks) {
    signal.throwIfAborted();
    checks.push(...(await contain(name, look)));
  }
  return checks.sort((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check));
}

async function messageFacts({ services, statuses, unreadableRoutes }: DoctorParts) {
  const { disk, layout } = services;
  const hasMailboxes = await exists(disk, layout.mailboxes);
  return {
    statuses: await statuses(),
    unreadable: [...(await unreadableRoutes()), ...(await unreadableOutgoing(services))],
    letters: await openDeadLetters(disk, layout.deadLetters).list(),
    mailboxes: hasMailboxes ? await findPending(disk, layout.mailboxes) : { diagnostics: [] },
  };
}

const mebibyte = 1024 * 1024;

/** What old sessions and phases left; a session that lives without a phase to belong to is told by itself. */
async function checkLeftovers(services: PlanServices): Promise<Check[]> {
  const leftovers = await findLeftovers(services);
  const { days, mib } = services.settings.retention;
  const bytes = leftovers.reduce((sum, one) => sum + one.bytes, 0);
  const going = leftovers.filter(mayGo);
  const about = { check: 'leftovers', subject: services.layout.runtime } as const;
  const all = `Folders that sessions and phases left: ${leftovers.length}, with ${toMebibytes(bytes)} MiB.`;
  if (going.length === 0) return [{ ...about, severity: 'ok', message: all }];
  const goingBytes = going.reduce((sum, one) => sum + one.bytes, 0);
  const why = bytes > mib * mebibyte ? `more than ${mib} MiB` : `older than ${days} days`;
  return [
    {
      ...about,
      severity: bytes > mib * mebibyte ? 'warning' : 'info',
      message: `${all} Of these ${going.length} may go, with ${toMebibytes(goingBytes)} MiB, for it is ${why}.`,
      fix: '`ravel doctor --clean`',
    },
  ];
}

function toMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1);
}
