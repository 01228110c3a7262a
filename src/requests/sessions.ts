import { defined } from '../base/defined.ts';
import { recentSessions } from '../inspect/recentSessions.ts';
import { failure } from '../model/codes.ts';
import { isUlid } from '../model/id.ts';
import { lineBytesMax } from '../model/protocol.ts';
import type { sessionRequests } from '../model/requests/sessions.ts';
import type { HandlersOf } from './handlers.ts';

/** Of a transcript in one answer, so that it fits into a line by far. */
const partBytesMax = lineBytesMax / 4;

export const sessionHandlers: HandlersOf<typeof sessionRequests> = {
  async session_tools({ live, consultations }, { session, token }) {
    return consultations.has(session) ? consultations.tools(session, token) : live.tools(session, token);
  },

  async session_call({ live, consultations, services }, { session, token, call, ...rest }) {
    const one = { id: call, ...rest };
    const answer = await (consultations.has(session)
      ? consultations.call(session, token, one)
      : live.call(session, token, one));
    // It may quote a file of the plan or an entry that had the value before the person named it.
    return services.withoutSecrets(answer);
  },

  async judge_tool({ live, services }, { session, token, request }) {
    return services.withoutSecrets(await live.judge(session, token, request));
  },

  async transcript({ transcripts }, { session, from = 0 }) {
    if (!isUlid(session)) throw failure('session/unknown', session, `"${session}" is not a session id`);
    // The part must contain all events told so far, for a client that first listens and then reads.
    const part = await transcripts.page(session, { from, bytesMax: partBytesMax });
    if (part === undefined) throw failure('session/unknown', session, `There is no transcript of session ${session}.`);
    return part;
  },

  async sessions({ services, spending, consultations }, { limit = 50, before }) {
    const { sessions, next } = await recentSessions(services, { limit, before });
    const costs = await spending.costsOf(sessions.map(({ session }) => session));
    const rows = sessions.map((row) => {
      const usd = costs.get(row.session);
      const running = consultations.has(row.session) ? { running: true as const } : {};
      return { ...row, ...running, ...defined({ usd }) };
    });
    return { sessions: rows, ...defined({ next }) };
  },
};
