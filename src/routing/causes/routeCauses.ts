import { defined } from '../../base/defined.ts';
import { firstLine, plural } from '../../base/text.ts';
import type { Decision } from '../../model/approval.ts';
import type { Answer } from '../../model/requests/messages.ts';
import type { Consulted, RoutingDecision, RoutingResult, Suggestion } from '../../model/routing.ts';
import { deciders, senderText } from '../../model/routingText.ts';
import type { Rule } from '../../model/rule.ts';
import type { CauseStep, ExpandedCause } from './causality.ts';

/** What a message's sender and its receiver have written down about it, as far as it is found. */
export interface MessageFacts {
  readonly id: string;
  /** A plan, an expert or `person`. */
  readonly from?: string;
  readonly at?: string;
  readonly reason?: string;
  readonly body?: string;
  /** The sender's record. */
  readonly sent?: {
    readonly session?: string;
    /** The task of the sender that it was. */
    readonly task?: string;
    readonly outcome: string;
    readonly cause?: string;
  };
  /** The receiver's record. */
  readonly received?: { readonly plan: string; readonly state: string; readonly task?: string };
  readonly origin?: string;
  /** Where it stands, while its receiver is looked for. */
  readonly onItsWay?: string;
  readonly isDecided: boolean;
  readonly isAnswered: boolean;
  /** Messages that the receiver sent because of it. */
  readonly caused: readonly string[];
}

/** Why a message was sent, with links to the decision that routed it and to what followed from it. */
export function expandMessage(facts: MessageFacts): ExpandedCause {
  const { id, from, at, reason, body, sent, received, isDecided, isAnswered } = facts;
  const title = `message from ${from === undefined ? 'an unknown sender' : senderText(from)}${body === undefined ? '' : `: ${firstLine(body)}`}`;
  const outcome = sent === undefined ? undefined : `with its sender: ${sent.outcome}`;
  const after: CauseStep[] = [];
  if (isDecided) after.push({ to: { kind: 'decision', id }, how: 'was routed by' });
  else if (received !== undefined) after.push(...becameTask(received));
  if (isAnswered) after.push({ to: { kind: 'answer', id }, how: 'was answered by' });
  for (const other of facts.caused) after.push({ to: { kind: 'message', id: other }, how: 'led to' });
  const detail = joined([reason, facts.onItsWay === undefined ? outcome : `on its way: ${facts.onItsWay}`]);
  return {
    node: { kind: 'message', id, title, ...defined({ at, detail, plan: received?.plan }) },
    before: sendersOf(facts),
    after,
    gaps: messageGaps(facts),
  };
}

function sendersOf({ id, from, sent, origin }: MessageFacts): CauseStep[] {
  const steps: CauseStep[] = [];
  const cause = sent?.cause ?? (origin === id ? undefined : origin);
  if (cause !== undefined) steps.push({ to: { kind: 'message', id: cause }, how: 'led to' });
  if (sent?.task !== undefined && from !== undefined) {
    steps.push({ to: { kind: 'task', id: sent.task, plan: from }, how: 'was handed over as' });
  }
  if (sent?.session !== undefined) {
    steps.push({ to: { kind: 'session', id: sent.session, ...defined({ plan: from }) }, how: 'sent' });
  } else if (from === 'person') {
    steps.push({ to: { kind: 'person', id: 'person' }, how: 'sent' });
  }
  return steps;
}

function messageGaps({ id, from, sent, received, isDecided }: MessageFacts): string[] {
  const gaps: string[] = [];
  if (from === undefined)
    gaps.push(`Neither a sender nor a receiver of the message ${id} has a record of it any more.`);
  else if (from !== 'person' && sent === undefined) gaps.push(`${from} has no record that it sent the message ${id}.`);
  else if (from !== 'person' && (sent?.session ?? sent?.task) === undefined) {
    gaps.push(
      `The record of the message ${id} names no session: a person sent it for ${from}, or an older version did.`,
    );
  }
  if (!isDecided && received !== undefined) gaps.push(`How the message ${id} was routed is not recorded.`);
  return gaps;
}

function becameTask({ plan, task }: { readonly plan: string; readonly task?: string }): CauseStep[] {
  return task === undefined ? [] : [{ to: { kind: 'task', id: task, plan }, how: 'was promoted to' }];
}

/** Who or what decided where a message goes, and what became of it there. */
export function expandDecision(
  decision: RoutingDecision,
  result: Pick<RoutingResult, 'plan' | 'result' | 'task' | 'reason'> | undefined,
): ExpandedCause {
  const { message, at, step, rules, consulted, by, reasoning } = decision;
  const before: CauseStep[] = [{ to: { kind: 'message', id: message }, how: 'was routed by' }];
  if (step === 'rules') {
    before.push(...rules.map((rule): CauseStep => ({ to: { kind: 'rule', id: rule }, how: 'decided' })));
  }
  for (const asked of consulted) before.push({ to: { kind: 'session', id: asked.session }, how: consultedHow(asked) });
  if (by !== undefined) before.push({ to: { kind: 'person', id: by }, how: 'decided' });
  const after = result?.task === undefined ? [] : becameTask({ plan: result.plan, task: result.task });
  const declined = result?.result === 'declined' ? `declined by ${result.plan}: ${result.reason ?? 'no reason'}` : '';
  return {
    node: {
      ...{ kind: 'decision', id: message, at },
      title: decisionTitle(decision),
      ...defined({ detail: joined([reasoning, declined]), plan: planIn(decision) }),
    },
    before,
    after,
    gaps: [],
  };
}

