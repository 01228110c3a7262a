import { defined } from '../base/defined.ts';
import { plural } from '../base/text.ts';
import { failure } from '../model/codes.ts';
import { fileFaults } from '../model/fileFaults.ts';
import type { Api, RequestParams } from '../model/protocol.ts';
import type { PlanRow } from '../model/requests/plans.ts';
import { boundAnswer } from './answers.ts';

/** Plans of one answer, if the agent asks for no other number. */
const plansListed = 50;

export async function listPlans(
  api: Api,
  { limit = plansListed, ...filter }: RequestParams<'list'>,
  signal: AbortSignal,
): Promise<string> {
  const { plans, total = plans.length } = await api.request('list', { ...filter, limit }, signal);
  if (plans.length === 0) return 'No plans of this vault match.';
  const rest =
    total > plans.length ? [`… and ${total - plans.length} more; ask with text, under or a larger limit.`] : [];
  return boundAnswer([...plans.map(planLine), ...rest].join('\n'), 'Ask with text or under.');
}

function planLine({ plan, description, phase, counts, running, waiting, paused, faults }: PlanRow): string {
  const parts = [
    `next phase ${phase ?? 'unknown'}`,
    `${counts.ready} ready, ${counts.blocked} blocked, ${counts.inProgress} in progress, ${counts.received} received`,
    running !== undefined && `running ${running.phase}${running.task === undefined ? '' : ` on ${running.task}`}`,
    waiting !== undefined && `needs a person: ${waiting}`,
    paused !== undefined && `paused after ${paused.done} of ${paused.cycles} cycles`,
    faults.length > 0 && `${plural(faults.length, 'file')} cannot be read`,
  ].filter((part) => part !== false);
  return `- ${plan}: ${description} [${parts.join('; ')}]`;
}

export async function showPlan(api: Api, { plan }: { readonly plan: string }, signal: AbortSignal): Promise<string> {
  const status = await api.request('status', { plan }, signal);
  const { lastEnd, interrupted, question, nextTask, children } = status;
  const lines = [
    planLine(status).slice('- '.length),
    `Folder: ${status.directory}`,
    `Project: ${status.project}`,
    children.length > 0 && `Plans right below it: ${children.join(', ')}`,
    `Memory: ${plural(status.memoryEntries, 'entry', 'entries')}, ${plural(status.memoryWords, 'word')}`,
    nextTask !== undefined && `Next task: ${nextTask.id} (${nextTask.title})`,
    lastEnd !== undefined && `Last phase: ${lastEnd.phase} ${lastEnd.end} at ${lastEnd.at}. ${lastEnd.summary}`,
    interrupted !== undefined && `Not finished: ${interrupted.phase}, because ${interrupted.reason}`,
    question !== undefined && `A person is asked (${question.kind}, approval ${question.approval}): ${question.reason}`,
    ...fileFaults(status.faults).map(({ message }) => `Fault: ${message}`),
  ];
  return boundAnswer(lines.filter((line) => line !== false).join('\n'));
}

export async function listExperts(api: Api, _args: unknown, signal: AbortSignal): Promise<string> {
  const { experts } = await api.request('experts', {}, signal);
  if (experts.length === 0) return 'The vault declares no experts.';
  return boundAnswer(experts.map(({ actor, declaration }) => `- ${actor}: ${declaration.description}`).join('\n'));
}

export async function showApprovals(api: Api, { plan }: { readonly plan?: string | undefined }, signal: AbortSignal) {
  const { approvals } = await api.request('approvals', defined({ plan }), signal);
  if (approvals.length === 0) return 'There are no open questions.';
  const lines = approvals.map(
    (row) => `- ${row.approval} (${row.kind}, ${row.plan ?? 'of no plan'}, since ${row.createdAt}): ${row.subject}`,
  );
  return boundAnswer([...lines, 'Only a person answers these, in the Inbox of Ravel.'].join('\n'));
}

export async function showApproval(
  api: Api,
  { approval }: { readonly approval: string },
  signal: AbortSignal,
): Promise<string> {
  const page = await api.request('approval', { approval }, signal);
  if (page.answers.length === 0) throw failure('approval/unknown', approval, `There is no open question ${approval}.`);
  const answers = page.answers.map(
    ({ decision, option, does }) => `- ${[decision, option].filter(Boolean).join(' ')}: ${does}`,
  );
  const lines = [
    page.asks,
    `Plan: ${page.plan}`,
    page.subject,
    '',
    page.shown,
    '',
    'What a person can answer:',
    ...answers,
  ];
  return boundAnswer(lines.join('\n'));
}
