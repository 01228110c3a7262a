import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { readTextIfExists, sha256, writeAtomic } from '../base/files.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { parseJsonFile } from '../base/jsonFile.ts';
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
  const text = await readTextIfExists(disk, contextFile(directory));
  const value = text === undefined ? undefined : parseJson(text);
  return isRecord(value) && Array.isArray(value['given']) ? (value as unknown as SessionContext) : undefined;
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

const toolsFile = 'tools.json';

const toolsSchema: z.ZodType<ToolDescription[]> = z.array(
  z.looseObject({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) }),
);

function contextFile(directory: string): string {
  return join(directory, 'context.json');
}
