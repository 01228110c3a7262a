import { defined } from '../base/defined.ts';
import { causeRows, otherCause } from '../model/causeTree.ts';
import type { Ulid } from '../model/id.ts';
import { formatTarget, type TargetFields } from '../model/namedTarget.ts';
import type { Api } from '../model/protocol.ts';
import type { RouteOutcome } from '../model/routing.ts';
import { boundAnswer } from './answers.ts';

/** How long a question is waited for; what is answered later stays with the vault. */
const answerSeconds = 300;

interface ForPlan {
  /** If absent, Ravel finds the right receiver. */
  readonly plan?: string | undefined;
}

export async function dispatchTask(
  api: Api,
  { plan, reason, body }: ForPlan & { readonly reason: string; readonly body: string },
  signal: AbortSignal,
  id: Ulid,
): Promise<string> {
  const { outcome, message } = await api.request('dispatch', { ...targetFieldsOf(plan), id, reason, body }, signal);
  return outcome === undefined
    ? `It is on its way as message ${message}: a session looks for the plan that is right for it.`
    : outcomeWords(outcome);
}

export function askPlan(
  api: Api,
  { plan, question }: ForPlan & { readonly question: string },
  signal: AbortSignal,
  id: Ulid,
): Promise<string> {
  return askActor(api, targetFieldsOf(plan), question, signal, id);
}

export function askExpert(
  api: Api,
  { expert, question }: { readonly expert: string; readonly question: string },
  signal: AbortSignal,
  id: Ulid,
): Promise<string> {
  return askActor(api, formatTarget({ kind: 'expert', name: expert }), question, signal, id);
}

async function askActor(
  api: Api,
  target: TargetFields,
  question: string,
  signal: AbortSignal,
  id: Ulid,
): Promise<string> {
  const params = { ...target, id, question, 'wait-seconds': answerSeconds };
  const { answer, askedBack, outcome, query } = await api.request('ask', params, signal);
  if (askedBack !== undefined) {
    return `${askedBack.by} asks back: ${askedBack.text}\n\nA person replies with: ravel reply ${query} TEXT`;
  }
  if (answer === undefined) {
    const refusal = outcome?.kind === 'refused' ? outcomeWords(outcome) : undefined;
    return refusal ?? `There is no answer yet. A person reads the answer with: ravel answer ${query}`;
  }
  if (answer.state === 'refused') return `${answer.by} does not answer: ${answer.text}`;
  const rests = answer.citations.length === 0 ? '' : `\n\nIt rests on: ${answer.citations.join(', ')}`;
  const doubt = answer.isSupported === false ? ' (what it rests on could not be checked)' : '';
  return boundAnswer(`${answer.by} says${doubt}:\n\n${answer.text}${rests}`);
}

export async function explainWhy(
  api: Api,
  { subject, plan }: ForPlan & { readonly subject: string },
  signal: AbortSignal,
): Promise<string> {
  const trace = await api.request('why', { subject, ...defined({ plan }) }, signal);
  const lines = causeRows(trace).map(({ node, depth, how, also, isSubject }) => {
    const led = how === undefined ? '' : `${how} `;
    const others = also.map((one) => `; also: ${otherCause(one, (title) => title)}`).join('');
    const detail = node.detail === undefined ? '' : ` (${node.detail})`;
    const when = node.at === undefined ? '' : ` at ${node.at}`;
    return `${'  '.repeat(depth)}- ${led}${node.title}${when}${detail}${others}${isSubject ? ' <- this' : ''}`;
  });
  const gaps = trace.gaps.map((gap) => `Not known: ${gap}`);
  return boundAnswer([...lines, ...gaps].join('\n'));
}

function targetFieldsOf(plan: string | undefined): TargetFields {
  return formatTarget(plan === undefined ? { kind: 'auto' } : { kind: 'plan', name: plan });
}

function outcomeWords(outcome: RouteOutcome): string {
  switch (outcome.kind) {
    case 'routed':
      return `${outcome.to} has it; its next triage makes a task of it, or declines it.`;
    case 'refused':
      return `It is refused: ${outcome.reason}. ${outcome.help ?? ''}`.trimEnd();
    case 'waiting':
      return `A person is asked where it goes: approval ${outcome.approval}.`;
  }
}
