import { join } from 'node:path';
import * as z from 'zod';
import type { Disk, DiskFile } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { readTextIfExists, writeAtomic } from '../base/files.ts';
import { addTokens, noUsage, type Usage } from '../model/usage.ts';
import { parseObject } from './jsonLine.ts';

/** In a session's folder: how far its talk was counted. */
const countFile = 'counted.json';
/** Bytes that are read at once. */
const chunkBytes = 1024 * 1024;
const newline = 0x0a;

const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
}) satisfies z.ZodType<Usage>;

const countSchema = z.object({
  talk: z.string(),
  /** Bytes of the talk up to the end of the last line that was counted. */
  position: z.number(),
  /** Of all messages but the last, which the next line can belong to as well. */
  before: usageSchema,
  last: z.object({ id: z.string(), usage: usageSchema }).optional(),
});

type Count = z.output<typeof countSchema>;

/**
 * What a session used up to now, by the record that the program keeps of its talk; each message counts once, with its last
 * usage. Only what was added since the last time is read: how far that was is kept in the session's folder. Undefined
 * while nothing was used.
 */
export async function countUsage(disk: Disk, sessionDirectory: string, talk: string): Promise<Usage | undefined> {
  const path = join(sessionDirectory, countFile);
  const kept = countSchema.safeParse(parseObject((await readTextIfExists(disk, path)) ?? '')).data;
  const file = await ifThere(talk, () => disk.open(talk, 'read'));
  if (file === undefined) return undefined;
  let count: Count = { talk, position: 0, before: noUsage };
  try {
    // One that became shorter was written again.
    if (kept?.talk === talk && kept.position <= (await file.size())) count = kept;
    count = await countOn(file, count);
  } finally {
    await file.close();
  }
  await writeAtomic(disk, path, `${JSON.stringify(count)}\n`, { permissions: 0o600 });
  return count.last === undefined ? undefined : addTokens(count.before, count.last.usage);
}

/** Whole lines alone; one longer than a chunk holds what was said, and is passed over. */
async function countOn(file: DiskFile, from: Count): Promise<Count> {
  const buffer = Buffer.alloc(chunkBytes);
  let count = from;
  for (;;) {
    const size = await file.read(buffer, count.position);
    if (size === 0) return count;
    const end = buffer.lastIndexOf(newline, size - 1) + 1;
    if (end === 0 && size < chunkBytes) return count;
    const text = buffer.toString('utf8', 0, end);
    for (const line of text.split('\n')) count = withLine(count, line);
    count = { ...count, position: count.position + (end === 0 ? size : end) };
  }
}

const messageSchema = z.object({
  type: z.literal('assistant'),
  message: z.object({
    id: z.string(),
    usage: z.object({
      input_tokens: z.number().default(0),
      output_tokens: z.number().default(0),
      cache_read_input_tokens: z.number().default(0),
      cache_creation_input_tokens: z.number().default(0),
    }),
  }),
});

function withLine(count: Count, line: string): Count {
  const parsed = line.includes('"usage"') ? messageSchema.safeParse(parseObject(line)) : undefined;
  if (parsed?.success !== true) return count;
  const { id, usage } = parsed.data.message;
  const last = {
    id,
    usage: {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheReadTokens: usage.cache_read_input_tokens,
      cacheWriteTokens: usage.cache_creation_input_tokens,
    },
  };
  const isNext = count.last !== undefined && count.last.id !== id;
  return { ...count, before: isNext ? addTokens(count.before, count.last?.usage ?? noUsage) : count.before, last };
}
