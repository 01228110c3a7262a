import type { YamlKind } from './document.ts';
import { targetFields } from './namedTarget.ts';

/** What a key means, by its path from the root of a document; `*` stands for each item of a list, or each free key. */
export type KeyMeanings = Readonly<Record<string, string>>;

const claims: KeyMeanings = {
  claims: 'What the session says it did, each with its evidence.',
  'claims.*.id': 'Names the claim; memory refers to it.',
  'claims.*.text': 'What is claimed, in a sentence.',
  'claims.*.evidence': 'Where it can be checked: a path with a hunk, a test, a commit or a file.',
  'claims.*.evidence.*.path': 'A file that the session changed.',
  'claims.*.evidence.*.hunk': 'A line of that change.',
  'claims.*.evidence.*.test': 'A test that ran, by its command.',
  'claims.*.evidence.*.commit': 'A commit of the session.',
  'claims.*.evidence.*.file': 'A file that exists.',
  'claims.*.verdict':
    'What code found about the evidence: `evidenced`, `unsupported` or `contradicted`. Sessions never write it.',
};

const sessionRecord: KeyMeanings = {
  id: 'Names the record in the session log.',
  timestamp: 'When the session ended, as 2026-11-20T08:30:00Z.',
  phase: 'The phase that it carried out.',
  body: 'What happened, for the reader of the log.',
  session: 'The session that carried it out: a ULID.',
  ...claims,
};

const message: KeyMeanings = {
  '*.id': 'Names the message.',
  ...Object.fromEntries(targetFields.map(({ field, meaning }) => [`*.${field}`, meaning])),
  '*.reason': 'Why it is sent, in one line.',
  '*.body': 'What the receiver needs to know.',
  '*.session': 'The session that left it; Ravel writes it.',
  '*.cause': 'The received message that it follows from, by its id.',
};

