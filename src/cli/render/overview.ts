import type { Diagnostic } from '../../base/errors.ts';
import { firstLine, formatDollars, plural, shellWord } from '../../base/text.ts';
import { projectOf } from '../../model/id.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { ApprovalRow } from '../../model/requests/approvals.ts';
import type { PlanRow } from '../../model/requests/plans.ts';
import { formatDiagnostic } from './diagnostics.ts';
import type { Style } from './style.ts';
import { clip, wrap } from './text.ts';

/** What `ravel` alone says of a vault. */
export interface Overview {
  readonly vault: string;
  readonly plans: readonly PlanRow[];
  readonly approvals: readonly ApprovalRow[];
  readonly spending: RequestResults['spending'];
  /** Policies of the vault and of projects that cannot be used. */
  readonly brokenPolicies: readonly Diagnostic[];
}

export function isBrokenPolicy({ code }: Diagnostic): boolean {
  return code.startsWith('policy/');
}

/** What a person can do next. */
export interface NextCommand {
  readonly command: string;
  readonly why: string;
}

/** Plans of each state that are named; the others are counted. */
const namedMax = 3;

/** What Ravel is, and how to begin: for a person who has no vault. */
export const beginnings: readonly NextCommand[] = [
  { command: 'ravel demo', why: 'watch a whole cycle in a throw-away project, without a model' },
  { command: 'ravel init ~/vault', why: 'make a vault, where your plans live' },
  { command: 'ravel --help', why: 'list the commands' },
];

export function formatBeginnings(style: Style): string[] {
  const width = Math.max(...beginnings.map(({ command }) => command.length));
  return [
    'Ravel works through the tasks of a plan in many short, fresh LLM sessions, each checked before it counts.',
    '',
    ...beginnings.map(({ command, why }) => `  ${style.strong(command.padEnd(width))}  ${why}`),
    '',
    'There is no vault yet, or none is named: use --vault, RAVEL_VAULT or ~/.config/ravel/config.toml.',
  ];
}

/** The plans of a vault by what they need; a plan can be in several. */
export function sortPlans({ plans, approvals }: Pick<Overview, 'plans' | 'approvals'>) {
  const asking = new Set(approvals.map(({ plan }) => plan));
  return {
    running: plans.filter(({ running, queued }) => running !== undefined || queued !== undefined),
    unfinished: plans.filter(
      ({ plan, waiting, running }) => waiting !== undefined && running === undefined && !asking.has(plan),
    ),
    faulted: plans.filter(({ faults, actor }) => faults.length > 0 || actor?.state === 'faulted'),
    ready: plans.filter(
      ({ counts, waiting, running }) => counts.ready > 0 && waiting === undefined && running === undefined,
    ),
  };
}

/** The one step that is most worth taking: what waits for the person comes before what can run without them. */
export function nextCommand(overview: Pick<Overview, 'plans' | 'approvals' | 'brokenPolicies'>): NextCommand {
  if (overview.brokenPolicies.length > 0) {
    return { command: 'ravel policy lint', why: 'see what to correct: a policy cannot be used' };
  }
  const [question] = overview.approvals;
  const { running, unfinished, faulted, ready } = sortPlans(overview);
  const [stopped, broken, startable, active] = [unfinished[0], faulted[0], ready[0], running[0]];
  if (question !== undefined) {
    return { command: `ravel approvals show ${question.approval}`, why: 'answer the question that waits longest' };
  }
  if (stopped !== undefined) {
    return { command: `ravel retry ${shellWord(stopped.plan)}`, why: 'run the phase again that did not finish' };
  }
  if (broken !== undefined) {
    return { command: `ravel status ${shellWord(broken.plan)}`, why: 'see what is wrong with this plan' };
  }
  if (startable !== undefined) {
    return { command: `ravel run ${shellWord(startable.plan)}`, why: 'run one cycle of a plan that has a ready task' };
  }
  if (active !== undefined) {
    return { command: `ravel attach ${shellWord(active.plan)}`, why: 'watch what is running' };
  }
  const [plan] = overview.plans;
  if (plan !== undefined) {
    const command = `ravel plan "GOAL" --under ${shellWord(plan.plan)}`;
    return { command, why: 'get plans and tasks proposed for what you want; no plan has a task that can be started' };
  }
  return { command: 'ravel adopt DIR --description TEXT', why: 'add a project; the vault has no plans yet' };
}

