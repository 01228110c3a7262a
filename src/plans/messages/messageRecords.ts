import { backlogSchema } from '../../model/backlog.ts';
import { type PlanTexts, planFiles } from '../../model/plan.ts';
import { editYaml, readYaml } from '../../vault/yaml.ts';

/** The lists of a backlog that hold messages (design 3). */
export type MessageList = 'received' | 'dispatched';

export interface MessageRecord extends Readonly<Record<string, string>> {
  readonly id: string;
}

/** The backlog with one more record at the end of a list; undefined when a record of that id is there already. */
export function appendMessage(
  texts: PlanTexts,
  subject: string,
  list: MessageList,
  record: MessageRecord,
): string | undefined {
  const file = planFiles.backlog;
  const text = texts.get(file) ?? 'tasks: []\n';
  const place = { file, subject };
  const records = readYaml(backlogSchema, text, place).value?.[list] ?? [];
  if (records.some((known) => known.id === record.id)) return undefined;
  const edit = { op: 'insert' as const, path: [list], index: records.length, value: record };
  return editYaml(text, [edit], place);
}
