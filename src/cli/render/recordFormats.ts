import type { VerbName } from '../../model/verbs.ts';

export const recordFormats = ['text', 'yaml', 'json', 'markdown'] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** Forms in which the result of a reading verb can be asked for; only the backlog is a table in Markdown. */
export function formatsOf(name: VerbName): readonly RecordFormat[] {
  return recordFormats.filter((format) => format !== 'markdown' || name === 'backlog/list');
}
