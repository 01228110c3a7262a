import { localTime } from '../../base/localTime.ts';
import { firstLine, plural, shellWord } from '../../base/text.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Phase } from '../../model/phase.ts';
import type { ApprovalPage, ApprovalResults, ApprovalRow, PossibleAnswer } from '../../model/requests/approvals.ts';
import type { Style } from './style.ts';
import { chop, clip, wrap } from './text.ts';

/** A plan whose phase did not finish, which asks nothing. */
export interface UnfinishedRow {
  readonly plan: QualifiedId;
  readonly phase?: Phase;
  readonly reason: string;
}

/** All open questions, oldest first, and how to look at one; then phases that did not finish, and how to continue. */
export function formatApprovals(
  rows: readonly ApprovalRow[],
  unfinished: readonly UnfinishedRow[],
  style: Style,
  columns: number,
): string[] {
  const [first] = rows;
  if (first === undefined && unfinished.length === 0) return ['Nothing needs your attention.'];
  const stopped = formatUnfinished(unfinished, style, columns);
  if (first === undefined) return stopped;
  return [
    ...(stopped.length === 0 ? [] : [...stopped, '']),
    style.strong(`${plural(rows.length, 'question')} for you`),
    ...rows.flatMap(({ approval, kind, plan, createdAt, subject }) => [
      '',
      clip([approval, kind, ...(plan === undefined ? [] : [plan]), localTime(createdAt)].join('  '), columns),
      ...wrap(firstLine(subject), columns - 2).map((line) => `  ${line}`),
    ]),
    '',
    `See one with \`ravel approvals show ${first.approval}\`; an id can be shortened.`,
  ];
}

function formatUnfinished(rows: readonly UnfinishedRow[], style: Style, columns: number): string[] {
  if (rows.length === 0) return [];
  const continueCommand = (plan: string) =>
    `Run it again with \`ravel retry ${plan}\`, continue by hand with \`ravel run ${plan} --by-hand --take-over\`, or drop it with \`ravel dismiss ${plan}\`.`;
  return [
    style.strong(`${plural(rows.length, 'phase')} did not finish`),
    ...rows.flatMap(({ plan, phase, reason }) => [
      '',
      clip([plan, ...(phase === undefined ? [] : [phase])].join('  '), columns),
      ...wrap(firstLine(reason), columns - 2).map((line) => `  ${line}`),
      ...wrap(continueCommand(shellWord(plan)), columns - 4).map((line) => `    ${line}`),
    ]),
  ];
}

/** Below the plans: how many questions are open, and where to see them; nothing if there are none. */
export function formatQuestions(rows: readonly ApprovalRow[]): string[] {
  if (rows.length === 0) return [];
  const need = rows.length === 1 ? 'needs' : 'need';
  return ['', `${plural(rows.length, 'question')} ${need} your answer; see \`ravel approvals\`.`];
}

/** Below one plan: what its session may not do without a person, while it runs. */
export function formatToolRequests(rows: readonly ApprovalRow[], columns: number): string[] {
  return rows.flatMap(({ approval, subject }) => [
    ...wrap(`Its session asks you: ${firstLine(subject)}`, columns - 2).map((line) => `  ${line}`),
    ...wrap(`Answer with \`ravel approvals show ${approval}\`.`, columns - 4).map((line) => `    ${line}`),
  ]);
}

/** One question, whole: what is asked, what it is about, and each answer with its command and what it does. */
export function formatApproval(page: ApprovalPage, style: Style, columns: number): string[] {
  const { approval, kind, plan, createdAt, asks, subject, shown, file } = page;
  return [
    `${style.strong(kind)}  ${approval}`,
    style.faint(plan === undefined ? `asked at ${localTime(createdAt)}` : `${plan}, asked at ${localTime(createdAt)}`),
    '',
    ...wrap(asks, columns),
    '',
    ...wrap(subject, columns - 2).map((line) => `  ${line}`),
    '',
    ...chop(shown, columns - 4).map((line) => `  ${style.faint('│')} ${line}`.trimEnd()),
    '',
    style.strong('Your answers'),
    ...page.answers.flatMap((answer) => formatAnswer(approval, answer, style, columns)),
    '',
    ...wrap('Add `--reason TEXT` to any of them; it is kept with the decision.', columns),
    style.faint(`The question itself is in ${file}`),
  ];
}

/** What came of a decision, and how to go on. */
export function formatDecided(result: ApprovalResults['decide'], style: Style, columns: number): string[] {
  const { did, report } = result;
  const isGood = report === undefined || report.end === 'finished';
  const commits = report?.commits ?? [];
  const [first = '', ...more] = wrap(did, columns - 2);
  return [
    `${isGood ? style.good('✓') : style.notice('!')} ${first}`,
    ...more.map((line) => `  ${line}`),
    ...commits.map(({ commit, title }) => `  ${style.accent(commit.slice(0, 8))} ${clip(title, columns - 11)}`),
    ...wrap(nextStep(result), columns - 2)
      .filter((line) => line !== '')
      .map((line) => `  ${line}`),
  ];
}

function nextStep({ plan, report, next }: ApprovalResults['decide']): string {
  if (report?.approval !== undefined) return `See \`ravel approvals show ${report.approval}\`.`;
  const afterwards = next === 'resume' ? 'run' : next;
  const command = afterwards ?? (report === undefined ? undefined : report.end === 'finished' ? 'run' : 'retry');
  return command === undefined || plan === undefined ? '' : `Continue with \`ravel ${command} ${shellWord(plan)}\`.`;
}

function formatAnswer(approval: string, answer: PossibleAnswer, style: Style, columns: number): string[] {
  const { decision, option, text, does } = answer;
  const options = [
    ...(option === undefined ? [] : [`--option ${option}`]),
    ...(text === undefined ? [] : ['--answer TEXT']),
  ];
  const command = ['ravel approvals', decision, approval, ...options].join(' ');
  return [`  ${style.accent(command)}`, ...wrap(does, columns - 6).map((line) => `      ${line}`)];
}
