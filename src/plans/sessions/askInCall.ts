import { defined } from '../../base/defined.ts';
import { isRavelError, type RavelError } from '../../base/errors.ts';
import { deriveUlid } from '../../base/ulid.ts';
import { secretReason } from '../../gates/secrets.ts';
import { failed } from '../../harness/toolAnswers.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import { parseTarget } from '../../model/namedTarget.ts';
import { planFiles } from '../../model/plan.ts';
import type { CallResult } from '../../model/requests/sessions.ts';
import { queryFileSchema } from '../../model/session.ts';
import { parseYaml } from '../../yaml/yaml.ts';
import type { CallRecord, StagedEdits } from '../proposals/callJournal.ts';
import type { Transaction } from '../transaction.ts';
import { applyVerb } from '../verbs/applyVerb.ts';
import type { VerbContext, VerbEffect } from '../verbs/verbContext.ts';
import { type AskedQuestion, type AskQuestion, deferredText, type QuestionEnd } from './askedQuestion.ts';

/** What a call that asks needs of its session. */
export interface AskingSession {
  readonly transaction: Transaction;
  /** Aborts when nothing more is waited for. */
  readonly closing: AbortSignal;
  /** Runs in the order of the session's calls; what has its answer already is given that one again. */
  inTurn<T>(work: () => Promise<T>): Promise<T | CallResult>;
  /** What the verb works on; its record gets this id. */
  context(id: Ulid): Promise<VerbContext>;
  isOver(): boolean;
  /** What looks like a secret in something that is about to leave the plan; one sentence each. */
  secretsIn(name: string, text: string): Promise<readonly string[]>;
  record(record: Omit<CallRecord, 'call'>, edits: StagedEdits, summary: string): Promise<CallResult>;
  refuse(error: RavelError): CallResult;
}

type Args = Readonly<Record<string, unknown>>;

const verb = 'message/ask';

/**
 * Answers a call that asks something with the answer. It is waited for outside of the session's turns: neither notes nor
 * other calls wait behind a question. What has no answer in time is told later, and what could not be taken in is left
 * for after the phase, under its own id.
 */
export async function askInCall(
  session: AskingSession,
  ask: AskQuestion,
  call: string,
  args: Args,
): Promise<CallResult> {
  const id = deriveUlid(['question', session.transaction.session, call]) as Ulid;
  const begun = await session.inTurn(() => question(session, id, args));
  if ('text' in begun) return begun;
  const end = await ask(begun, session.closing).catch((error: unknown) => {
    if (!isRavelError(error)) throw error;
    return 'left' as const;
  });
  return session.inTurn(() => deliverAnswer(session, id, args, end));
}

/** What is asked, checked as the verb checks it; or the refusal. */
async function question(session: AskingSession, id: Ulid, args: Args): Promise<AskedQuestion | CallResult> {
  if (session.isOver()) return over(id);
  try {
    const { edits } = applyVerb(verb, args, await session.context(id));
    const left = parseYaml(edits.get(planFiles.queries) ?? '', { file: planFiles.queries, subject: id }).value;
    const entry = queryFileSchema.parse(left).queries?.at(-1);
    if (entry === undefined) return failed('Nothing is asked.');
    const { plan, session: from } = session.transaction;
    const { reason, body, cause } = entry;
    const findings = await session.secretsIn('question', `${reason}\n${body}`);
    if (findings.length > 0) throw failure('gate/refused', plan, [secretReason, ...findings].join(' '));
    return { id, plan, session: from, target: parseTarget(entry), reason, body, ...defined({ cause }) };
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return session.refuse(error);
  }
}

async function deliverAnswer(
  session: AskingSession,
  id: Ulid,
  args: Args,
  end: QuestionEnd | 'left' | undefined,
): Promise<CallResult> {
  if (session.isOver()) return over(id);
  const asked = { tool: verb, verb, args };
  if (end === 'left') {
    const effect: VerbEffect = applyVerb(verb, args, await session.context(id));
    return session.record(
      { ...asked, result: { text: deferredText(id), isError: false } },
      effect.edits,
      effect.summary,
    );
  }
  if (end === undefined) {
    const summary = `the question ${id} has no answer yet`;
    return session.record({ ...asked, result: { text: deferredText(id), isError: false } }, new Map(), summary);
  }
  const { text, note, isRefused } = end;
  const summary = isRefused ? `the question ${id} is not answered` : `the question ${id} is answered`;
  return session.record({ ...asked, result: { text, isError: isRefused }, notes: [note] }, new Map(), summary);
}

function over(id: Ulid): CallResult {
  return failed(`The phase is over. ${deferredText(id)}`);
}