/** A few lines for each state, however many plans there are, and the next step. */
export function formatOverview(overview: Overview, style: Style, columns: number): string[] {
  const { vault, plans, approvals, spending } = overview;
  const { running, unfinished, faulted, ready } = sortPlans(overview);
  const projects = new Set(plans.map(({ plan }) => projectOf(plan))).size;
  const size =
    plans.length === 0 ? 'no plans yet' : `${plural(plans.length, 'plan')} in ${plural(projects, 'project')}`;
  const waiting = [
    ...approvals.map(({ kind, plan = 'vault', subject }) => `${plan}  ${kind}: ${firstLine(subject)}`),
    ...unfinished.map(({ plan, waiting: reason = '' }) => `${plan}  ${firstLine(reason)}`),
  ];
  const tasks = ready.reduce((sum, { counts }) => sum + counts.ready, 0);
  const readyTitle = `Ready: ${plural(ready.length, 'plan')}, ${plural(tasks, 'task')}`;
  const next = nextCommand(overview);
  return [
    clip(`${vault}: ${size}`, columns),
    ...overview.brokenPolicies.flatMap((problem) => [
      '',
      ...formatDiagnostic(problem, style, columns).map((line) => clip(line, columns)),
    ]),
    ...section({
      title: `Running: ${running.length}`,
      lines: running.map(describeRunning),
      more: 'ravel status --running',
    }),
    ...section({ title: `Waiting for you: ${waiting.length}`, lines: waiting, more: 'ravel approvals' }),
    ...section({
      title: `Faulted: ${faulted.length}`,
      lines: faulted.map(describeFault),
      more: 'ravel status --faulted',
    }),
    ...section({ title: readyTitle, lines: ready.map(({ plan }) => plan), more: 'ravel status --ready' }),
    ...(plans.length === 0 ? [] : ['', describeToday(spending)]),
    '',
    `Next: ${style.strong(next.command)}`,
    ...wrap(next.why, columns - 6).map((line) => `      ${line}`),
  ];

  function section({ title, lines, more }: { title: string; lines: readonly string[]; more: string }): string[] {
    if (lines.length === 0) return [];
    const rest = lines.length - namedMax;
    return [
      '',
      style.strong(title),
      ...lines.slice(0, namedMax).map((line) => clip(`  ${line}`, columns)),
      ...(rest > 0 ? [`  and ${rest} more: \`${more}\``] : []),
    ];
  }
}

function describeRunning({ plan, running, queued }: PlanRow): string {
  if (running === undefined) return `${plan}  queued: ${firstLine(queued ?? '')}`;
  return [plan, running.phase, ...(running.task === undefined ? [] : [running.task])].join('  ');
}

function describeFault({ plan, faults }: PlanRow): string {
  const [fault] = faults;
  return `${plan}  ${firstLine(fault?.message ?? 'stopped; `ravel actors` says why')}`;
}

function describeToday({ days, vaultUsdPerDay }: RequestResults['spending']): string {
  const { usd = 0, estimatedUsd = 0, sessions = 0 } = days.at(-1) ?? {};
  const limit = vaultUsdPerDay > 0 ? `, of ${formatDollars(vaultUsdPerDay)}` : '';
  return `Today: ${estimatedUsd > 0 ? '~' : ''}${formatDollars(usd)} in ${plural(sessions, 'session')}${limit}`;
}
