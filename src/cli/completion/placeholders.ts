import { approvalKinds } from '../../model/approval.ts';
import { confidences, entryKinds, entryStatuses, knowledgeAxes } from '../../model/entry.ts';
import { harnessNames } from '../../model/harnesses.ts';
import { reasoningPhases } from '../../model/phase.ts';
import { searchPlaces } from '../../model/requests/search.ts';
import { writtenStores } from '../../model/secretState.ts';
import { taskStatuses } from '../../model/taskStatus.ts';
import type { Source } from './table.ts';

const axes = [...knowledgeAxes, 'uncategorized'];
/** Those that a person can give to a new entry. */
const givenConfidences = confidences.filter((confidence) => confidence !== 'high');

/**
 * What stands at a placeholder such as `<plan>`, in any command. A row that begins with the path of a command holds in
 * that command and those below it; the longest path decides. `<plan-or-id>` takes what `<plan>` and `<id>` do.
 */
const rows: Readonly<Record<string, Source>> = {
  plan: 'plan',
  plans: 'plan',
  project: 'project',
  target: 'target',
  actor: 'actor',
  task: 'task',
  expert: 'expert',
  entry: 'entry',
  archive: 'archive',
  session: 'session',
  // A history can have very many, and each is found by its plan.
  commit: 'none',
  query: 'question',
  file: 'file',
  dir: 'folder',
  harness: harnessNames,
  phase: reasoningPhases,
  outcome: ['done', 'blocked', 'needs-input'],
  place: searchPlaces,
  axis: axes,
  confidence: confidences,

  'policy explain tool': ['Bash', 'Read', 'Grep', 'Glob', 'Edit', 'Write', 'NotebookEdit'],
  'policy explain path': 'file',
  'policy verdicts target': 'plan',
  'secrets set store': writtenStores,
  'open id': 'approval',
  'changes paths': 'file',
  'approvals id': 'approval',
  'approvals kind': approvalKinds,
  'suggestions id': 'approval',
  'plan id': 'approval',
  'experts id': 'expert',
  'experts add ids': 'shippedExpert',
  'experts create id': 'none',
  'init ids': 'shippedExpert',
  'receipts id': 'receipt',
  'receipts compare other': 'receipt',
  'ingest id': 'ingestion',
  'dead-letters id': 'deadLetter',
  'received id': 'receivedMessage',
  'state backlog id': 'task',
  'state backlog target': 'task',
  'state backlog dependencies': 'task',
  'state backlog status': taskStatuses,
  'state received id': 'receivedMessage',
  'state memory id': 'memoryEntry',
  'state memory into': 'memoryEntry',
  'state memory from': 'memoryEntry',
  'state session id': 'sessionRecord',
  'state message target-plan': 'plan',
  'state message suggested-target-plan': 'plan',
  'state message target-project': 'project',
  'state message target-expert': 'expert',
  'state phase-summary render phase': reasoningPhases,
  'knowledge contradict other': 'entry',
  'knowledge merge into': 'entry',
  'knowledge restore entry': 'archivedEntry',
  'knowledge list kind': entryKinds,
  'knowledge add kind': entryKinds,
  'knowledge list status': entryStatuses,
  'knowledge add confidence': givenConfidences,
  'search status': taskStatuses,
};

/** Text that a person makes up, or a number. */
const free = new Set([
  'command',
  ...['alias', 'baseline', 'body', 'category', 'cause', 'claims', 'context', 'count', 'description'],
  ...[
    'field',
    'folder',
    'format',
    'from',
    'goal',
    'hash',
    'heading',
    'id',
    'ids',
    'kind',
    'limit',
    'message',
    'mib',
    'model',
    'n',
    'name',
    'names',
  ],
  ...['new-id', 'new-name', 'question', 'reason', 'seconds', 'snapshot', 'source', 'status', 'subject', 'tag', 'text'],
  ...['timestamp', 'title', 'topic', 'when', 'where'],
]);

/**
 * What can stand at a placeholder of a command, which is named by its path: `['knowledge', 'show']`. Undefined if neither
 * table has it.
 */
export function sourcesAt(path: readonly string[], placeholder: string): readonly Source[] | undefined {
  const whole = rowAt(path, placeholder);
  if (whole !== undefined) return [whole];
  if (free.has(placeholder)) return ['none'];
  const parts = placeholder.split('-or-');
  const found = parts.map((part) => rowAt(path, part)).filter((row) => row !== undefined);
  return parts.length > 1 && found.length === parts.length ? found : undefined;
}

function rowAt(path: readonly string[], placeholder: string): Source | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const row = rows[[...path.slice(0, length), placeholder].join(' ')];
    if (row !== undefined) return row;
  }
  return undefined;
}
