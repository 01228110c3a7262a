import { isRavelError } from '../../base/errors.ts';
import { deriveUlid } from '../../base/ulid.ts';
import { secretReason } from '../../gates/secrets.ts';
import { describeMisfit, failed } from '../../harness/toolAnswers.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import type { CallResult } from '../../model/requests/sessions.ts';
import { verbs } from '../../model/verbs.ts';
import { deferredText, type GivenReply, type GiveReply, type QuestionEnd, replyTool } from './askedQuestion.ts';
import type { AskingSession } from './askInCall.ts';

type Args = Readonly<Record<string, unknown>>;

/**
 * Answers a call that replies to a question back with what the question comes to then: the answer, or another question
 * back. The reply is durable before it is waited for, and the same call again gives the same one.
 */
export async function replyInCall(
  session: AskingSession,
  give: GiveReply,
  call: string,
  args: Args,
): Promise<CallResult> {
  const begun = await session.inTurn(async () => replyOf(session, call, args));
  if ('isError' in begun) return begun;
  try {
    const end = await give(begun, session.closing);
    return await session.inTurn(() => deliver(session, begun, args, end));
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return session.refuse(error);
  }
}

/** What is replied; or the refusal. */
async function replyOf(session: AskingSession, call: string, args: Args): Promise<GivenReply | CallResult> {
  if (session.isOver()) return failed('The phase is over; nothing was replied.');
  const { plan, session: from } = session.transaction;
  const parsed = verbs['message/reply'].args.safeParse(args);
  if (!parsed.success)
    return session.refuse(failure('state/badArguments', plan, describeMisfit(replyTool, parsed.error)));
  const { question, text } = parsed.data;
  const findings = await session.secretsIn('reply', text);
  if (findings.length > 0) return session.refuse(failure('gate/refused', plan, [secretReason, ...findings].join(' ')));
  return { query: question as Ulid, from: plan, text, id: deriveUlid(['reply', from, call]) };
}

function deliver(
  session: AskingSession,
  { query }: GivenReply,
  args: Args,
  end: QuestionEnd | undefined,
): Promise<CallResult> {
  const replied = { tool: replyTool, verb: 'message/reply', args } as const;
  if (end === undefined) {
    const result = { text: deferredText(query), isError: false };
    return session.record({ ...replied, result }, new Map(), `replied; the question ${query} has no answer yet`);
  }
  const { text, note, isRefused } = end;
  const summary = isRefused ? `the question ${query} is not answered` : `replied about the question ${query}`;
  return session.record({ ...replied, result: { text, isError: isRefused }, notes: [note] }, new Map(), summary);
}