function consultedHow({ level, answer, target }: Consulted): string {
  const asked = level === 2 ? 'was asked who takes it' : 'was asked whether its plan takes it';
  if (answer === 'none') return `${asked} and gave no answer to`;
  const where = target === undefined ? '' : ` for ${target}`;
  return `${asked} and said ${answer === 'accept' ? 'yes' : 'no'}${where} in`;
}

function decisionTitle({ step, outcome, facts }: RoutingDecision): string {
  const by = `decision by ${deciders[step]}`;
  const about = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  switch (outcome.kind) {
    case 'routed':
      return `${by}${about}: to ${outcome.to}`;
    case 'refused':
      return `${by}${about}: refused, ${outcome.reason}`;
    case 'waiting':
      return `no decision yet${about}: a person is asked`;
  }
}

function planIn({ outcome }: RoutingDecision): string | undefined {
  return outcome.kind === 'routed' ? outcome.to : undefined;
}

export interface RuleFacts {
  readonly id: string;
  /** Undefined if the file has no rule of that id any more. */
  readonly rule: Rule | undefined;
  /** Messages that it decided about, the oldest first, and how many more there are. */
  readonly decided: readonly string[];
  readonly more: number;
  /** The commit of the vault that put it there. */
  readonly commit?: string;
}

/** Where a rule comes from, and which messages it routed. */
export function expandRule({ id, rule, decided, more, commit }: RuleFacts): ExpandedCause {
  const origin = rule?.origin;
  const before: CauseStep[] = [];
  if (origin?.suggestion != null) {
    before.push({ to: { kind: 'suggestion', id: origin.suggestion }, how: 'was accepted as' });
  } else if (origin?.by != null) {
    before.push({ to: { kind: 'person', id: origin.by }, how: 'wrote' });
  }
  const gaps: string[] = [];
  if (rule === undefined) gaps.push(`routing.yaml has no rule ${id} any more, so its origin is unknown.`);
  else if (before.length === 0) gaps.push(`The rule ${id} names no origin: it was written into routing.yaml by hand.`);
  if (more > 0) gaps.push(`The rule ${id} also decided ${plural(more, 'earlier message')}, not shown here.`);
  const after: CauseStep[] = [];
  if (commit !== undefined) after.push({ to: { kind: 'commit', id: commit }, how: 'was written down in' });
  after.push(...decided.map((message): CauseStep => ({ to: { kind: 'decision', id: message }, how: 'decided' })));
  return {
    node: {
      ...{ kind: 'rule', id, title: rule === undefined ? `rule ${id}` : `rule ${id}: to ${rule.target}` },
      ...defined({ at: origin?.at, detail: joined([conditions(rule), rule?.note ?? undefined]) }),
    },
    ...{ before, after, gaps },
  };
}

function conditions(rule: Rule | undefined): string | undefined {
  const words = (['all', 'any', 'none'] as const).flatMap((key) => {
    const facts = rule?.[key] ?? [];
    return facts.length === 0 ? [] : [`${key} of ${facts.join(', ')}`];
  });
  return words.length === 0 ? undefined : words.join('; ');
}

/** What a suggestion was, whether it was answered or not. */
export type SuggestionFacts = Pick<Decision, 'id' | 'createdAt'> &
  Partial<Pick<Decision, 'decision' | 'by' | 'at' | 'reason'>> & {
    readonly suggestion: Suggestion;
    /** Id of the rule that was made of it; undefined if the file has none any more, or not yet. */
    readonly made: string | undefined;
  };

/** How many of the messages that led to a suggestion are followed; the rest are only counted. */
const messagesFollowed = 10;

/** Who suggested a rule and after which messages, and what a person said to it. */
export function expandSuggestion(facts: SuggestionFacts): ExpandedCause {
  const { id, createdAt, suggestion, made, decision, by, at, reason } = facts;
  const { rule, messages, session } = suggestion;
  const before = messages
    .slice(-messagesFollowed)
    .map((message): CauseStep => ({ to: { kind: 'decision', id: message }, how: 'led to' }));
  if (session !== undefined) before.push({ to: { kind: 'session', id: session }, how: 'suggested' });
  const more = messages.length - messagesFollowed;
  const wasAccepted = decision === 'accept' || decision === 'edit';
  if (by !== undefined) before.push({ to: { kind: 'person', id: by }, how: wasAccepted ? 'accepted' : 'rejected' });
  const gaps: string[] = [];
  if (more > 0) gaps.push(`The suggestion ${id} also rests on ${plural(more, 'earlier message')}, not shown here.`);
  if (wasAccepted && made === undefined) gaps.push(`The rule that was made of ${id} is not in routing.yaml any more.`);
  const answered = decision === undefined ? 'not decided yet' : `${decision} by ${by} at ${at}`;
  return {
    node: {
      ...{ kind: 'suggestion', id, at: createdAt },
      title: `suggested rule ${rule.id}: to ${rule.target}`,
      detail: joined([suggestion.reason, answered, reason]) ?? answered,
    },
    before,
    after: made === undefined ? [] : [{ to: { kind: 'rule', id: made }, how: 'was accepted as' }],
    gaps,
  };
}

/** Who answered a question, and what. */
export function expandAnswer(answer: Answer): ExpandedCause {
  const { query, by, at, state, text, session } = answer;
  const before: CauseStep[] = [{ to: { kind: 'message', id: query }, how: 'was answered by' }];
  if (session !== undefined) before.push({ to: { kind: 'session', id: session, plan: by }, how: 'gave' });
  const title = state === 'answered' ? `answer of ${by}` : `refusal of ${by}`;
  return { node: { kind: 'answer', id: query, plan: by, at, title, detail: text }, before, after: [], gaps: [] };
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  const there = parts.filter((part) => part !== undefined && part.trim() !== '');
  return there.length === 0 ? undefined : there.join(' · ');
}
