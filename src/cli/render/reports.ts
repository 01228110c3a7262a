import { basename } from 'node:path';
import { localTime } from '../../base/localTime.ts';
import { firstLine, formatBytes, formatDollars, formatDuration, plural, shellWord } from '../../base/text.ts';
import { describeConfinement } from '../../model/confinement.ts';
import type { PhaseEnd } from '../../model/event.ts';
import { formatUsage } from '../../model/eventText.ts';
import { fileFaults } from '../../model/fileFaults.ts';
import type { QualifiedId } from '../../model/id.ts';
import { describePaused } from '../../model/pausedRun.ts';
import { isCodePhase, type Phase } from '../../model/phase.ts';
import { planFiles } from '../../model/plan.ts';
import type { PlanRow, PlanStatus } from '../../model/requests/plans.ts';
import type { CycleReport, PhaseReport, RunStop } from '../../model/requests/runs.ts';
import { describeActor } from './actors.ts';
import { plansAsTree } from './planTree.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';
import { clip, wrap } from './text.ts';

const stopWords: Readonly<Record<RunStop, string>> = {
  'cycle-ended': 'The cycle is complete.',
  'nothing-ready': 'No task in the backlog can be started.',
  interrupted: 'A phase was interrupted. The plan is unchanged; changes to the source stay.',
  failed: 'A phase failed. The plan is unchanged; changes to the source stay.',
  waiting: 'The plan needs your answer.',
  stopped: 'The run was stopped.',
  budget: 'The budget is used up.',
};

/** The result of a run, for a user who was not watching. */
export function formatRunSummary(plan: QualifiedId, report: CycleReport, style: Style, columns: number): string[] {
  const totalMs = report.phases.reduce((sum, phase) => sum + phase.durationMs, 0);
  const cost = report.phases.reduce((sum, phase) => sum + (phase.usage?.costUsd ?? 0), 0);
  const commits = report.phases.flatMap((phase) => phase.commits);
  const explains = report.stop !== 'cycle-ended' && report.reason.trim() !== '';
  const facts = [
    plural(report.phases.length, 'phase'),
    formatDuration(totalMs),
    ...(cost > 0 ? [formatDollars(cost)] : []),
  ];
  return [
    '',
    `${signOf(report.stop, style)} ${style.strong(stopWords[report.stop])}  ${style.faint(facts.join(' · '))}`,
    ...(explains ? wrap(report.reason, columns - 4).map((line) => `    ${line}`) : []),
    ...formatPhaseRows(report.phases, style, columns),
    ...(commits.length === 0 ? [] : ['', style.strong('Commits')]),
    ...commits.map(({ commit, title }) => `  ${style.accent(commit.slice(0, 8))} ${clip(title, columns - 11)}`),
    ...nextStep(plan, report, style, columns),
  ];
}

/** Where there was nothing to do, nothing succeeded and nothing is wrong. */
function signOf(stop: RunStop, style: Style): string {
  if (stop === 'nothing-ready') return style.faint('·');
  return stop === 'cycle-ended' ? style.good('✓') : style.notice('!');
}

export function formatPhaseSummary(plan: QualifiedId, report: PhaseReport, style: Style, columns: number): string[] {
  const stop: RunStop = report.end === 'finished' ? 'cycle-ended' : report.end;
  const [blank = '', , ...rest] = formatRunSummary(plan, { phases: [report], stop, reason: '' }, style, columns);
  const sign = report.end === 'finished' ? style.good('✓') : style.notice('!');
  return [blank, `${sign} ${style.strong(phaseSentence(report))}`, ...rest];
}

function phaseSentence(report: PhaseReport): string {
  const phase = stoppedPhase(report);
  // A commit that did not finish comes after the plan was changed.
  const unchanged = isCodePhase(phase) ? '' : ' The plan is unchanged; changes to the source stay.';
  switch (report.end) {
    case 'finished':
      return `${phase} finished; ${report.next} is next.`;
    case 'waiting':
      return `${phase} needs your answer.`;
    case 'interrupted':
      return `${phase} was interrupted.${unchanged}`;
    case 'failed':
      return `${phase} failed.${unchanged}`;
  }
}

/** The phase that a report ended in: the session's own, or the code phase after it, which did not finish. */
function stoppedPhase({ phase, end, next }: PhaseReport): Phase {
  return end !== 'finished' && isCodePhase(next) ? next : phase;
}

/** All plans of a vault, one row each. */
export function formatPlanTable(rows: readonly PlanRow[], style: Style, columns: number): string[] {
  if (rows.length === 0)
    return ['There are no plans yet. Adopt a project with `ravel adopt PROJECT --description TEXT`.'];
  const header = ['PLAN', 'PHASE', 'READY', 'BLOCKED', 'DONE', 'NEW', 'NOW'];
  const cells = plansAsTree(rows).map(({ row, name }) => [
    name,
    row.phase ?? '?',
    ...[row.counts.ready, row.counts.blocked, row.counts.done, row.counts.received].map((count) =>
      backlogFault(row) === undefined ? String(count) : '?',
    ),
    stateOf(row),
  ]);
  return formatTable(header, cells, style, columns);
}

