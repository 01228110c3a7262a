import { failure } from '../model/codes.ts';
import { isUlid } from '../model/id.ts';
import type { sessionRequests } from '../model/requests/sessions.ts';
import { loadTranscript } from '../plans/transcripts.ts';
import type { HandlersOf } from './handlers.ts';

export const sessionHandlers: HandlersOf<typeof sessionRequests> = {
  async session_tools({ live }, { session, token }) {
    return live.tools(session, token);
  },

  session_call({ live }, { session, token, call, tool, args }) {
    return live.call(session, token, { id: call, tool, args });
  },

  async transcript({ services, transcripts }, { session, from = 0 }) {
    if (!isUlid(session)) throw failure('session/unknown', session, `"${session}" is no session id`);
    // What was told already must be in it, for whoever listens first and then reads.
    await transcripts.flush(session);
    const events = await loadTranscript(services.disk, services.layout, session);
    if (events.length === 0) throw failure('session/unknown', session, `There is no transcript of session ${session}.`);
    return { events: events.slice(from), next: events.length };
  },
};