/** Every key that the schemas know; a test compares both. */
export const keyMeanings: Readonly<Record<YamlKind, KeyMeanings>> = {
  backlog: {
    tasks: 'The work to do. The order is the priority: work takes the first task that is ready.',
    'tasks.*.id': 'Names the task and never changes; other tasks depend on it by this id.',
    'tasks.*.title': 'The work to do, in a few words.',
    'tasks.*.category': 'A word of your own that groups tasks.',
    'tasks.*.status': '`not_started`, `in_progress`, `done` or `blocked`.',
    'tasks.*.blocked_reason': 'Why it is blocked, while it is.',
    'tasks.*.dependencies': 'Ids of tasks of this backlog that must be done first.',
    'tasks.*.description': 'The work to do, and how to see that it is done.',
    'tasks.*.results': 'The outcome.',
    'tasks.*.handoff': 'Settled design for the session that takes it next.',
    'tasks.*.sent': 'The message that handed it to another plan, by its id under `dispatched`.',
    received: 'Messages that were taken in and wait for triage, or were decided.',
    'received.*.id': 'Names the message.',
    'received.*.from': 'Who sent it.',
    'received.*.at': 'When it was sent.',
    'received.*.reason': 'Why it was sent, in one line.',
    'received.*.body': 'What it says.',
    'received.*.state': '`new` until it is `promoted` to a task or `declined`.',
    'received.*.depth': 'How many messages led to it.',
    'received.*.origin': 'The first of the messages that led to it.',
    'received.*.re': 'The question of this plan that it answers.',
    'received.*.task': 'The task that it became.',
    'received.*.declined_reason': 'Why it was declined; its sender gets this reason.',
    dispatched: 'What this plan sent to others.',
    'dispatched.*.id': 'Names the message.',
    'dispatched.*.to': 'The receiver.',
    'dispatched.*.at': 'When it was sent.',
    'dispatched.*.reason': 'Why it was sent, in one line.',
    'dispatched.*.body': 'What it says.',
    'dispatched.*.session': 'The session that sent it.',
    'dispatched.*.kind': '`query` for a question; without it, a task.',
    'dispatched.*.outcome': 'The outcome, as far as it is known.',
  },
  memory: {
    entries: 'What was learned, one thing each.',
    'entries.*.id': 'Names the entry.',
    'entries.*.title': 'What it is about, in a few words.',
    'entries.*.body': 'What to remember.',
    'entries.*.since': 'Since when it is known.',
    'entries.*.source': '`decision` for what was decided rather than observed; it needs no evidence.',
    'entries.*.source-session': 'The record of the session that it was learned from.',
    'entries.*.claims': 'Claims of the latest session that it rests on.',
  },
  sessionLog: {
    sessions: 'One record for each work session, the oldest first.',
    ...below('sessions.*', sessionRecord),
  },
  latestSession: sessionRecord,
  commits: {
    commits: 'The commits that code will make, in this order.',
    'commits.*.paths': 'What goes into the commit: git pathspecs, relative to the project.',
    'commits.*.message': 'Its message; the first line is the title.',
  },
  dispatches: { dispatches: 'Tasks that are left for other plans.', ...below('dispatches', message) },
  queries: { queries: 'Questions that are left for an expert or another plan.', ...below('queries', message) },
  planState: {
    'schema-version': 'The version of this format: 1.',
    description: 'The lasting purpose of the plan: one sentence of at most 120 characters.',
    tags: 'Tags for Obsidian.',
    harness: 'The program that carries out the phases of this plan.',
    models: 'Models by phase; `default` for the others.',
    'models.*': 'The model of this phase.',
    budget: 'How much the sessions of this plan can cost.',
    'budget.session-usd': 'Ends a session once it has cost this many US dollars.',
    'budget.usd-per-day': 'Cost limit for the sessions of this plan in a day, in US dollars; 0 for no limit.',
    memory: 'How much of the memory and the backlog a session of this plan is given.',
    'memory.given': 'The part that is `relevant` to its task, or `all` of it.',
    'memory.budget-kb': 'Up to how many kB of memory a prompt holds, and up to how many of the backlog.',
    'memory.later-call-kb': 'Up to how many kB of memory come with the answer to one tool call.',
    'memory.later-session-kb': 'Up to how many kB of memory come with answers in one session.',
    isolation: 'Reserved; it has no effect yet.',
  },
  projects: {
    projects: 'The projects of this vault, the same on every machine.',
    'projects.*.name': 'What the project is called in this vault.',
    'projects.*.remote': 'The address to clone it from.',
  },
  localProjects: {
    projects: 'Where the projects of this vault are on this machine.',
    'projects.*.name': 'The name that the project has in projects.yaml.',
    'projects.*.path': 'Its folder, as an absolute path.',
  },
  routing: {
    rules: 'Who gets a message that names no receiver. All rules are checked; those that match must lead to one place.',
    'rules.*.id': 'Names the rule.',
    'rules.*.on': 'Whether it is for a `dispatch` or a `query`; without it, for both.',
    'rules.*.from': 'Only what this plan, or any plan of this project, sends.',
    'rules.*.all': 'The message is about every one of these.',
    'rules.*.any': 'The message is about at least one of these.',
    'rules.*.none': 'The message is about none of these.',
    'rules.*.target': 'A plan, `expert:<id>`, or the name of a project.',
    'rules.*.note': 'For people.',
    'rules.*.enabled': '`false` switches the rule off.',
    'rules.*.origin': 'Where an accepted suggestion came from; Ravel writes it.',
    'rules.*.origin.by': 'Who accepted it.',
    'rules.*.origin.at': 'When it was accepted.',
    'rules.*.origin.suggestion': 'The suggestion that it came from; `ravel why` shows more.',
  },
  expert: {
    'actor-type': 'Always `expert`.',
    'expert-id': 'The name of this file: lower-case letters, digits and hyphens.',
    description: 'What it knows: one sentence of at most 120 characters.',
    persona: 'How it speaks and what it cares for; at most 8 KiB.',
    'knowledge-scope': 'Folders or globs below `knowledge/` that it reads.',
    'project-knowledge': 'The same in projects, as `<project>/<folder>`; `*` for every project.',
    retrieval: 'How it searches its knowledge.',
    'retrieval.strategy': '`keyword`.',
    'retrieval.max-entries': 'The maximum number of entries that it gets for an answer.',
    'retrieval.max-bytes': 'The maximum number of bytes of these entries.',
    tags: 'What it is about, in lower-case words.',
    model: 'The model that answers for it.',
    dialogue: 'Limits on what it asks back.',
    'dialogue.max-questions': 'The maximum number of clarifying questions, up to 3.',
    'dialogue.idle-minutes': 'Minutes without a reply after which a dialogue ends.',
  },
};

function below(path: string, meanings: KeyMeanings): KeyMeanings {
  return Object.fromEntries(Object.entries(meanings).map(([key, meaning]) => [`${path}.${key}`, meaning]));
}
