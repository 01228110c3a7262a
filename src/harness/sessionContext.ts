import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { isRavelError } from '../base/errors.ts';
import { readTextIfExists, sha256, writeAtomic } from '../base/files.ts';
import { type Parsed, parseJsonFile, readJson } from '../base/jsonFile.ts';
import type { Confinement } from '../model/confinement.ts';
import type { GivenMemory } from '../model/givenMemory.ts';
import type { GivenPart } from '../model/requests/inspect.ts';
import type { ToolDescription } from '../model/requests/sessions.ts';
import type { Usage } from '../model/usage.ts';

/**
 * `context.json`: exactly what a session was given. `given` is ours, byte for byte; `recorded` is what the harness adds
 * by itself, as it was captured for its version and profile (null if it was not); `reported` is what the first turn
 * counted.
 */
export interface SessionContext {
  readonly given: readonly GivenPart[];
  readonly recorded: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[] | null;
  readonly reported: Usage | null;
  /** Of a session that runs commands: whether they are in a sandbox. */
  readonly confinement?: Confinement;
  /** Of a session that is given a memory: how much of it, and why. */
  readonly memory?: GivenMemory;
}

/** Undefined if nothing is kept of what a session was given, or what is kept is damaged: no session ends for that. */
export async function loadContext(disk: Disk, directory: string): Promise<SessionContext | undefined> {
  const read = await readContext(disk, directory);
  return read !== undefined && 'value' in read ? read.value : undefined;
}

/** The same with what is wrong with the file, as a clause; undefined if there is none. Never throws. */
export async function readContext(disk: Disk, directory: string): Promise<Parsed<SessionContext> | undefined> {
  try {
    const text = await readTextIfExists(disk, contextFile(directory), { bytesMax: contextBytesMax });
    return text === undefined ? undefined : readJson(text, contextSchema);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return { problem: error.message };
  }
}

export async function saveContext(disk: Disk, directory: string, context: SessionContext): Promise<void> {
  await writeAtomic(disk, contextFile(directory), `${JSON.stringify(context, undefined, 2)}\n`);
}

/** Adds what the harness's first turn counted. */
export async function reportUsage(disk: Disk, directory: string, usage: Usage): Promise<void> {
  const context = await loadContext(disk, directory);
  if (context?.reported === null) await saveContext(disk, directory, { ...context, reported: usage });
}

/** Adds how what the session runs is kept to its project. */
export async function recordConfinement(disk: Disk, directory: string, confinement: Confinement): Promise<void> {
  const context = await loadContext(disk, directory);
  if (context !== undefined) await saveContext(disk, directory, { ...context, confinement });
}

/** The tools of a session that are described nowhere else. */
export async function saveTools(disk: Disk, directory: string, tools: readonly ToolDescription[]): Promise<void> {
  await writeAtomic(disk, join(directory, toolsFile), `${JSON.stringify(tools, undefined, 2)}\n`);
}

export async function loadTools(disk: Disk, directory: string): Promise<readonly ToolDescription[]> {
  const path = join(directory, toolsFile);
  const text = await readTextIfExists(disk, path);
  return text === undefined ? [] : parseJsonFile(text, path, toolsSchema);
}

export function measureText(text: string): Pick<GivenPart, 'bytes' | 'tokens' | 'sha256'> {
  const bytes = Buffer.byteLength(text);
  return { bytes, tokens: Math.ceil(bytes / 4), sha256: sha256(text) };
}

export function sizeOf(given: readonly GivenPart[]): { readonly givenBytes: number; readonly givenTokens: number } {
  return {
    givenBytes: given.reduce((total, { bytes }) => total + bytes, 0),
    givenTokens: given.reduce((total, { tokens }) => total + tokens, 0),
  };
}

/** Of a prompt with the most parts there can be, and every entry of its memory, it has a small part. */
const contextBytesMax = 16 * 1024 * 1024;

const partSchema = z.looseObject({
  name: z.string(),
  path: z.string().exactOptional(),
  bytes: z.number(),
  tokens: z.number(),
  sha256: z.string(),
  reason: z.string(),
});

const usageSchema = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});

const confinementSchema = z.union([
  z.looseObject({ state: z.literal('confined') }),
  z.looseObject({ state: z.literal('unconfined'), reason: z.string(), fix: z.string().optional() }),
]);

const givenMemorySchema = z.looseObject({
  given: z.enum(['relevant', 'all', 'unread']),
  count: z.number(),
  bytesMax: z.number().exactOptional(),
  later: z.looseObject({ callBytesMax: z.number(), sessionBytesMax: z.number() }).exactOptional(),
  entries: z.array(
    z.looseObject({
      id: z.string(),
      title: z.string(),
      place: z.enum(['full', 'title', 'left']),
      rank: z.number().exactOptional(),
      words: z.array(z.string()),
      isTwin: z.literal(true).exactOptional(),
    }),
  ),
  damaged: z
    .looseObject({
      count: z.number(),
      first: z.array(z.looseObject({ at: z.number(), id: z.string().exactOptional(), problem: z.string() })),
    })
    .exactOptional(),
});

const contextSchema: z.ZodType<SessionContext> = z.looseObject({
  given: z.array(partSchema),
  recorded: z.array(z.looseObject({ name: z.string(), bytes: z.number(), sha256: z.string() })).nullable(),
  reported: usageSchema.nullable(),
  confinement: confinementSchema.exactOptional(),
  memory: givenMemorySchema.exactOptional(),
});

const toolsFile = 'tools.json';

const toolsSchema: z.ZodType<ToolDescription[]> = z.array(
  z.looseObject({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) }),
);

function contextFile(directory: string): string {
  return join(directory, 'context.json');
}
