import { join } from 'node:path';
import type { DeadLetterList } from '../actors/deadLetters.ts';
import type { PendingMailboxes } from '../actors/pendingMailboxes.ts';
import type { ActorStatus } from '../actors/supervision.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { exists, readTextIfExists } from '../base/files.ts';
import { plural, shellWord } from '../base/text.ts';
import { readHooks } from '../git/hooks.ts';
import { assertReady, inspectRepository } from '../git/repository.ts';
import { livingLeader } from '../harness/hostRecord.ts';
import { isUlid } from '../model/id.ts';
import { viewFiles } from '../model/plan.ts';
import type { Check } from '../model/requests/doctor.ts';
import { listApprovals, loadApproval } from '../plans/approvals/approvals.ts';
import { loadDecision } from '../plans/approvals/decisions.ts';
import { pausedRunOf } from '../plans/phases/cycleRun.ts';
import type { PlanServices } from '../plans/services.ts';
import { readRunState } from '../vault/planOverview.ts';
import { mapPlans } from '../vault/scan.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import { checkSeal } from '../vault/viewSeal.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { toCheck } from './vaultChecks.ts';

/** Phases that did not end and runs that stand still: nothing is wrong, and nothing goes on without a person. */
export async function checkPlans(
  ports: VaultPorts & Pick<PlanServices, 'processes'>,
  plans: readonly PlanLocation[],
  signal: AbortSignal,
): Promise<Check[]> {
  const found = await mapPlans(plans, ({ id, directory }) => checkPlan(ports, { id, directory }), { signal });
  return [...found.flat(), ...(await checkSessions(ports, plans))];
}

/** A session that lives although no phase is under way with it; its watchdog ends it in the end. */
async function checkSessions(
  ports: VaultPorts & Pick<PlanServices, 'processes'>,
  plans: readonly PlanLocation[],
): Promise<Check[]> {
  const { disk, layout } = ports;
  if (!(await exists(disk, layout.sessions))) return [];
  const states = await mapPlans(plans, async (plan) => (await readRunState(ports, plan)).state.running?.session, {});
  const running = new Set<string | undefined>(states);
  const checks: Check[] = [];
  for (const { name } of await disk.readDirectory(layout.sessions)) {
    if (!isUlid(name) || running.has(name)) continue;
    const leader = await livingLeader(ports, layout.session(name));
    if (leader === undefined) continue;
    const message = `It runs as process ${leader.pid}, and no phase waits for it.`;
    checks.push({ check: 'plans', severity: 'warning', subject: name, message, fix: `\`kill -- -${leader.pid}\`` });
  }
  return checks;
}

async function checkPlan(ports: VaultPorts, plan: Pick<PlanLocation, 'id' | 'directory'>): Promise<Check[]> {
  const { state, faults } = await readRunState(ports, plan);
  const about = { check: 'plans', severity: 'info', subject: plan.id } as const;
  const checks: Check[] = faults.map((problem) => toCheck('plans', problem));
  const { interrupted, running } = state;
  const paused = pausedRunOf(state);
  if (interrupted !== undefined) {
    const fix = `\`ravel retry ${shellWord(plan.id)}\`, or \`ravel dismiss ${shellWord(plan.id)}\``;
    checks.push({ ...about, message: `${interrupted.phase} did not finish: ${beginOf(interrupted.reason)}`, fix });
  }
  if (running?.harness === 'person') {
    const fix = `\`ravel run ${shellWord(plan.id)} --by-hand\``;
    checks.push({ ...about, message: `${running.phase} is open by hand.`, fix });
  }
  // It continues the phase that did not finish, once that does.
  if (paused !== undefined && interrupted === undefined && state.waiting === undefined) {
    const message = `A run is paused after ${paused.done} of ${plural(paused.cycles, 'cycle')}.`;
    checks.push({
      ...about,
      message,
      fix: `\`ravel run ${shellWord(plan.id)} --resume\`, or \`ravel stop ${shellWord(plan.id)}\``,
    });
  }
  return checks;
}

