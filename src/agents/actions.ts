import { formatDollars, formatDuration } from '../base/text.ts';
import type { Ulid } from '../model/id.ts';
import type { Api, RequestParams } from '../model/protocol.ts';
import type { AgentCaller } from './agentCaller.ts';
import { boundAnswer } from './answers.ts';

export async function addTask(
  api: Api,
  { plan, ...args }: { readonly plan: string } & Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  const { summary } = await api.request('state', { plan, verb: 'backlog/add', args }, signal);
  return `Done: ${summary}. A session takes it up when a work phase of ${plan} comes to it.`;
}

export async function sendNote(
  api: Api,
  { plan, text }: { readonly plan: string; readonly text: string },
  signal: AbortSignal,
  id: Ulid,
): Promise<string> {
  const { session, to } = await api.request('send', { id, to: plan, type: 'note', text }, signal);
  return session === undefined
    ? `${to} has the note; its next triage reads it.`
    : `The session that runs ${to} gets the note with its next step.`;
}

export async function runPhase(api: Api, params: RequestParams<'run_phase'>, signal: AbortSignal): Promise<string> {
  const report = await api.request('run_phase', params, signal);
  const { phase, end, next, summary, commits, usage, durationMs, approval } = report;
  const cost = usage?.costUsd === undefined ? '' : `, ${formatDollars(usage.costUsd)}`;
  const lines = [
    `${phase} ${end} in ${formatDuration(durationMs)}${cost}. Next: ${next}.`,
    summary,
    ...commits.map(({ commit, title }) => `- commit ${commit.slice(0, 8)} ${title}`),
    ...(approval === undefined ? [] : [`A person is asked: approval ${approval}.`]),
  ];
  return boundAnswer(lines.join('\n'));
}

export async function stopRun(api: Api, { plan }: { readonly plan: string }, signal: AbortSignal): Promise<string> {
  const { stopped } = await api.request('stop', { plan }, signal);
  return stopped ? `The run of ${plan} was stopped.` : `Nothing of ${plan} was running.`;
}

/** What stands behind a statement is the agent alone, so it is staged, and others see how little it is proven. */
export async function rememberStatement(
  api: Api,
  { title, statement, tags, axis, project }: Omit<RequestParams<'remember'>, 'by' | 'given' | 'session'>,
  signal: AbortSignal,
  _id: Ulid,
  caller: AgentCaller,
): Promise<string> {
  caller.countStatement();
  const from = { by: caller.source(), given: [...caller.shown] };
  const { entry, isNew } = await api.request('remember', { title, statement, tags, axis, project, ...from }, signal);
  return isNew
    ? `It is in ${entry} now, staged and with low confidence, until it is proven or a person accepts it.`
    : `Nothing was added: ${entry} says this already.`;
}
