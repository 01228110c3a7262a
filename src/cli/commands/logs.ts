import { resolvePlan, withApi } from '../../access/openApi.ts';
import { createDeferred } from '../../base/async.ts';
import { failure } from '../../model/codes.ts';
import { isUlid } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import type { SessionRow } from '../../model/requests/sessions.ts';
import type { CommandContext } from '../context.ts';
import { interruptExitCodes } from '../interrupt.ts';
import { isIdPart, rowWithId } from '../shortId.ts';
import { TranscriptReader } from '../transcriptReader.ts';
import { ownerLeftText } from './runs.ts';

/** The transcript of a session, or of a plan's running or last one; with `--follow` also what comes. */
export async function logs(
  context: CommandContext,
  named: string | undefined,
  options: { follow?: boolean },
): Promise<number> {
  const { ports, globals } = context;
  const follow = options.follow === true;
  return withApi(ports, globals.vault, follow ? 'client' : 'local', async ({ api, onDidClose }) => {
    const session = await chooseSession(context, api, named);
    const over = createDeferred<number>();
    const open = new Set((await api.request('approvals', {})).approvals.map(({ approval }) => approval));
    const reader = new TranscriptReader(api, (event) => {
      // A tool request of a session that has ended can no longer be answered.
      const isOver = event.type === 'approval.opened' && event.kind === 'tool-request' && !open.has(event.approval);
      if (follow || !isOver) context.event(event);
      if (follow && event.type === 'session.ended') over.resolve(0);
    });
    if (follow) {
      api.onEvent((event) => {
        if ('session' in event && event.session === session) reader.take(event);
      });
      onDidClose(() => {
        context.note([ownerLeftText]);
        over.resolve(0);
      });
      ports.onInterrupt((interrupt) => over.resolve(interruptExitCodes[interrupt]));
    }
    const { count, ended } = await reader.read(session);
    if (!follow || ended) {
      context.result({ session, events: count }, []);
      return 0;
    }
    reader.goLive();
    return over.promise;
  });
}

async function chooseSession(context: CommandContext, api: Api, named: string | undefined): Promise<string> {
  if (named !== undefined && isUlid(named)) return named;
  const found = named === undefined ? undefined : await sessionByPart(api, named);
  if (found !== undefined) return found.session;
  const plan = await resolvePlan(api, named);
  const { running, lastEnd, project } = await api.request('status', { plan });
  context.setProject(plan, project);
  const session = running?.session ?? lastEnd?.session;
  if (session !== undefined) return session;
  throw failure('session/unknown', plan, 'No session of this plan has run yet.');
}

/** The newest sessions, among which a part of an id is looked for. */
const sessionsSearched = 500;

/** The one session whose id begins or ends with `named`; undefined if none does, as for the name of a plan. */
export async function sessionByPart(api: Api, named: string): Promise<SessionRow | undefined> {
  if (!isIdPart(named)) return undefined;
  const { sessions } = await api.request('sessions', { limit: sessionsSearched });
  return rowWithId(named, sessions, 'sessions', ({ session }) => session);
}
