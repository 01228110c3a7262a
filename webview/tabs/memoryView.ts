import { t } from '@vscode/l10n';
import { counted, formatCount } from '../../src/base/text.ts';
import type { MemoryPage, MemoryRow } from '../../src/model/requests/inspect.ts';

/** Entries that hold every word that is looked for, wherever. */
export function findEntries(entries: readonly MemoryRow[], filter: string): readonly MemoryRow[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return entries;
  return entries.filter(({ id, title, body }) => {
    const text = `${id}\n${title}\n${body}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** How much the plan has learned, and how far it is from a dream, as a sentence. */
export function memorySentence({ entries, words, dreamAtWords }: MemoryPage): string {
  const held = t`${counted(entries.length, t('{0} entry'), t('{0} entries'))} with ${counted(words, t('{0} word'), t('{0} words'))}`;
  if (words > dreamAtWords) return t`${held}. A dream is due: it would merge entries that say the same.`;
  return t`${held}; a dream is due above ${formatCount(dreamAtWords)}.`;
}