/** A view that a person wrote in is no longer kept up to date. */
export async function checkViews(
  { disk }: VaultPorts,
  plans: readonly PlanLocation[],
  signal: AbortSignal,
): Promise<Check[]> {
  const found = await mapPlans(
    plans,
    async ({ id, readFrom }) => {
      const checks: Check[] = [];
      for (const name of viewFiles) {
        const file = join(readFrom, name);
        const text = await readTextIfExists(disk, file);
        if (text === undefined || checkSeal(text) === 'generated') continue;
        checks.push({
          check: 'views',
          severity: 'warning',
          subject: id,
          message: `${name} was edited by someone else, so Ravel leaves it as it is.`,
          fix: `move your change into the source of the view, then \`rm '${file}'\``,
        });
      }
      return checks;
    },
    { signal },
  );
  return found.flat();
}

export async function approvalChecks(services: VaultPorts): Promise<Check[]> {
  const checks: Check[] = [];
  for (const id of await listApprovals(services)) {
    try {
      const approval = await loadApproval(services, id);
      // A decision that is not carried out yet needs no person any more.
      if (approval === undefined || (await loadDecision(services, id)) !== undefined) continue;
      const message = `Open question since ${approval.createdAt}: ${approval.subject}`;
      const fix = `\`ravel approvals show ${id}\``;
      checks.push({ check: 'approvals', severity: 'info', subject: approval.plan ?? id, message, fix });
    } catch (error) {
      if (!isRavelError(error, 'approval/unreadable')) throw error;
      checks.push(toCheck('approvals', error.diagnostic));
    }
  }
  return checks;
}

export interface ActorFacts {
  /** Of the actors that are not dormant. */
  readonly statuses: readonly ActorStatus[];
  readonly letters: DeadLetterList;
  /** The problems of messages that cannot be read, so that nothing can continue with them. */
  readonly unreadable: readonly Diagnostic[];
  readonly mailboxes: Pick<PendingMailboxes, 'diagnostics'>;
}

export function checkMessages({ statuses, letters, unreadable, mailboxes }: ActorFacts): Check[] {
  const checks: Check[] = [...mailboxes.diagnostics, ...letters.diagnostics, ...unreadable].map((problem) =>
    toCheck('messages', problem),
  );
  for (const { actor, state, waiting } of statuses) {
    if (state.kind !== 'faulted') continue;
    const fix = `repair it, then \`ravel revive ${shellWord(actor)}\``;
    const left = waiting === 0 ? '' : ` ${waiting} ${waiting === 1 ? 'message waits' : 'messages wait'}.`;
    const message = `${state.fault.message}${left}`;
    checks.push({ check: 'messages', severity: 'error', subject: actor, message, fix });
  }
  const counts = new Map<string, number>();
  for (const { actor } of letters.letters) counts.set(actor, (counts.get(actor) ?? 0) + 1);
  for (const [actor, count] of counts) {
    const message = `${count} dead ${count === 1 ? 'letter waits' : 'letters wait'} for your decision.`;
    checks.push({ check: 'messages', severity: 'warning', subject: actor, message, fix: '`ravel dead-letters`' });
  }
  return checks;
}

/** The repository of each project: whether phases could commit in it, and what runs when they do. */
export async function checkRepositories(
  { git }: Pick<PlanServices, 'git'>,
  plans: readonly PlanLocation[],
): Promise<Check[]> {
  const directories = new Map(plans.map(({ project, projectDirectory }) => [project, projectDirectory]));
  const checks: Check[] = [];
  for (const [project, directory] of directories) {
    try {
      assertReady(await inspectRepository(git, directory), project);
      const found = await readHooks(git, directory);
      const hooks = commitHooks.filter((hook) => found.some(({ name, isProgram }) => isProgram && name === hook));
      if (hooks.length === 0) continue;
      const message = `Commits run its hooks ${hooks.join(', ')}; one that asks or is slow holds up the phase.`;
      checks.push({ check: 'projects', severity: 'info', subject: project, message });
    } catch (error) {
      if (!isRavelError(error)) throw error;
      checks.push(toCheck('projects', error.diagnostic));
    }
  }
  return checks;
}

/** Those that a commit runs. */
const commitHooks = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

/** A reason can hold all that a program said; if a phase is looked at by itself it stands whole. */
function beginOf(reason: string): string {
  const [first = '', ...rest] = reason.trim().split('\n');
  return rest.length > 0 ? `${first.trimEnd()} …` : first.replace(/[.:]?$/, '.');
}
