import { defined } from '../base/defined.ts';
import { recentSessions } from '../inspect/recentSessions.ts';
import { failure } from '../model/codes.ts';
import type { RavelEvent } from '../model/event.ts';
import { isUlid, type QualifiedId, type Ulid } from '../model/id.ts';
import type { PolicyVerdict } from '../model/requests/policy.ts';
import type { RequestContext } from './handlers.ts';

/** Sessions that are looked at, and verdicts of them that are told. */
const sessionsMax = 200;
const verdictsMax = 1000;
const partBytesMax = 1024 * 1024;

export interface VerdictsAsked {
  readonly session?: string | undefined;
  readonly plan?: QualifiedId | undefined;
  /** Only what was not simply allowed. */
  readonly refused: boolean;
}

/** What the gates on tools said, the newest session first, in each in the order of its calls. */
export async function verdictsOf(
  { services, transcripts }: Pick<RequestContext, 'services' | 'transcripts'>,
  { session, plan, refused }: VerdictsAsked,
  signal: AbortSignal,
): Promise<{ readonly verdicts: readonly PolicyVerdict[]; readonly isCut: boolean }> {
  const sessions = session === undefined ? await sessionsOf(services, plan) : [sessionNamed(session)];
  const verdicts: PolicyVerdict[] = [];
  for (const one of sessions) {
    for (let from = 0; ; ) {
      signal.throwIfAborted();
      const part = await transcripts.page(one, { from, bytesMax: partBytesMax });
      if (part === undefined) {
        if (session === undefined) break;
        throw failure('session/unknown', one, `There is no transcript of session ${one}.`);
      }
      verdicts.push(...part.events.flatMap((event) => verdictIn(event, one)).filter(isWanted));
      if (verdicts.length > verdictsMax) return { verdicts: verdicts.slice(0, verdictsMax), isCut: true };
      if (part.next <= from) break;
      from = part.next;
    }
  }
  return { verdicts, isCut: false };

  function isWanted({ outcome }: PolicyVerdict): boolean {
    return !refused || (outcome !== 'accept' && outcome !== 'modify');
  }
}

function sessionNamed(text: string): Ulid {
  if (!isUlid(text)) throw failure('session/unknown', text, `"${text}" is not a session id`);
  return text;
}

async function sessionsOf(
  services: RequestContext['services'],
  plan: QualifiedId | undefined,
): Promise<readonly Ulid[]> {
  const { sessions } = await recentSessions(services, { limit: sessionsMax });
  return sessions.filter((row) => plan === undefined || row.plan === plan).map((row) => row.session);
}

/** A gate on tools names the tool; the others judge what a session proposes. */
function verdictIn(event: RavelEvent, session: Ulid): readonly PolicyVerdict[] {
  if (event.type !== 'gate.judged' || event.subject === undefined) return [];
  const { at, actor, gate, subject: tool, outcome, call, rule, reason } = event;
  return [{ ...{ at, actor, session, gate, tool, outcome }, ...defined({ call, rule, reason }) }];
}
