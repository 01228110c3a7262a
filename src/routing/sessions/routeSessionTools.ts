import * as z from 'zod';
import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import type { ConsultationTool } from '../../harness/consultation.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { nearestNames } from '../../model/nearest.ts';
import type { Consulted, Recipient, RoutedMessage, SuggestedRule, Suggestion } from '../../model/routing.ts';
import { projectOfRecipient } from '../../model/senders.ts';
import { readWords } from '../facts/text.ts';
import type { KnownRecipients, RecipientDirectory } from '../recipientDirectory.ts';
import { freeId } from '../rules/ruleFile.ts';
import { ruleKey } from '../rules/ruleKey.ts';
import { liesIn } from '../rules/ruleSet.ts';
import { type PendingRoute, type RouteSessionAnswer, wholeVault } from '../steps/routeSteps.ts';
import { askCheckSession, type CheckSessionPorts } from './checkSession.ts';
import { planView } from './planView.ts';
import { recipientLine, recipientLinesMax } from './promptSections.ts';

/** Words of one condition; a person reads them. */
const termsMax = 30;

const words = z.string().trim().min(1).max(4000);
const name = z.string().trim().min(1).max(500);
const terms = z.array(z.string().trim().min(1).max(80)).max(termsMax);

const ruleFields = {
  all: terms.optional().describe('words that the message must all be about'),
  any: terms.optional().describe('words of which it must be about one at least'),
  none: terms.optional().describe('words that it must not be about'),
  from: name.optional().describe('only what this plan, or any plan of this project, sends'),
  note: z.string().trim().max(500).optional().describe('for people: why the rule is right'),
};

const acceptArgs = z.object({
  target_plan: name.describe('the qualified id of the plan or expert that takes it'),
  justification: words.describe('why it belongs there'),
  suggested_rule: z.object(ruleFields).optional().describe('a rule that would route such messages there from now on'),
});
const rejectArgs = z.object({
  reason: words.describe('why no plan here takes it'),
  suggested_retarget: name.optional().describe('the project that it belongs to'),
});
const ruleArgs = z.object({
  ...ruleFields,
  target: name.describe('the plan, expert or project that such messages go to'),
  reason: words.describe('why such messages belong there'),
});
const listArgs = z.object({ query: z.string().trim().max(500).optional().describe('words to look for') });
const showArgs = z.object({ plan: name });
const verifyArgs = z.object({ plan: name, question: z.string().trim().max(2000).optional() });

export interface RouteSessionToolsPorts extends CheckSessionPorts {
  readonly recipients: Pick<RecipientDirectory, 'isThere'>;
  readonly whyNot: (rule: SuggestedRule, message: RoutedMessage) => Promise<string | undefined>;
  /** Words of `any` that recorded decisions contradict. An abort rejects. */
  readonly contradicted: (rule: SuggestedRule, signal: AbortSignal) => Promise<readonly string[]>;
}

export interface RouteSessionSubject {
  readonly pending: PendingRoute;
  readonly session: Ulid;
  readonly recordCheck: (session: Ulid) => Promise<void>;
  readonly known: KnownRecipients;
  /** Whom this session may name: of its project or of the vault, never the sender. */
  readonly inScope: readonly Recipient[];
}

type ToolAnswer = Awaited<ReturnType<ConsultationTool['call']>>;

/** Plans that one session may have looked at by another. */
const checksMax = 5;
/** Rules that one session may suggest. */
const suggestionsMax = 3;

/** What a session can do that is asked where a message goes, and what it has said by that. */
export class RouteSessionTools {
  readonly #ports: RouteSessionToolsPorts;
  readonly #subject: RouteSessionSubject;
  readonly #byId: ReadonlyMap<string, Recipient>;
  readonly #suggestions = new Map<string, Suggestion>();
  readonly #checked: Consulted[] = [];
  #answer: RouteSessionAnswer | undefined;

  constructor(ports: RouteSessionToolsPorts, subject: RouteSessionSubject) {
    this.#ports = ports;
    this.#subject = subject;
    this.#byId = new Map(subject.inScope.map((recipient) => [recipient.id, recipient]));
  }

  /** Undefined until it has answered. */
  get answer(): RouteSessionAnswer | undefined {
    return this.#answer;
  }

  get checked(): readonly Consulted[] {
    return this.#checked;
  }

