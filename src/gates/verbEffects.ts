import type { VerbName } from '../model/verbs.ts';

/**
 * What a verb can make of the records, as words that the verb gate compares with the changes it finds:
 * `list:add`, `list:delete`, `list:order`, `list.field`, and for some fields the way in which they may change.
 */
export const verbEffects: Readonly<Record<VerbName, readonly string[]>> = {
  'backlog/list': [],
  'backlog/show': [],
  'backlog/add': ['tasks:add'],
  'backlog/set-status': ['tasks.status', 'tasks.blocked_reason', 'tasks.sent'],
  'backlog/set-results': ['tasks.results'],
  'backlog/set-handoff': ['tasks.handoff=set'],
  'backlog/clear-handoff': ['tasks.handoff=clear'],
  'backlog/set-title': ['tasks.title'],
  'backlog/set-description': ['tasks.description'],
  'backlog/set-dependencies': ['tasks.dependencies'],
  'backlog/reorder': ['tasks:order'],
  'backlog/delete': ['tasks:delete', 'tasks.dependencies'],
  'backlog/repair-stale-statuses': ['tasks.status=repair', 'tasks.blocked_reason=repair'],
  'backlog/lint-dependencies': [],
  'backlog/init': [],
  'received/list': [],
  'received/show': [],
  'received/promote': ['tasks:add', 'received.state=decide', 'received.task'],
  'received/decline': ['received.state=decide', 'received.declined_reason'],
  'memory/list': [],
  'memory/show': [],
  'memory/add': ['entries:add'],
  'memory/set-title': ['entries.title'],
  'memory/set-body': ['entries.body'],
  'memory/delete': ['entries:delete'],
  'memory/merge': ['entries:delete', 'entries.title', 'entries.body'],
  'memory/init': [],
  'session/list': [],
  'session/show': [],
  'session/append': [],
  'session/show-latest': [],
  'session/set-latest': [],
  'phase/show': [],
  'phase/set': [],
  'phase-summary/render': [],
  'commits/set': [],
  'source/revert': [],
  'message/list': [],
  'message/dispatch': ['dispatches:add'],
  'message/ask': ['queries:add'],
};

const messageFields = [
  'id',
  'target-plan',
  'target-project',
  'target-expert',
  'suggested-target-plan',
  'target',
  'reason',
  'body',
  'session',
  'cause',
];

/** Fields that a new record has from the verb that adds it; any other is a change of its own. */
export const addedFields: Readonly<Record<string, readonly string[]>> = {
  tasks: ['id', 'title', 'category', 'description', 'dependencies'],
  entries: ['id', 'title', 'body', 'source', 'source-session', 'claims'],
  dispatches: messageFields,
  queries: messageFields,
};
