import type { Readable, Writable } from 'node:stream';
import { defined } from '../base/defined.ts';
import { isRavelError, messageOf } from '../base/errors.ts';
import type { RequestName, RequestParams, RequestResults } from '../model/protocol.ts';
import { nameLengthMax } from '../model/requests/parameters.ts';
import type { CallResult } from '../model/requests/sessions.ts';
import { callIdKeyEnd } from '../model/sessionTools.ts';
import { serveTools } from './stdioServer.ts';

/** The identity of a session, and its right to call tools. */
export interface SessionIdentity {
  readonly session: string;
  readonly token: string;
}

export interface SessionToolsOptions {
  readonly identity: SessionIdentity;
  /** Asks the owner, waiting for one as long as it takes. */
  readonly request: <Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ) => Promise<RequestResults[Name]>;
  /** A fresh id for each call: the owner carries a call out once, however often it is asked. */
  readonly newCallId: () => string;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves the tools of one session to its harness, over MCP on standard input and output, until the input ends. */
export async function serveSessionTools(options: SessionToolsOptions): Promise<void> {
  const { identity, request, input, output } = options;
  const listed = request('session_tools', identity);
  // The program that lists the tools hears of a failure.
  listed.catch(() => undefined);
  await serveTools({
    ...{ version: options.version, input, output },
    list: async () => (await listed).tools,
    async call(tool, args, { meta }) {
      const callId = callIdIn(meta);
      const call = { ...identity, call: options.newCallId(), tool, args, ...defined({ callId }) };
      return request('session_call', call).catch(toCallResult);
    },
  });
}

/** How the harness names a call in its outputs, if it says so; each has a key of its own for it. */
function callIdIn(meta: Readonly<Record<string, unknown>>): string | undefined {
  const [, id] = Object.entries(meta).find(([key]) => key.endsWith(callIdKeyEnd)) ?? [];
  return typeof id === 'string' && id !== '' && id.length <= nameLengthMax ? id : undefined;
}

/** A refusal is something that the model can act on, so it is an answer and no protocol error. */
function toCallResult(error: unknown): CallResult {
  if (!isRavelError(error)) return { text: messageOf(error), isError: true };
  const { message, help } = error.diagnostic;
  return { text: help === undefined ? message : `${message} ${help}`, isError: true };
}
