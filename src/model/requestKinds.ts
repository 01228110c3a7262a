import type { RequestName } from './protocol.ts';
import { isReadingVerb } from './readingVerbs.ts';

/**
 * What a request does to the world:
 * - `reads`: it reads files. A window without trust answers it, and a page that is gone needs no answer any more.
 * - `runs`: it changes nothing that stays, but may start a program, or is a session's own. It ends with its client, too.
 * - `writes`: it changes something, or runs on. It is carried through: a client that went away finds the result in the plan,
 *   or asks again.
 * - `lasts`: it writes, and can take as long as a session or a person does. It does not count among the requests that a
 *   client can have under way.
 */
type RequestKind = 'reads' | 'runs' | 'writes' | 'lasts';

const requestKinds: Readonly<Record<RequestName, RequestKind>> = {
  hello: 'reads',
  outline: 'reads',
  list: 'reads',
  next: 'reads',
  since: 'reads',
  status: 'reads',
  verify: 'reads',
  rescan: 'runs',
  transcript: 'reads',
  sessions: 'reads',
  session_tools: 'runs',
  session_call: 'lasts',
  judge_tool: 'runs',
  terminals: 'reads',
  open_terminal: 'lasts',
  close_terminal: 'writes',
  adopt: 'writes',
  create: 'writes',
  import: 'writes',
  plan_goal: 'lasts',
  propose_plans: 'writes',
  rename: 'writes',
  remove: 'writes',
  projects: 'reads',
  rename_project: 'writes',
  remove_project: 'writes',
  archives: 'reads',
  snapshots: 'reads',
  compare_snapshot: 'reads',
  put_back: 'writes',
  roll_back: 'writes',
  doctor: 'runs',
  documents: 'reads',
  inspect_document: 'reads',
  repairs: 'reads',
  complete_at: 'reads',
  describe_at: 'reads',
  harnesses: 'runs',
  inspect_project: 'runs',
  clean: 'writes',
  restore: 'writes',
  experts: 'reads',
  expert: 'reads',
  shipped_experts: 'reads',
  add_experts: 'writes',
  create_expert: 'writes',
  receipts: 'reads',
  receipt: 'reads',
  compare_receipt: 'reads',
  spending: 'reads',
  claim_notices: 'writes',
  settings: 'reads',
  secrets: 'runs',
  name_secret: 'writes',
  give_secrets: 'runs',
  run_phase: 'lasts',
  run_cycle: 'lasts',
  retry: 'lasts',
  stop: 'writes',
  dismiss: 'writes',
  policy: 'reads',
  explain_tools: 'reads',
  verdicts: 'reads',
  import_policy: 'writes',
  explain_route: 'reads',
  routes: 'reads',
  rules: 'reads',
  suggestions: 'reads',
  back_test: 'reads',
  propose_rules: 'writes',
  routing_share: 'reads',
  approvals: 'reads',
  approval: 'reads',
  decide: 'lasts',
  defer: 'writes',
  begin_manual_run: 'lasts',
  finish_manual_run: 'lasts',
  drop_manual_run: 'writes',
  given: 'reads',
  given_text: 'reads',
  context: 'runs',
  changes: 'reads',
  commit_changes: 'reads',
  changed_file: 'reads',
  history: 'reads',
  memory: 'reads',
  search: 'reads',
  entries: 'reads',
  entry: 'reads',
  search_knowledge: 'reads',
  knowledge_gaps: 'reads',
  explore_knowledge: 'reads',
  read_horizon: 'lasts',
  knowledge_links: 'reads',
  add_entry: 'writes',
  remember: 'writes',
  validate_entry: 'writes',
  supersede_entry: 'writes',
  contradict_entry: 'writes',
  rename_entry: 'writes',
  merge_entries: 'writes',
  archive_entry: 'writes',
  restore_entry: 'writes',
  delete_entry: 'writes',
  record_use: 'writes',
  ingestions: 'reads',
  ingestion: 'reads',
  ingest: 'lasts',
  replay_ingestion: 'lasts',
  why: 'runs',
  state: 'writes',
  send: 'writes',
  dispatch: 'writes',
  ask: 'lasts',
  answer: 'reads',
  reply: 'lasts',
  answer_in_place: 'writes',
  questions: 'reads',
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

/** Whether a request, with what came as its parameters, is carried through although its client went away. */
export function outlivesClient(request: string, params: unknown): boolean {
  const kind = kindOf(request);
  return (kind === 'writes' || kind === 'lasts') && !isReadingVerb(request, params);
}

/** Whether a request can take as long as a session or a person does; false for a name that is not a request. */
export function isLasting(request: string): boolean {
  return kindOf(request) === 'lasts';
}

function kindOf(request: string): RequestKind | undefined {
  return Object.hasOwn(requestKinds, request) ? requestKinds[request as RequestName] : undefined;
}
