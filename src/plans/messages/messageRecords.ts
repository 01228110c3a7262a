import { type Backlog, backlogSchema, type Task } from '../../model/backlog.ts';
import { type PlanTexts, planFiles } from '../../model/plan.ts';
import { editYaml, readYaml, type YamlEdit } from '../../yaml/yaml.ts';

/** The lists of a backlog that hold messages. */
export type MessageList = 'received' | 'dispatched';

export interface MessageRecord extends Readonly<Record<string, string | number>> {
  readonly id: string;
}

/** How the sender's record of a message reads until it is known what became of it. */
export const onItsWay = 'on its way';
/** How it begins while a person is asked where the message goes. */
export const waitsForPerson = 'waits for a person';

const file = planFiles.backlog;

export function backlogFrom(texts: PlanTexts, subject: string): Backlog {
  return readYaml(backlogSchema, backlogText(texts), { file, subject }).value ?? {};
}

/** The backlog with more records at the end of a list; undefined if records of their ids are there already. */
export function appendMessages(
  texts: PlanTexts,
  subject: string,
  list: MessageList,
  records: readonly MessageRecord[],
): string | undefined {
  const there = backlogFrom(texts, subject)[list] ?? [];
  const known = new Set(there.map(({ id }) => id));
  const missing = records.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return undefined;
  const edits = missing.map((value, n): YamlEdit => ({ op: 'insert', path: [list], index: there.length + n, value }));
  return editYaml(backlogText(texts), edits, { file, subject });
}

/** What blocks a task that another plan was handed. */
function sentReason(to: string): string {
  return `sent to ${to}`;
}

/**
 * The backlog with the tasks marked that these messages hand on: none of them is ready any more, so that nothing is done
 * twice. What blocks a task already goes on doing so, and what is done stays so.
 */
export function markSent(
  text: string,
  subject: string,
  messages: readonly { readonly id: string; readonly to: string; readonly task: string }[],
): string {
  const tasks = backlogFrom(new Map([[file, text]]), subject).tasks ?? [];
  const edits = messages.flatMap(({ id, to, task: named }): YamlEdit[] => {
    const index = tasks.findIndex((task) => task.id === named);
    const task = tasks[index];
    if (task === undefined || task.status === 'done') return [];
    const sent: YamlEdit = { op: 'set', path: ['tasks', index, 'sent'], value: id };
    if (task.status === 'blocked') return [sent];
    return [
      { op: 'set', path: ['tasks', index, 'status'], value: 'blocked' },
      { op: 'set', path: ['tasks', index, 'blocked_reason'], value: sentReason(to) },
      sent,
    ];
  });
  return edits.length === 0 ? text : editYaml(text, edits, { file, subject });
}

/**
 * A task that was refused or declined becomes open here again; for one that a plan has taken, the reason names that
 * plan.
 */
function editSentTask(tasks: readonly Task[], message: string, outcome: string): YamlEdit[] {
  const index = tasks.findIndex(({ sent }) => sent === message);
  const task = tasks[index];
  if (task === undefined) return [];
  const path = ['tasks', index];
  // Only a reason that this program wrote is replaced.
  const isOurs = task.status === 'blocked' && (task.blocked_reason ?? '').startsWith(sentReason(''));
  if (!/^(?:refused|declined)/.test(outcome)) {
    const [, to] = /^(?:accepted by|promoted as \S+ of) (\S+)/.exec(outcome) ?? [];
    if (!isOurs || to === undefined || task.blocked_reason === sentReason(to)) return [];
    return [{ op: 'set', path: [...path, 'blocked_reason'], value: sentReason(to) }];
  }
  const taken: YamlEdit = { op: 'delete', path: [...path, 'sent'] };
  if (!isOurs) return [taken];
  return [
    { op: 'set', path: [...path, 'status'], value: 'not_started' },
    { op: 'delete', path: [...path, 'blocked_reason'] },
    taken,
  ];
}

/**
 * The backlog with new outcomes of messages that it had sent, by their ids; undefined if nothing changes. `isFirst`
 * leaves those alone that say already who has the message, or what became of it: that is known later, and so knows more.
 */
export function editOutcomes(
  texts: PlanTexts,
  subject: string,
  outcomes: ReadonlyMap<string, string>,
  { isFirst = false } = {},
): string | undefined {
  const { dispatched, tasks } = backlogFrom(texts, subject);
  const edits = (dispatched ?? []).flatMap((record, index): YamlEdit[] => {
    const value = outcomes.get(record.id);
    if (value === undefined || value === record.outcome || (isFirst && !isOpen(record.outcome))) return [];
    const noted: YamlEdit = { op: 'set', path: ['dispatched', index, 'outcome'], value };
    return [noted, ...editSentTask(tasks ?? [], record.id, value)];
  });
  return edits.length === 0 ? undefined : editYaml(backlogText(texts), edits, { file, subject });
}

function isOpen(outcome: string): boolean {
  return outcome === onItsWay || outcome.startsWith(waitsForPerson);
}

/** The text of the backlog, even if the plan has none yet. */
export function backlogText(texts: PlanTexts): string {
  return texts.get(file) ?? 'tasks: []\n';
}
