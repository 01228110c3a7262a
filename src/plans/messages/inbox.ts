import type { Postponed } from '../../actors/behaviour.ts';
import { plural } from '../../base/text.ts';
import type { Backlog } from '../../model/backlog.ts';
import { type PlanTexts, planFiles } from '../../model/plan.ts';
import { editYaml } from '../../yaml/yaml.ts';
import { backlogFrom, backlogText, type MessageRecord } from './messageRecords.ts';

/**
 * How much a plan takes in before its triage has looked through it. What comes then waits in the mailbox, which costs
 * nothing: a file that grew with every message would in the end be too large to be read, edited or looked through.
 */
export const inboxLimits = {
  /** New entries: more than a triage, or a person, looks through at once. */
  entries: 500,
  /** Characters of all new entries together; more would not fit into a prompt. A single entry always fits. */
  textLength: 1024 * 1024,
  /** Characters of `backlog.yaml`. Each change of a larger file blocks the process for seconds. */
  fileLength: 4 * 1024 * 1024,
} as const;

/** The backlog with one more new entry in its inbox; without a text if the entry is there already. */
export interface Added {
  readonly kind: 'added';
  readonly text: string | undefined;
}

/** Adds an entry to the inbox, or says what it waits for. `isBegun`: it is added now even if there is no room. */
export function addToInbox(
  texts: PlanTexts,
  subject: string,
  record: MessageRecord,
  { isBegun = false } = {},
): Added | Postponed {
  const before = backlogText(texts);
  if (!isBegun && before.length > inboxLimits.fileLength) return tooLarge;
  const received = backlogFrom(texts, subject).received ?? [];
  if (received.some(({ id }) => id === record.id)) return { kind: 'added', text: undefined };
  const postponed = isBegun ? undefined : postponedBy(received, record);
  if (postponed !== undefined) return postponed;
  const edit = { op: 'insert' as const, path: ['received'], index: received.length, value: record };
  const text = editYaml(before, [edit], { file: planFiles.backlog, subject });
  return isBegun || text.length <= inboxLimits.fileLength ? { kind: 'added', text } : tooLarge;
}

function postponedBy(received: NonNullable<Backlog['received']>, record: MessageRecord): Postponed | undefined {
  const entries = received.filter(({ state }) => state === 'new');
  let textLength = textLengthOf(record);
  for (const entry of entries) textLength += textLengthOf(entry);
  const hasRoom = entries.length < inboxLimits.entries && textLength <= inboxLimits.textLength;
  if (entries.length === 0 || hasRoom) return undefined;
  const reason = `its inbox waits for triage (${plural(entries.length, 'new entry', 'new entries')})`;
  return { kind: 'postponed', reason };
}

function textLengthOf(entry: Readonly<Record<string, unknown>>): number {
  return String(entry['reason']).length + String(entry['body']).length;
}

const fileMebibytes = inboxLimits.fileLength / 1024 / 1024;
const tooLarge: Postponed = {
  kind: 'postponed',
  reason: `its ${planFiles.backlog} is too large to take in more (${fileMebibytes} MiB): remove finished records`,
};