  get suggestions(): readonly Suggestion[] {
    return [...this.#suggestions.values()];
  }

  all(): ConsultationTool[] {
    return [
      tool('list_plans', 'Lists who could take the message, the best matches for `query` first.', listArgs, (args) =>
        this.#list(args.query ?? ''),
      ),
      tool('show_plan', 'Shows what a plan is for, what it remembers and what it has open.', showArgs, ({ plan }) =>
        this.#show(plan),
      ),
      tool(
        'verify_plan',
        'Has a session look at one plan and say whether it takes the message.',
        verifyArgs,
        (args, signal) => this.#verify(args, signal),
      ),
      tool('suggest_rule', 'Suggests a rule for such messages; a person decides about it.', ruleArgs, (args, signal) =>
        this.#suggest(args, { target: args.target, reason: args.reason }, signal),
      ),
      tool('accept_dispatch', 'Says who takes the message. Ends the session.', acceptArgs, (args, signal) =>
        this.#accept(args, signal),
      ),
      tool(
        'reject_dispatch',
        'Says that no plan here takes it, and which project might. Ends the session.',
        rejectArgs,
        (args) => this.#reject(args),
      ),
    ];
  }

  async #list(query: string): Promise<ToolAnswer> {
    const { inScope } = this.#subject;
    const found = query === '' ? inScope : matching(inScope, query);
    const shown = found.slice(0, recipientLinesMax).map(recipientLine);
    const left = found.length - shown.length;
    const more = left > 0 ? [`- and ${left} more; look for other words`] : [];
    return answered([...shown, ...more].join('\n') || 'No match. Look for other words, or for none.');
  }

