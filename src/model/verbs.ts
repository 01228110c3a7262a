import * as z from 'zod';
import { defined } from '../base/defined.ts';
import { knowledgeAxes } from './entry.ts';
import { phases, type ReasoningPhase } from './phase.ts';
import { summarisedPhases } from './phaseSummary.ts';
import { dispatchEntrySchema, evidenceSchema } from './session.ts';
import { taskStatuses } from './taskStatus.ts';
import { verb } from './verbRow.ts';

const recordId = z.string().min(1);
const taskId = recordId.describe('id of the task');
const messageId = recordId.describe('id of the message');
const entryId = recordId.describe('id of the entry');
const body = z.string().describe('text; on the command line `-` reads standard input');
const title = z.string().trim().min(1).max(200).describe('one line, at most 200 characters');
const category = z.string().trim().min(1).describe('one word, such as bug or feature');
const reason = z.string().trim().min(1).describe('why, in one line');
const ids = z.array(recordId);
const dependencies = ids.describe('ids of the tasks that must be done first');
const yamlBody = z.string().describe('the file as YAML; on the command line `-` reads standard input');

/** How many of the newest records `session list` gives by default. */
export const sessionsListed = 20;

const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** What a person can call a phase; `compact` is another name for `dream`. */
const phaseWords = [...phases, 'compact'] as const;

function wrongPhase({ input }: { readonly input?: unknown }): string {
  return `${JSON.stringify(input)} is not a phase; the phases are ${phases.join(', ')}`;
}

const messageArgs = z.strictObject({
  ...dispatchEntrySchema.omit({ id: true, session: true }).shape,
  cause: z
    .string()
    .min(1)
    .optional()
    .describe(
      'id of the received message that it follows from or passes on, or of the task that this became; in triage `none` if it follows from none',
    ),
});

/**
 * State verbs: the only way in which anything but a person's editor changes a plan's state files. One table serves the
 * command line (`ravel state <noun> <verb>`), the session tools, the verb gate and the documentation.
 */
