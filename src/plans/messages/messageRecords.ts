import { type Backlog, backlogSchema } from '../../model/backlog.ts';
import { type PlanTexts, planFiles } from '../../model/plan.ts';
import { editYaml, readYaml, type YamlEdit } from '../../vault/yaml.ts';

/** The lists of a backlog that hold messages (design 3). */
export type MessageList = 'received' | 'dispatched';

export interface MessageRecord extends Readonly<Record<string, string | number>> {
  readonly id: string;
}

/** How the sender's record of a message reads until it is known what became of it. */
export const onItsWay = 'on its way';
/** How it begins while a person is asked where the message goes. */
export const waitsForPerson = 'waits for a person';

const file = planFiles.backlog;

export function readBacklog(texts: PlanTexts, subject: string): Backlog {
  return readYaml(backlogSchema, backlogText(texts), { file, subject }).value ?? {};
}

/** The backlog with more records at the end of a list; undefined where records of their ids are there already. */
export function appendMessages(
  texts: PlanTexts,
  subject: string,
  list: MessageList,
  records: readonly MessageRecord[],
): string | undefined {
  const there = readBacklog(texts, subject)[list] ?? [];
  const known = new Set(there.map(({ id }) => id));
  const missing = records.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return undefined;
  const edits = missing.map((value, n): YamlEdit => ({ op: 'insert', path: [list], index: there.length + n, value }));
  return editYaml(backlogText(texts), edits, { file, subject });
}

/**
 * The backlog with new outcomes of messages that it had sent, by their ids; undefined where nothing changes. `isFirst`
 * leaves those alone that say already who has the message, or what became of it: that is known later, and so knows more.
 */
export function editOutcomes(
  texts: PlanTexts,
  subject: string,
  outcomes: ReadonlyMap<string, string>,
  { isFirst = false } = {},
): string | undefined {
  const edits = (readBacklog(texts, subject).dispatched ?? []).flatMap((record, index): YamlEdit[] => {
    const value = outcomes.get(record.id);
    if (value === undefined || value === record.outcome || (isFirst && !isOpen(record.outcome))) return [];
    return [{ op: 'set', path: ['dispatched', index, 'outcome'], value }];
  });
  return edits.length === 0 ? undefined : editYaml(backlogText(texts), edits, { file, subject });
}

function isOpen(outcome: string): boolean {
  return outcome === onItsWay || outcome.startsWith(waitsForPerson);
}

/** The text of the backlog, also where the plan has none yet. */
export function backlogText(texts: PlanTexts): string {
  return texts.get(file) ?? 'tasks: []\n';
}