  async #show(plan: string): Promise<ToolAnswer> {
    const recipient = this.#byId.get(plan);
    if (recipient === undefined) return refused(this.#unknown(plan));
    if (projectOfRecipient(recipient.id) === undefined) return answered(recipientLine(recipient));
    return answered(await planView(this.#ports.disk, this.#ports.layout, recipient.id));
  }

  async #verify({ plan, question = '' }: z.infer<typeof verifyArgs>, signal: AbortSignal): Promise<ToolAnswer> {
    const recipient = this.#byId.get(plan);
    if (recipient === undefined) return refused(this.#unknown(plan));
    if (projectOfRecipient(recipient.id) === undefined)
      return refused(`${plan} is an expert; only a plan can be looked at.`);
    if (this.#checked.length >= checksMax)
      return refused(`${checksMax} plans were looked at; decide by what is known.`);
    const { recordCheck, pending } = this.#subject;
    const session = this.#ports.newUlid();
    await recordCheck(session);
    try {
      const { takes, reasoning, consulted } = await askCheckSession(
        this.#ports,
        { message: pending.message, session, plan: recipient.id, question },
        signal,
      );
      this.#checked.push(consulted);
      if (takes === undefined) return answered(`There is no answer: ${reasoning}`);
      return answered(`${takes ? 'Yes' : 'No'}. ${reasoning}`);
    } catch (error) {
      signal.throwIfAborted();
      if (!isRavelError(error)) throw error;
      return refused(`No session could be asked: ${error.message}`);
    }
  }

  async #accept(args: z.infer<typeof acceptArgs>, signal: AbortSignal): Promise<ToolAnswer> {
    const { target_plan, justification, suggested_rule } = args;
    const recipient = this.#byId.get(target_plan);
    if (recipient === undefined) return refused(this.#unknown(target_plan));
    if (!(await this.#ports.recipients.isThere(recipient.id)))
      return refused(`${recipient.id} is gone; it was removed just now.`);
    if (suggested_rule !== undefined) {
      const taken = await this.#suggest(suggested_rule, { target: recipient.id, reason: justification }, signal);
      // The session can correct the rule or leave it out, and answer again.
      if (taken.isError) return refused(`The rule cannot be suggested, and nothing was accepted yet. ${taken.text}`);
    }
    const isChecked = this.#checked.some(({ scope, answer }) => scope === recipient.id && answer === 'accept');
    this.#answer = { kind: 'accept', target: recipient.id, justification, isChecked };
    return { text: `${recipient.id} takes it.`, isError: false, ends: true };
  }

  async #reject({ reason, suggested_retarget }: z.infer<typeof rejectArgs>): Promise<ToolAnswer> {
    const problem = suggested_retarget === undefined ? undefined : this.#retargetProblem(suggested_retarget);
    if (problem !== undefined) return refused(problem);
    this.#answer = {
      kind: 'reject',
      reason,
      ...defined({ retarget: suggested_retarget }),
    };
    return { text: 'It is turned away.', isError: false, ends: true };
  }

  #retargetProblem(project: string): string | undefined {
    const { known, pending } = this.#subject;
    const names = [...known.projects.keys()];
    if (project === pending.scope) return `You are looking at ${project} now; name another project, or none.`;
    if (pending.turnedAway.includes(project))
      return `${project} turned it away already; name another project, or none.`;
    if (known.projects.has(project)) return undefined;
    const near = nearestNames(project, names);
    const shown = near.length > 0 ? near : names.slice(0, 20);
    return `There is no project ${project}. Projects: ${shown.join(', ')}. Name one of them, or none.`;
  }

  async #suggest(
    fields: Pick<SuggestedRule, 'all' | 'any' | 'none' | 'from' | 'note'>,
    { target, reason }: { readonly target: string; readonly reason: string },
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const { pending, session, known } = this.#subject;
    const { message } = pending;
    if (!known.byId.has(target) && !known.projects.has(target)) return refused(this.#unknown(target));
    if ((fields.all ?? []).length + (fields.any ?? []).length === 0) {
      return refused('A rule needs words: at least one under all or any.');
    }
    const named = Object.fromEntries(Object.entries(fields).filter(([key]) => key in ruleFields));
    const unnamed: SuggestedRule = { ...named, id: '', on: message.type, target };
    const rule: SuggestedRule = { ...unnamed, id: freeId(unnamed, new Set()) };
    const why = await this.#ports.whyNot(rule, message);
    if (why !== undefined) return refused(`The rule would not route this very message: ${why}.`);
    const contradicted = await this.#ports.contradicted(rule, signal);
    // If nothing would be left of it, the session may know better than what was decided: a person sees both.
    if (contradicted.length > 0 && contradicted.length < (rule.any ?? []).length) {
      return refused(`Messages about these words went elsewhere: ${contradicted.join(', ')}. Leave them out.`);
    }
    if (this.#suggestions.size >= suggestionsMax) return refused(`${suggestionsMax} rules are enough for one message.`);
    this.#suggestions.set(ruleKey(rule), { rule, by: 'level-2', reason, messages: [message.id], session });
    return answered('A person will decide about the rule.');
  }

  /** Why a plan or expert cannot be named here, with similar names. */
  #unknown(plan: string): string {
    const { known, pending, inScope } = this.#subject;
    if (plan === pending.message.from) return `${plan} sent the message; name another one, or turn it away.`;
    const other = known.byId.get(plan);
    if (other !== undefined && pending.scope !== wholeVault && !liesIn(plan, pending.scope)) {
      const project = projectOfRecipient(other.id);
      const instead = project === undefined ? 'turn it away' : `turn it away with suggested_retarget: ${project}`;
      return `${plan} is not a plan of ${pending.scope}; take one of that project, or ${instead}.`;
    }
    const near = nearestNames(plan, inScope.map(({ id }) => id) as readonly QualifiedId[]);
    const help = near.length === 0 ? 'list_plans shows whom you can name.' : `Near it: ${near.join(', ')}.`;
    return `There is no plan or expert ${plan} here. ${help}`;
  }
}

/** Recipients by how many of the query's words they have; none of those that have none. */
function matching(recipients: readonly Recipient[], query: string): readonly Recipient[] {
  const wanted = stems(query);
  return recipients
    .map((recipient) => ({
      recipient,
      hits: countShared(wanted, stems(`${recipient.id} ${recipient.description} ${recipient.tags.join(' ')}`)),
    }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .map(({ recipient }) => recipient);
}

function stems(text: string): ReadonlySet<string> {
  return new Set(readWords(text).sequence.map(({ stem }) => stem));
}

function countShared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let count = 0;
  for (const stem of left) if (right.has(stem)) count++;
  return count;
}

function tool<Args extends z.ZodObject>(
  toolName: string,
  description: string,
  args: Args,
  call: (args: z.infer<Args>, signal: AbortSignal) => Promise<ToolAnswer>,
): ConsultationTool {
  return { name: toolName, description, args, call: (given, signal) => call(args.parse(given), signal) };
}

function answered(text: string): ToolAnswer {
  return { text, isError: false };
}

function refused(text: string): ToolAnswer {
  return { text, isError: true };
}