export const verbs = {
  'backlog/list': verb({
    summary: 'List the tasks of the backlog, all or filtered',
    args: z.strictObject({
      status: z.enum(taskStatuses).optional().describe('only tasks with this status'),
      category: z.string().optional().describe('only tasks of this category'),
      ready: z.boolean().optional().describe('only tasks that can be started now'),
      'has-handoff': z.boolean().optional().describe('only tasks that have a hand-off'),
      'missing-results': z.boolean().optional().describe('only tasks that are done without results'),
    }),
    positional: [],
    phases: ['work', 'analyse-work', 'triage'],
    reads: true,
    example: 'greeter --ready --format markdown --group-by category',
  }),
  'backlog/show': verb({
    summary: 'Show one task in full',
    args: z.strictObject({ id: taskId }),
    positional: ['id'],
    phases: ['work', 'analyse-work', 'triage'],
    reads: true,
    example: 'greeter fix-the-crash',
  }),
  'backlog/add': verb({
    summary: 'Add a task at the end of the backlog; its id is made from the title',
    args: z.strictObject({
      title,
      category,
      description: body.optional(),
      dependencies: dependencies.optional(),
    }),
    positional: [],
    phases: ['analyse-work', 'triage'],
    effects: ['tasks:add'],
    example: 'greeter --title "Round half up" --category bug --dependencies fix-the-crash',
  }),
  'backlog/set-status': verb({
    summary: 'Set the status of a task; `blocked` needs a reason',
    args: z.strictObject({
      id: taskId,
      status: z.enum(taskStatuses).describe('the new status'),
      reason: reason.optional().describe('what blocks it'),
    }),
    positional: ['id', 'status'],
    phases: ['work', 'triage'],
    effects: ['tasks.status', 'tasks.blocked_reason', 'tasks.sent'],
    example: 'greeter fix-the-crash blocked --reason "the test machine is gone"',
  }),
  'backlog/set-results': verb({
    summary: 'Record the results of a task',
    args: z.strictObject({ id: taskId, body }),
    positional: ['id'],
    phases: ['work', 'triage'],
    effects: ['tasks.results'],
    example: 'greeter fix-the-crash --body "An empty name is refused; tested."',
  }),
  'backlog/set-handoff': verb({
    summary: 'Attach a hand-off to a task: settled design for the session that takes it next',
    args: z.strictObject({ id: taskId, body }),
    positional: ['id'],
    phases: ['work', 'analyse-work', 'triage'],
    effects: ['tasks.handoff=set'],
    example: 'greeter fix-the-crash --body-file handoff.md',
    exampleFile: 'Refuse, do not guess.\n',
  }),
  'backlog/clear-handoff': verb({
    summary: 'Remove a hand-off once it was promoted or archived',
    args: z.strictObject({ id: taskId }),
    positional: ['id'],
    phases: ['triage'],
    effects: ['tasks.handoff=clear'],
    example: 'greeter fix-the-crash',
  }),
  'backlog/set-title': verb({
    summary: 'Change the title of a task; its id stays',
    args: z.strictObject({ id: taskId, title }),
    positional: ['id', 'title'],
    phases: ['triage'],
    effects: ['tasks.title'],
    example: 'greeter fix-the-crash "Refuse an empty name"',
  }),
  'backlog/set-description': verb({
    summary: 'Replace the description of a task',
    args: z.strictObject({ id: taskId, body: body.refine((text) => text.trim() !== '', 'the description is empty') }),
    positional: ['id'],
    phases: ['triage'],
    effects: ['tasks.description'],
    example: 'greeter fix-the-crash --body "An empty name crashes it."',
  }),
  'backlog/set-dependencies': verb({
    summary: 'Replace the dependencies of a task; an empty list clears them',
    args: z.strictObject({ id: taskId, dependencies }),
    positional: ['id'],
    phases: ['triage'],
    effects: ['tasks.dependencies'],
    example: 'greeter write-the-manual --dependencies fix-the-crash,add-a-comma',
  }),
  'backlog/reorder': verb({
    summary: 'Move a task right before or after another',
    args: z.strictObject({
      id: taskId,
      where: z.enum(['before', 'after']).describe('on which side of the other task'),
      target: recordId.describe('id of the other task'),
    }),
    positional: ['id', 'where', 'target'],
    phases: ['triage'],
    effects: ['tasks:order'],
    example: 'greeter add-a-comma before fix-the-crash',
  }),
  'backlog/delete': verb({
    summary: 'Delete a task; refused while others depend on it, unless forced',
    args: z.strictObject({ id: taskId, force: z.boolean().optional().describe('also drop the id from other tasks') }),
    positional: ['id'],
    phases: ['triage'],
    effects: ['tasks:delete', 'tasks.dependencies'],
    example: 'greeter fix-the-crash --force',
  }),
  'backlog/repair-stale-statuses': verb({
    summary:
      'Fix statuses that contradict the record: results on a task that is not done, blocked although nothing blocks it',
    args: z.strictObject({ 'dry-run': z.boolean().optional().describe('list what it would fix, and change nothing') }),
    positional: [],
    phases: ['analyse-work', 'triage'],
    effects: ['tasks.status=repair', 'tasks.blocked_reason=repair'],
    example: 'greeter --dry-run',
  }),
  'backlog/lint-dependencies': verb({
    summary: 'List tasks whose description names another task that they do not depend on',
    args: z.strictObject({}),
    positional: [],
    phases: ['triage'],
    reads: true,
    example: 'greeter',
  }),
  'backlog/init': verb({
    summary: 'Fill an empty backlog with the tasks of a YAML text',
    args: z.strictObject({ body: yamlBody }),
    positional: [],
    phases: [],
    effects: [],
    example: 'greeter/project-root/fresh --body-file tasks.yaml',
    exampleFile: 'tasks:\n- id: first-step\n  title: First step\n  category: core\n  status: not_started\n',
  }),
  'received/list': verb({
    summary: 'List the messages that wait for triage',
    args: z.strictObject({ all: z.boolean().optional().describe('also messages that were promoted or declined') }),
    positional: [],
    phases: ['triage'],
    reads: true,
    example: 'greeter',
  }),
  'received/show': verb({
    summary: 'Show one received message in full',
    args: z.strictObject({ id: messageId }),
    positional: ['id'],
    phases: ['triage'],
    reads: true,
    example: 'greeter 01JD0000000000000000000001',
  }),
  'received/promote': verb({
    summary: 'Turn a received message into a task',
    args: z.strictObject({ id: messageId, title, category, description: body.optional() }),
    positional: ['id'],
    phases: ['triage'],
    effects: ['tasks:add', 'received.state=decide', 'received.task'],
    example: 'greeter 01JD0000000000000000000001 --title "Greet in French" --category feature',
  }),
  'received/decline': verb({
    summary: 'Decline a received message, with a reason',
    args: z.strictObject({ id: messageId, reason }),
    positional: ['id'],
    phases: ['triage'],
    effects: ['received.state=decide', 'received.declined_reason'],
    example: 'greeter 01JD0000000000000000000001 --reason "the parser does that"',
  }),
  'memory/list': verb({
    summary: 'List the entries of the memory by title',
    args: z.strictObject({ bodies: z.boolean().optional().describe('each entry in full') }),
    positional: [],
    phases: ['work', 'reflect', 'dream', 'triage'],
    reads: true,
    example: 'greeter',
  }),
  'memory/search': verb({
    summary: 'Find entries of the memory by words, names or paths, the best first',
    args: z.strictObject({
      text: z.string().trim().min(1).max(10_000).describe('what the entries should be about'),
      limit: z.int().positive().max(100).optional().describe('maximum number of entries; 10 by default'),
      bodies: z.boolean().optional().describe('each entry in full'),
    }),
    positional: ['text'],
    phases: ['work', 'reflect', 'dream', 'triage'],
    reads: true,
    example: 'greeter "how names are read" --limit 3',
  }),
  'memory/show': verb({
    summary: 'Show entries of the memory in full, by id or title',
    args: z.strictObject({
      id: z
        .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(100)])
        .describe('id or title of an entry, or a list of several'),
    }),
    positional: ['id'],
    phases: ['work', 'reflect', 'dream', 'triage'],
    reads: true,
    example: 'greeter names-are-utf-8',
  }),
  'memory/add': verb({
    summary: 'Add an entry to the memory; its id is made from the title',
    args: z.strictObject({
      title,
      body,
      claims: ids.optional().describe('claims of the latest session that this rests on'),
      source: z
        .enum(['decision'])
        .optional()
        .describe('something that was decided rather than observed; it needs no claims'),
    }),
    positional: [],
    phases: ['reflect', 'triage'],
    effects: ['entries:add'],
    example: 'greeter --title "Tests need no network" --body "They run alone." --source decision',
  }),
  'memory/set-title': verb({
    summary: 'Change the title of an entry; its id stays',
    args: z.strictObject({ id: entryId, title }),
    positional: ['id', 'title'],
    phases: ['reflect', 'dream'],
    effects: ['entries.title'],
    example: 'greeter names-are-utf-8 "Every name is UTF-8"',
  }),
  'memory/set-body': verb({
    summary: 'Replace the body of an entry',
    args: z.strictObject({ id: entryId, body: body.refine((text) => text.trim() !== '', 'the body is empty') }),
    positional: ['id'],
    phases: ['reflect', 'dream'],
    effects: ['entries.body'],
    example: 'greeter names-are-utf-8 --body "Names come and go as UTF-8."',
  }),
  'memory/delete': verb({
    summary: 'Delete an entry (in a dream: only an exact duplicate)',
    args: z.strictObject({ id: entryId }),
    positional: ['id'],
    phases: ['reflect', 'dream'],
    effects: ['entries:delete'],
    example: 'greeter names-are-utf-8',
  }),
  'memory/merge': verb({
    summary: 'Merge entries into one that says all that they said; the others are removed, and the mapping is recorded',
    args: z.strictObject({
      into: recordId.describe('id of the entry that stays'),
      from: ids.min(1).describe('ids of the entries that it takes in'),
      title: title.optional().describe('a new title; without it, the title stays'),
      body,
    }),
    positional: ['into'],
    phases: ['dream'],
    effects: ['entries:delete', 'entries.title', 'entries.body'],
    example: 'greeter names-are-utf-8 --from names-can-be-long --body "Names are UTF-8 and long."',
  }),
  'memory/init': verb({
    summary: 'Fill an empty memory with the entries of a YAML text',
    args: z.strictObject({ body: yamlBody }),
    positional: [],
    phases: [],
    effects: [],
    example: 'greeter/project-root/fresh --body-file entries.yaml',
    exampleFile: 'entries:\n- id: one-fact\n  title: One fact\n  body: It holds.\n',
  }),
  'session/list': verb({
    summary: `List the records of the session log, the newest first; ${sessionsListed} by default`,
    args: z.strictObject({
      limit: z.int().positive().optional().describe('maximum number of records'),
      all: z.boolean().optional().describe('all records'),
    }),
    positional: [],
    phases: [],
    reads: true,
    example: 'greeter --limit 5',
  }),
  'session/show': verb({
    summary: 'Show one record of the session log in full',
    args: z.strictObject({ id: recordId.describe('id of the session record') }),
    positional: ['id'],
    phases: [],
    reads: true,
    example: 'greeter 2026-11-19-say-hello',
  }),
  'session/append': verb({
    summary: 'Append a record to the session log; a record whose id exists changes nothing',
    args: z.strictObject({
      id: recordId.describe('id of the session record'),
      timestamp: z
        .string()
        .regex(isoTime, 'not a time such as 2026-11-20T08:30:00Z')
        .describe('such as 2026-11-20T08:30:00Z'),
      phase: z.string().trim().min(1).optional().describe('`work` by default'),
      body,
    }),
    positional: [],
    phases: [],
    effects: [],
    example: 'greeter --id 2026-11-20-by-hand --timestamp 2026-11-20T08:30:00Z --body "### By hand"',
  }),
  'session/show-latest': verb({
    summary: 'Show the latest session record',
    args: z.strictObject({}),
    positional: [],
    phases: ['analyse-work', 'reflect'],
    reads: true,
    example: 'greeter',
  }),
  'session/set-latest': verb({
    summary: 'Write the record of the work session that was analysed, with its claims and their evidence',
    args: z.strictObject({
      title,
      body,
      claims: z
        .array(z.strictObject({ text: z.string().trim().min(1), evidence: z.array(evidenceSchema) }))
        .optional()
        .describe('what the session proved, each with its evidence: a path, test, commit or file'),
    }),
    positional: [],
    phases: ['analyse-work'],
    effects: [],
    example: 'greeter --json-args record.json',
    exampleFile:
      '{"title": "Rounding", "body": "...", "claims": [{"text": "It rounds", "evidence": [{"path": "greet.mjs"}]}]}\n',
  }),
  'phase/show': verb({
    summary: 'Show the phase that runs next',
    args: z.strictObject({}),
    positional: [],
    phases: [],
    reads: true,
    example: 'greeter',
  }),
  'phase/set': verb({
    summary: 'Set the phase that runs next, to skip some or to go back; `compact` means dream',
    args: z.strictObject({ phase: z.enum(phaseWords, { error: wrongPhase }).describe('the phase that runs next') }),
    positional: ['phase'],
    phases: [],
    effects: [],
    example: 'greeter triage',
  }),
  'phase-summary/render': verb({
    summary: 'Show how a phase changed the records, compared with the commit before it',
    args: z.strictObject({
      phase: z.enum(summarisedPhases).describe('the phase whose changes to show'),
      baseline: z
        .string()
        .regex(/^(?!-)/, 'a commit cannot begin with a hyphen')
        .optional()
        .describe('commit to compare with; by default the one before the phase; with an empty text everything is new'),
    }),
    positional: [],
    phases: [],
    reads: true,
    example: 'greeter --phase triage --baseline HEAD',
  }),
  'commits/set': verb({
    summary: 'Write the commit specification that code will carry out',
    args: z.strictObject({
      commits: z
        .array(z.strictObject({ paths: z.array(z.string().min(1)).min(1), message: z.string().trim().min(1) }))
        .describe('in order; each names its paths and its message'),
    }),
    positional: [],
    phases: ['analyse-work'],
    effects: [],
    example: 'greeter --json-args commits.json',
    exampleFile: '{"commits": [{"paths": ["greet.mjs"], "message": "Round half up"}]}\n',
  }),
  'source/revert': verb({
    summary: 'Undo an accidental edit of one source file since the work baseline',
    args: z.strictObject({ path: z.string().min(1).describe('relative to the project') }),
    positional: ['path'],
    phases: ['analyse-work'],
    sessionOnly: true,
    effects: [],
  }),
  'message/list': verb({
    summary: 'List the messages that the plan sent, with the outcome of each',
    args: z.strictObject({}),
    positional: [],
    phases: [],
    reads: true,
    example: 'greeter',
  }),
  'message/dispatch': verb({
    summary: 'Leave a task for another plan, of this project or another; name exactly one target',
    args: messageArgs,
    positional: [],
    phases: ['work', 'reflect', 'triage'],
    effects: ['dispatches:add'],
    example: 'greeter --target-plan greeter/project-root/fresh --reason "it is yours" --body "Greet in French."',
  }),
  'message/ask': verb({
    summary:
      'Ask another plan, of this project or another; a session gets the answer from the same call, unless it defers',
    args: messageArgs.extend({
      defer: z.boolean().optional().describe('do not wait: the answer comes as a note, or with the next triage'),
    }),
    positional: [],
    phases: ['work', 'reflect', 'triage'],
    effects: ['queries:add'],
    example: 'greeter --target-expert french --reason "we need the word" --body "Salut or bonjour?"',
  }),
  'message/reply': verb({
    summary: 'Reply to what was asked back about your question, and get the answer',
    args: z.strictObject({
      question: z
        .string()
        .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'it is not the id of a question')
        .describe('its id'),
      text: z.string().trim().min(1).max(32_000).describe('your reply'),
    }),
    positional: [],
    phases: ['work', 'reflect', 'triage'],
    sessionOnly: true,
    effects: [],
  }),
  'knowledge/search': verb({
    summary:
      'Find what the vault and this project know by words, names or paths: the best entries first, each with the line that fits',
    args: z.strictObject({
      text: z.string().trim().min(1).max(10_000).describe('what the entries should be about'),
      scope: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .optional()
        .describe('only there: `project` for what this project alone knows, or a folder such as `languages/rust`'),
      tag: z.string().trim().min(1).max(100).optional().describe('only entries with this tag'),
      kind: z.string().trim().min(1).max(40).optional().describe('only entries of this kind, such as heuristic'),
      limit: z.int().positive().max(50).optional().describe('maximum number of entries; 10 by default'),
      bytes: z.int().positive().max(20_000).optional().describe('maximum size of the answer; 4000 by default'),
    }),
    positional: ['text'],
    phases: ['work', 'reflect', 'triage'],
    sessionOnly: true,
    reads: true,
  }),
  'knowledge/show': verb({
    summary: 'Show entries of the knowledge in full, by title, alias, id or path',
    args: z.strictObject({
      entry: z
        .union([z.string().trim().min(1).max(4096), z.array(z.string().trim().min(1).max(4096)).min(1).max(10)])
        .describe('name of an entry, or a list of several'),
      bytes: z
        .int()
        .positive()
        .max(40_000)
        .optional()
        .describe('maximum size of all of them; 16000 by default, divided evenly'),
    }),
    positional: ['entry'],
    phases: ['work', 'reflect', 'triage'],
    sessionOnly: true,
    reads: true,
  }),
  'knowledge/remember': verb({
    summary:
      'Stage a statement that holds beyond this project, for other sessions to find; it is marked as not proven, and what you were only shown here is refused',
    args: z.strictObject({
      title: title.describe('what it says, in a few words'),
      statement: z.string().trim().min(1).max(8000).describe('for a reader who knows nothing of this session'),
      tags: z.array(z.string().trim().min(1).max(100)).max(8).optional().describe('single words'),
      axis: z.enum(knowledgeAxes).optional().describe('where it belongs; without it, Ravel places it'),
    }),
    positional: [],
    phases: ['work'],
    sessionOnly: true,
    effects: [],
  }),
} as const;

