import type { RequestName } from './protocol.ts';
import { isReadingVerb } from './readingVerbs.ts';

/**
 * What a request does to the world:
 * - `looks`: it reads files. A window without trust answers it, and a page that is gone needs no answer any more.
 * - `asks`: it changes nothing that stays, but may start a program, or is a session's own. It ends with its client, too.
 * - `acts`: it changes something, or runs on. It is carried through: a client that went away finds the result in the plan,
 *   or asks again.
 */
export type RequestKind = 'looks' | 'asks' | 'acts';

export const requestKinds: Readonly<Record<RequestName, RequestKind>> = {
  hello: 'looks',
  outline: 'looks',
  list: 'looks',
  status: 'looks',
  verify: 'looks',
  rescan: 'asks',
  transcript: 'looks',
  sessions: 'looks',
  session_tools: 'asks',
  session_call: 'acts',
  judge_tool: 'asks',
  terminals: 'looks',
  open_terminal: 'acts',
  close_terminal: 'acts',
  adopt: 'acts',
  create: 'acts',
  import: 'acts',
  rename: 'acts',
  remove: 'acts',
  projects: 'looks',
  rename_project: 'acts',
  remove_project: 'acts',
  archives: 'looks',
  doctor: 'asks',
  documents: 'looks',
  look_at: 'looks',
  repairs: 'looks',
  complete_at: 'looks',
  describe_at: 'looks',
  harnesses: 'asks',
  inspect_project: 'asks',
  clean: 'acts',
  restore: 'acts',
  experts: 'looks',
  spending: 'looks',
  settings: 'looks',
  run_phase: 'acts',
  run_cycle: 'acts',
  retry: 'acts',
  stop: 'acts',
  dismiss: 'acts',
  explain_route: 'looks',
  routes: 'looks',
  rules: 'looks',
  suggestions: 'looks',
  back_test: 'looks',
  propose_rules: 'acts',
  routing_share: 'looks',
  approvals: 'looks',
  approval: 'looks',
  decide: 'acts',
  begin_by_hand: 'acts',
  finish_by_hand: 'acts',
  drop_by_hand: 'acts',
  given: 'looks',
  given_text: 'looks',
  changes: 'looks',
  changed_file: 'looks',
  history: 'looks',
  memory: 'looks',
  why: 'asks',
  state: 'acts',
  send: 'acts',
  dispatch: 'acts',
  ask: 'acts',
  answer: 'looks',
  routing: 'looks',
  actors: 'looks',
  dead_letters: 'looks',
  redeliver: 'acts',
  discard: 'acts',
  revive: 'acts',
  shutdown: 'acts',
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
export function onlyLooks(request: RequestName, params: unknown): boolean {
  return requestKinds[request] === 'looks' || isReadingVerb(request, params);
}
