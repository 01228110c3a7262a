import * as z from 'zod';

export const memoryEntrySchema = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  body: z.string(),
  since: z.string().nullish(),
  /** `decision` for what was decided rather than observed; such an entry needs no evidence. */
  source: z.string().nullish(),
  'source-session': z.string().nullish(),
  /** Ids of claims in the latest session record that this entry rests on. */
  claims: z.array(z.string()).nullish(),
});

export type MemoryEntry = z.infer<typeof memoryEntrySchema>;

export const memorySchema = z.looseObject({ entries: z.array(memoryEntrySchema).nullish() });

export type Memory = z.infer<typeof memorySchema>;

/** Whitespace-separated words of title and body over all entries: what the dream trigger counts. */
export function countWords(memory: Memory): number {
  let words = 0;
  for (const entry of memory.entries ?? []) words += wordsIn(entry.title) + wordsIn(entry.body);
  return words;
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/**
 * Whether a dream is due: strictly more words than at the last dream plus the headroom. A missing count is 0, so that a
 * plan that has never dreamt does in the end.
 */
export function isDreamDue(memory: Memory, dreamWordCount: number, headroom: number): boolean {
  return countWords(memory) > dreamWordCount + headroom;
}

/** Where each entry that a dream merged away has gone: old id to the ids of the entries that now hold its content. */
export type DreamMap = Readonly<Record<string, readonly string[]>>;

/**
 * What makes two entries duplicates of each other: title and body with spacing and the punctuation at the end of
 * lines set aside. Nothing else may vanish in a dream.
 */
export function memoryFingerprint(entry: Pick<MemoryEntry, 'title' | 'body'>): string {
  return `${normalised(entry.title)}\n${normalised(entry.body)}`;
}

function normalised(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[.;,:!\s]+/g, (run, at: number, whole: string) => {
      if (at + run.length === whole.length) return ' ';
      // Up to the last line end; what stands behind it begins a line.
      const lineEnd = run.lastIndexOf('\n');
      return lineEnd > 0 ? ` ${run.slice(lineEnd)}` : run;
    })
    .replace(/\s+/g, ' ')
    .trim();
}
