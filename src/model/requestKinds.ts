import type { RequestName } from './protocol.ts';
import { isReadingVerb } from './readingVerbs.ts';

/**
 * What a request does to the world:
 * - `reads`: it reads files. A window without trust answers it, and a page that is gone needs no answer any more.
 * - `runs`: it changes nothing that stays, but may start a program, or is a session's own. It ends with its client, too.
 * - `writes`: it changes something, or runs on. It is carried through: a client that went away finds the result in the plan,
 *   or asks again.
 */
export type RequestKind = 'reads' | 'runs' | 'writes';

export const requestKinds: Readonly<Record<RequestName, RequestKind>> = {
  hello: 'reads',
  outline: 'reads',
  list: 'reads',
  status: 'reads',
  verify: 'reads',
  rescan: 'runs',
  transcript: 'reads',
  sessions: 'reads',
  session_tools: 'runs',
  session_call: 'writes',
  judge_tool: 'runs',
  terminals: 'reads',
  open_terminal: 'writes',
  close_terminal: 'writes',
  adopt: 'writes',
  create: 'writes',
  import: 'writes',
  rename: 'writes',
  remove: 'writes',
  projects: 'reads',
  rename_project: 'writes',
  remove_project: 'writes',
  archives: 'reads',
  doctor: 'runs',
  documents: 'reads',
  look_at: 'reads',
  repairs: 'reads',
  complete_at: 'reads',
  describe_at: 'reads',
  harnesses: 'runs',
  inspect_project: 'runs',
  clean: 'writes',
  restore: 'writes',
  experts: 'reads',
  spending: 'reads',
  settings: 'reads',
  run_phase: 'writes',
  run_cycle: 'writes',
  retry: 'writes',
  stop: 'writes',
  dismiss: 'writes',
  explain_route: 'reads',
  routes: 'reads',
  rules: 'reads',
  suggestions: 'reads',
  back_test: 'reads',
  propose_rules: 'writes',
  routing_share: 'reads',
  approvals: 'reads',
  approval: 'reads',
  decide: 'writes',
  begin_manual_run: 'writes',
  finish_manual_run: 'writes',
  drop_manual_run: 'writes',
  given: 'reads',
  given_text: 'reads',
  changes: 'reads',
  changed_file: 'reads',
  history: 'reads',
  memory: 'reads',
  why: 'runs',
  state: 'writes',
  send: 'writes',
  dispatch: 'writes',
  ask: 'writes',
  answer: 'reads',
  routing: 'reads',
  actors: 'reads',
  dead_letters: 'reads',
  redeliver: 'writes',
  discard: 'writes',
  revive: 'writes',
  shutdown: 'writes',
};

/** What a session's own processes ask of the owner, each with its token: all that their socket takes. */
const sessionRequestNames = [
  'hello',
  'session_tools',
  'session_call',
  'judge_tool',
] as const satisfies readonly RequestName[];

export function isSessionRequest(request: RequestName): boolean {
  return sessionRequestNames.some((name) => name === request);
}

/** Whether a request, with what came as its parameters, only reads files. */
export function isReadOnly(request: RequestName, params: unknown): boolean {
  return requestKinds[request] === 'reads' || isReadingVerb(request, params);
}
