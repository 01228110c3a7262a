import { createDeferred } from '../../base/async.ts';
import { failure } from '../../model/codes.ts';
import type { RavelEvent } from '../../model/event.ts';
import { isUlid } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import { choosePlan, withApi } from '../access.ts';
import type { CommandContext } from '../context.ts';
import { interruptExitCodes } from '../interrupt.ts';

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
    const live: RavelEvent[] = [];
    const over = createDeferred<number>();
    let show = (event: RavelEvent) => void live.push(event);
    if (follow) {
      api.onEvent((event) => {
        if ('session' in event && event.session === session) show(event);
      });
      onDidClose(() => over.resolve(0));
      ports.onInterrupt((interrupt) => over.resolve(interruptExitCodes[interrupt]));
    }
    const seen = await printTranscript(context, api, session);
    if (!follow || seen.ended) {
      context.result({ session, events: seen.keys.size }, []);
      return 0;
    }
    show = (event) => {
      // What came while the transcript was read stands in it already.
      if (seen.keys.delete(keyOf(event))) return;
      context.event(event);
      if (event.type === 'session.ended') over.resolve(0);
    };
    for (const event of live) show(event);
    return over.promise;
  });
}

async function chooseSession(context: CommandContext, api: Api, named: string | undefined): Promise<string> {
  if (named !== undefined && isUlid(named)) return named;
  const plan = await choosePlan(api, named);
  const { running, lastEnd, project } = await api.request('status', { plan });
  context.setProject(plan, project);
  const session = running?.session ?? lastEnd?.session;
  if (session !== undefined) return session;
  throw failure('session/unknown', plan, 'No session of this plan has run yet.');
}

interface Seen {
  readonly keys: Set<string>;
  readonly ended: boolean;
}

async function printTranscript(context: CommandContext, api: Api, session: string): Promise<Seen> {
  const keys = new Set<string>();
  let ended = false;
  for (let from = 0; ; ) {
    const { events, next } = await api.request('transcript', { session, from });
    for (const event of events) {
      context.event(event);
      keys.add(keyOf(event));
      ended ||= event.type === 'session.ended';
    }
    if (events.length === 0 || next <= from) return { keys, ended };
    from = next;
  }
}

/** The same event from the transcript and from the live flow. */
function keyOf(event: RavelEvent): string {
  return event.type === 'session.output' ? `output ${event.seq}` : JSON.stringify(event);
}