/** One plan, whole. */
export function formatPlanStatus(status: PlanStatus, style: Style, columns: number): string[] {
  const { counts } = status;
  const tasks = [
    `${counts.ready} ready`,
    `${counts.inProgress} in progress`,
    `${counts.blocked} blocked`,
    `${counts.done} done`,
    ...(counts.received > 0 ? [`${counts.received} received`] : []),
    ...(counts.handoffs > 0 ? [plural(counts.handoffs, 'hand-off')] : []),
  ];
  const { lastEnd, interrupted, question, nextTask } = status;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['phase', status.phase ?? '?'],
    [
      'now',
      runningOf(status) ??
        (status.queued !== undefined || (interrupted === undefined && question === undefined)
          ? stateOf(status)
          : 'needs your attention'),
    ],
    ['sandbox', status.running?.confinement && describeConfinement(status.running.confinement)],
    ['tasks', backlogFault(status) ?? tasks.join(', ')],
    ['messages', status.actor && describeActor(status.actor)],
    ['fault', status.actor?.fault && firstLine(status.actor.fault.message)],
    [
      'next task',
      nextTask === undefined || nextTask.id === status.running?.task ? undefined : `${nextTask.title} (${nextTask.id})`,
    ],
    ['memory', `${plural(status.memoryEntries, 'entry', 'entries')}, ${plural(status.memoryWords, 'word')}`],
    ['last', lastEnd && `${lastEnd.phase} ${lastEnd.end} at ${localTime(lastEnd.at)}${endWords(status)}`],
    [
      lastEnd?.end === 'failed' ? 'failed' : 'interrupted',
      interrupted && `${interrupted.phase}: ${firstLine(interrupted.reason)}`,
    ],
    ['kept in', interrupted?.directory],
    ['paused run', status.paused && describePaused(status.paused)],
    ['asks', question && `${question.phase}, ${question.kind}: ${firstLine(question.reason)}`],
    ['details in', question?.file],
    ['child plans', status.children.map((child) => child.slice(status.plan.length + 1)).join(', ') || undefined],
    ['plan files', status.directory],
    ['project', status.project],
  ];
  return [
    style.strong(status.plan),
    ...wrap(status.description, columns - 2).map((line) => `  ${line}`),
    ...rows.flatMap(([name, value]) => formatField(name, value, style, columns)),
    ...[unfinishedHint(status), faultHint(status), receivedHint(status)]
      .flatMap((hint) => wrap(hint, columns - 2))
      .filter((line) => line !== '')
      .map((line) => `  ${line}`),
  ];
}

/** Why nothing of the backlog could be counted. */
function backlogFault({ faults, counts }: PlanRow): string | undefined {
  if (Object.values(counts).some((count) => count > 0)) return undefined;
  const ofBacklog = faults.filter(({ file }) => file !== undefined && basename(file) === planFiles.backlog);
  const [fault] = fileFaults(ofBacklog);
  return fault && `cannot be read: ${fault.message}`;
}

/** What the last phase said of its end, if nothing below says the same. */
function endWords({ lastEnd, interrupted, question }: PlanStatus): string {
  const shown = [interrupted?.reason, question?.reason].map((text) => text?.trim());
  return lastEnd === undefined || shown.includes(lastEnd.summary.trim()) ? '' : `: ${firstLine(lastEnd.summary)}`;
}

function receivedHint({ plan, counts }: PlanStatus): string {
  return counts.received === 0 ? '' : `See the received messages with \`ravel received ${shellWord(plan)}\`.`;
}

function faultHint({ plan, actor }: PlanStatus): string {
  return actor?.fault === undefined ? '' : `Fix the cause, then \`ravel revive ${shellWord(plan)}\`.`;
}

function unfinishedHint({ plan, interrupted, question, running, paused }: PlanStatus): string {
  const named = shellWord(plan);
  const dismiss = `or drop it with \`ravel dismiss ${named}\`.`;
  if (question !== undefined)
    return `See the question and its possible answers with \`ravel approvals show ${question.approval}\`.`;
  if (interrupted !== undefined) {
    return `Run it again with \`ravel retry ${named}\`, continue by hand with \`ravel run ${named} --by-hand --take-over\`, ${dismiss}`;
  }
  if (running?.manual === true) return `Continue with \`ravel run ${named} --by-hand\`, ${dismiss}`;
  if (running?.unowned === true) {
    return `Its owner is gone. \`ravel run ${named}\` takes over and continues, \`ravel stop ${named}\` ends it.`;
  }
  if (running !== undefined || paused === undefined) return '';
  return `Continue with \`ravel run ${named}\`, or forget the run with \`ravel stop ${named}\`.`;
}

