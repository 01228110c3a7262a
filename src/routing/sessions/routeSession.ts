import { defined } from '../../base/defined.ts';
import { type Diagnostic, isRavelError } from '../../base/errors.ts';
import type { ConsultationReport } from '../../harness/consultation.ts';
import type { Ulid } from '../../model/id.ts';
import { ownName } from '../../model/promptText.ts';
import type { Consulted, Recipient } from '../../model/routing.ts';
import type { KnownRecipients, RecipientDirectory } from '../recipientDirectory.ts';
import { liesIn } from '../rules/ruleSet.ts';
import type { RoutingKnowledge } from '../steps/matchWithoutModel.ts';
import type { RouteSessionQuestion } from '../steps/routerParts.ts';
import { type RouteSessionAnswer, type RouteSessionReport, wholeVault } from '../steps/routeSteps.ts';
import type { CheckSessionPorts } from './checkSession.ts';
import { askedBy, consultationCost } from './consulting.ts';
import { candidatesText, earlierText, messageText, recipientsText } from './promptSections.ts';
import { RouteSessionTools, type RouteSessionToolsPorts } from './routeSessionTools.ts';

export interface RouteSessionPorts extends CheckSessionPorts {
  readonly recipients: RecipientDirectory;
  readonly knowledge: () => Promise<RoutingKnowledge>;
  /** Why a rule would not route the very message that it is suggested for; undefined if it would. */
  readonly whyNot: RouteSessionToolsPorts['whyNot'];
  /** Words of a rule that recorded decisions contradict. */
  readonly contradicted: RouteSessionToolsPorts['contradicted'];
}

/** What a session is shown first of the recipients; the likeliest stand first. */
const likelyMax = 20;

/**
 * Asks a fresh session where a message goes, within one project or within the whole vault. The session is told about an
 * invalid answer while it can still correct it. If it ends without a valid one, that counts as no answer, and its words
 * are kept. Rejects only if `signal` is aborted.
 */
export async function askRouteSession(
  ports: RouteSessionPorts,
  { pending, session, recordCheck }: RouteSessionQuestion,
  signal: AbortSignal,
): Promise<RouteSessionReport> {
  const { message, scope } = pending;
  const known = await ports.recipients.known();
  const inScope = recipientsIn(known, scope).filter(({ id }) => id !== message.from);
  const within = scope === wholeVault ? undefined : scope;
  const knowledge = await ports.knowledge();
  const candidates = knowledge.score(message, pending.facts, within).slice(0, likelyMax);
  const tools = new RouteSessionTools(ports, { pending, session, recordCheck, known, inScope });
  const directory = within === undefined ? undefined : known.projects.get(within);
  const values = {
    MESSAGE: messageText(message),
    CANDIDATES: candidatesText(candidates.slice(0, 10)),
    RECIPIENTS: recipientsText(likeliestFirst(inScope, candidates)),
    EARLIER: earlierText(pending.consulted),
  };
  try {
    const report = await ports.consult(
      {
        ...askedBy(message, { session, model: ports.model, timeMs: ports.timeMs }),
        purpose: 'route',
        prompt:
          within === undefined
            ? { file: 'routing/vault.md', values }
            : { file: 'routing/project.md', values: { ...values, SCOPE: ownName(within) } },
        ...defined({ projectDirectory: directory }),
        tools: tools.all(),
      },
      signal,
    );
    return said(tools, { scope, report, session });
  } catch (error) {
    signal.throwIfAborted();
    if (!isRavelError(error)) throw error;
    return said(tools, { scope, problem: error.diagnostic, session });
  }
}

function recipientsIn({ recipients }: KnownRecipients, scope: string): readonly Recipient[] {
  return scope === wholeVault ? recipients : recipients.filter(({ id }) => liesIn(id, scope));
}

/** Those that the words speak for, then the others as they stand. */
function likeliestFirst(
  recipients: readonly Recipient[],
  candidates: readonly { readonly recipient: string }[],
): Recipient[] {
  const rank = new Map(candidates.map(({ recipient }, at) => [recipient, at]));
  const rankOf = (id: string) => rank.get(id) ?? candidates.length;
  return [...recipients].sort((a, b) => rankOf(a.id) - rankOf(b.id));
}

function said(
  { answer, checked, suggestions }: RouteSessionTools,
  asked: {
    readonly scope: string;
    readonly session: Ulid;
    readonly report?: ConsultationReport;
    readonly problem?: Diagnostic;
  },
): RouteSessionReport {
  const { scope, session, report, problem } = asked;
  // A session that used a tool without asking is not believed.
  const isDoubtful = problem?.code === 'gate/uncovered';
  const taken = isDoubtful ? undefined : answer;
  const last: RouteSessionAnswer = taken ?? { kind: 'none', why: whyNone(report, problem) };
  const cost = report === undefined ? { session, durationMs: 0 } : consultationCost(report);
  const target = last.kind === 'accept' ? last.target : last.kind === 'reject' ? last.retarget : undefined;
  const consulted: Consulted = {
    ...{ level: 2, scope, answer: last.kind },
    ...cost,
    ...defined({ target }),
    reasoning: last.kind === 'accept' ? last.justification : last.kind === 'reject' ? last.reason : last.why,
    ...(last.kind === 'none' && { raw: report?.output ?? problem?.message ?? '' }),
  };
  return { consulted: [...checked, consulted], answer: last, suggestions: isDoubtful ? [] : suggestions };
}

function whyNone(report: ConsultationReport | undefined, problem: Diagnostic | undefined): string {
  if (problem !== undefined) return `No session could be asked. ${problem.message}`;
  if (report?.end === 'timeLimit') return 'The session did not answer in time.';
  return `The session ended (${report?.end ?? 'lost'}) without an answer that could be taken.`;
}
