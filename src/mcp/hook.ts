import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { isRavelError } from '../base/errors.ts';
import { writeFully } from '../base/files.ts';
import { encodeLine } from '../base/ndjson.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { RequestResults } from '../model/protocol.ts';
import { type PermitArgs, type RecallArgs, recallTool } from '../model/sessionTools.ts';
import { createOwnerClient, fromEnvironment, type OwnerClientPorts } from './ownerClient.ts';

type Leave = RequestResults['judge_tool'];

/** One step of an agent program in a terminal: what is asked of the owner for it, and what it comes to. */
export interface HookStep {
  /** The question to the gates, if the step is one. */
  readonly asks?: PermitArgs | undefined;
  /** What was done, for the memory that is about it; a session without a memory is answered with nothing. */
  readonly recalls?: RecallArgs | undefined;
  /** A line for a file in the session's folder, for its owner to look into. */
  readonly keeps?: { readonly file: string; readonly line: string } | undefined;
  /** Whether the names of the session tools are needed. */
  readonly needsTools: boolean;
  readonly describe: (facts: {
    readonly tools: readonly string[];
    readonly leave?: Leave | undefined;
  }) => readonly HarnessOutput[];
  /** What the program reads of our standard output. */
  readonly answer: (leave: Leave | undefined) => string;
}

/**
 * Writes what a step of a session in a terminal says to the spool, from which the present owner of the vault tells
 * it. The owner's gates judge a tool that is about to be used; the hook waits for the owner as the session tools do.
 * Resolves with the answer to the program.
 */
export async function runHook(step: HookStep, ports: OwnerClientPorts): Promise<string> {
  const { environment, disk } = ports;
  const directory = fromEnvironment(environment, 'RAVEL_SESSION_DIRECTORY');
  if (step.keeps !== undefined) await append(disk, join(directory, step.keeps.file), step.keeps.line);
  const { tools, leave, recalled } = await askOwner(step, ports);
  await append(disk, join(directory, 'spool'), step.describe({ tools, leave }).map(encodeLine).join(''));
  return recalled ?? step.answer(leave);
}

async function askOwner({ asks, needsTools, recalls }: HookStep, ports: OwnerClientPorts) {
  if (asks === undefined && recalls === undefined && !needsTools) return { tools: [] };
  const { client, identity } = createOwnerClient(ports);
  try {
    const { tools } = needsTools ? await client.request('session_tools', identity) : { tools: [] };
    const leave =
      asks === undefined
        ? undefined
        : await client.request('judge_tool', { ...identity, request: asks }).catch(denyUnknown);
    const recalled = recalls && { call: recalls.tool_use_id, tool: recallTool, args: recalls };
    const result =
      recalled && (await client.request('session_call', { ...identity, ...recalled }).catch(() => undefined));
    return { tools: tools.map(({ name }) => name), leave, recalled: result?.text };
  } finally {
    client.stop();
  }
}

/** A session that its owner does not know any more may do nothing. */
function denyUnknown(error: unknown): Leave {
  if (isRavelError(error, 'session/badToken')) return { decision: 'deny', reason: 'The session is over; end it now.' };
  throw error;
}

/** In one piece, since steps can happen side by side. */
async function append(disk: Disk, path: string, text: string): Promise<void> {
  if (text === '') return;
  const file = await disk.open(path, 'append', 0o600);
  try {
    await writeFully(file, Buffer.from(text));
  } finally {
    await file.close();
  }
}