function formatField(name: string, value: string | undefined, style: Style, columns: number): string[] {
  if (value === undefined) return [];
  return wrap(value, columns - 15).map((line, at) => `  ${style.faint((at === 0 ? name : '').padEnd(13))}${line}`);
}

function runningOf({ running }: PlanStatus): string | undefined {
  if (running === undefined) return undefined;
  const task = running.task === undefined ? '' : `, task ${running.task}`;
  return `${howItRuns(running)}${task}, session ${running.session}`;
}

function howItRuns({ phase, manual, unowned }: NonNullable<PlanRow['running']>): string {
  if (manual === true) return `${phase} is open by hand`;
  return unowned === true ? `without an owner: ${phase}` : `runs ${phase}`;
}

function stateOf(row: PlanRow): string {
  if (row.running !== undefined) {
    const { task, confinement } = row.running;
    const inWhat = confinement?.state === 'unconfined' ? ', unconfined' : '';
    return `${howItRuns(row.running)}${task === undefined ? '' : ` (${task})`}${inWhat}`;
  }
  if (row.queued !== undefined) return `waits for its turn: ${row.queued}`;
  if (row.waiting !== undefined) return `waits: ${row.waiting}`;
  if (row.paused !== undefined) return `paused: ${describePaused(row.paused)}`;
  if (row.faults.length > 0) return plural(row.faults.length, 'fault');
  return (row.actor && describeActor(row.actor)) ?? 'idle';
}

interface EndedPhase {
  readonly phase: Phase;
  readonly end: PhaseEnd;
  readonly facts: readonly string[];
}

/** A row of its own for a code phase that did not finish after its session's phase did. */
function endedPhases(report: PhaseReport): EndedPhase[] {
  const { phase, end } = report;
  const facts = [
    formatDuration(report.durationMs),
    // A session that was taken over was given its part by an earlier owner.
    ...(report.givenBytes > 0 ? [`given ${formatBytes(report.givenBytes)}`] : []),
    ...(report.usage === undefined ? [] : [formatUsage(report.usage)]),
  ];
  const stopped = stoppedPhase(report);
  if (stopped === phase) return [{ phase, end, facts }];
  return [
    { phase, end: 'finished', facts },
    { phase: stopped, end, facts: [] },
  ];
}

/** How each phase ended, a row each. */
export function formatPhaseRows(reports: readonly PhaseReport[], style: Style, columns: number): string[] {
  const ended = reports.map((report) => ({ report, rows: endedPhases(report) }));
  const names = ended.flatMap(({ rows }) => rows.map(({ phase }) => phase.length));
  const width = Math.max(...names, 'analyse-work'.length) + 1;
  const formatRow = ({ phase, end, facts }: EndedPhase): string => {
    const sign = end === 'finished' ? style.good('✓') : end === 'waiting' ? style.notice('?') : style.bad('✗');
    const head = `  ${sign} ${phase.padEnd(width)}${end.padEnd(12)}`;
    return `${head}${style.faint(clip(facts.join(' · '), columns - width - 16))}`.trimEnd();
  };
  return ended.flatMap(({ report, rows }) => [...rows.map(formatRow), ...formatSkipped(report, style)]);
}

/** The dream that a cycle leaves out, since a reader of the phases would look for it. */
function formatSkipped({ phase, end, next }: PhaseReport, style: Style): string[] {
  if (phase !== 'git-commit-reflect' || end !== 'finished' || next !== 'triage') return [];
  return [style.faint('  · dream is not due')];
}

function nextStep(plan: QualifiedId, report: CycleReport, style: Style, columns: number): string[] {
  const words = wordsOfNextStep(plan, report);
  if (words === undefined) return [];
  const [first = '', ...rest] = wrap(words, columns - 6);
  return ['', `${style.strong('Next')}  ${first}`, ...rest.map((line) => `      ${line}`)];
}

function wordsOfNextStep(plan: QualifiedId, { phases, stop }: CycleReport): string | undefined {
  const named = shellWord(plan);
  const last = phases.at(-1);
  if (last?.end === 'waiting') return `See what it asks with \`ravel approvals show ${last.approval ?? plan}\`.`;
  if (last?.end === 'interrupted' || last?.end === 'failed') {
    return `Run it again with \`ravel retry ${named}\`, or drop it with \`ravel dismiss ${named}\`.`;
  }
  if (stop === 'nothing-ready') {
    return `See the backlog with \`ravel state backlog list ${named}\`; \`ravel state backlog add --help\` shows how to add a task.`;
  }
  if (stop === 'budget') return `See \`ravel spending\`; \`ravel run ${named}\` continues once there is budget again.`;
  return undefined;
}