export type VerbName = keyof typeof verbs;
export type VerbArgs<Name extends VerbName> = z.infer<(typeof verbs)[Name]['args']>;

export function isVerbName(text: string): text is VerbName {
  return Object.hasOwn(verbs, text);
}

export const verbNames: readonly VerbName[] = Object.keys(verbs).filter(isVerbName);

/** The verbs that a person has, on the command line. */
export const personVerbNames: readonly VerbName[] = verbNames.filter((name) => !('sessionOnly' in verbs[name]));

/** See the `effects` of a row; none of a verb that reads. */
export function effectsOf(name: VerbName): readonly string[] {
  const row = verbs[name];
  return 'effects' in row ? row.effects : [];
}

export interface VerbExample {
  /** What follows `ravel state <noun> <verb>`. */
  readonly words: string;
  /** Content of the file that the words name. */
  readonly file?: string;
}

/** Of every verb that a person has. */
export function exampleOf(name: VerbName): VerbExample | undefined {
  const row = verbs[name];
  if (!('example' in row)) return undefined;
  return { words: row.example, ...defined({ file: row.exampleFile }) };
}

/** Verbs about the knowledge of the vault and of the project, which is not among the files of a plan. */
export type KnowledgeVerbName = Extract<VerbName, `knowledge/${string}`>;

export function isKnowledgeVerb(name: VerbName): name is KnowledgeVerbName {
  return name.startsWith('knowledge/');
}

export function verbsOfPhase(phase: ReasoningPhase): VerbName[] {
  return verbNames.filter((name) => verbs[name].phases.includes(phase));
}

/** Name of a verb as a session tool: `backlog/set-status` is the tool `backlog_set_status`. */
export function toolFromVerb(name: VerbName): string {
  return name.replace(/[/-]/g, '_');
}

export function verbFromTool(tool: string): VerbName | undefined {
  return verbNames.find((name) => toolFromVerb(name) === tool);
}
