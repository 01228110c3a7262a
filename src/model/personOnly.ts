import type { RavelError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { failure } from './codes.ts';
import type { RequestName } from './protocol.ts';
import { isReadOnly, isSessionRequest } from './requestKinds.ts';
import { isVerbName, toolFromVerb, verbs } from './verbs.ts';

/** Whether a request is one that a session must leave to a person: neither its own, nor one that only looks. */
export function isForPerson(request: RequestName, params: unknown): boolean {
  return !isSessionRequest(request) && !isReadOnly(request, params);
}

/** The refusal of such a request; `session` is undefined if Ravel cannot tell who asked. */
export function personOnly(request: RequestName, params: unknown, session: string | undefined): RavelError {
  if (session === undefined) {
    const message = `The process that asked for "${request}" has ended, so there is no way to tell whether a person asked.`;
    return failure('session/personOnly', request, message, { help: 'Stay connected until the answer is there.' });
  }
  const message = `"${request}" is for a person, and a process of session ${session} asked for it.`;
  return failure('session/personOnly', request, message, { help: helpFor(request, params) });
}

/** The refusal of a session's process that would own the vault. */
export function ownedByPersons(vault: string, session: string): RavelError {
  const message = `No process owns the vault now, and a process of session ${session} must not.`;
  return failure('session/personOnly', vault, message, { help: 'Wait for the next owner; your session continues.' });
}

/** The refusal of a command that finds no vault in the sandbox of a session. */
export function vaultHidden(session: string, cause: RavelError): RavelError {
  const message = `A command of session ${session} finds no vault: ${cause.message}`;
  const help = 'Use the tools of your session instead of the ravel command; a sandbox hides the vault from commands.';
  return failure('session/personOnly', 'vault', message, { help, cause });
}

/** The session tool that does the same on what the session was given. */
function helpFor(request: RequestName, params: unknown): string {
  const tool = toolFor(request, params);
  const others = 'leave it to a person: finish_phase with the outcome needs-input asks one.';
  return tool === undefined
    ? `Use the tools of your session; if none of them does it, ${others}`
    : `Call the session tool ${tool} instead; if your session has none, ${others}`;
}

function toolFor(request: RequestName, params: unknown): string | undefined {
  if (request === 'dispatch') return toolFromVerb('message/dispatch');
  if (request === 'ask') return toolFromVerb('message/ask');
  if (request === 'reply') return toolFromVerb('message/reply');
  if (request !== 'state' || !isRecord(params)) return undefined;
  const { verb } = params;
  const isTool = typeof verb === 'string' && isVerbName(verb) && verbs[verb].phases.length > 0;
  return isTool ? toolFromVerb(verb) : undefined;
}
