import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { readTextIfExists } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { HarnessOutput } from '../model/event.ts';
import { ClaudeStreamParser } from './claudeStream.ts';
import { parseObject } from './jsonLine.ts';

/** In a session's folder: a line for each record of its talk, as a JSON string. */
export const talksFile = 'talks.jsonl';

/**
 * The tool calls that Claude Code's own records of a session in a terminal tell of. Its hooks tell of them as well, but
 * where a hook fails the call is let through and nothing is told. Undefined where there is no record.
 */
export async function readClaudeTalks(
  disk: Disk,
  sessionDirectory: string,
): Promise<readonly HarnessOutput[] | undefined> {
  const files = await readTextIfExists(disk, join(sessionDirectory, talksFile));
  if (files === undefined) return undefined;
  const talks: string[] = [];
  for (const file of new Set(files.split('\n').map(parseJson))) {
    // One in which nothing was said has no file.
    const talk = typeof file === 'string' ? await readTextIfExists(disk, file) : undefined;
    if (talk !== undefined) talks.push(talk);
  }
  return talks.length === 0 ? undefined : talks.flatMap(toolCallsIn);
}

/** A record has the lines of the program's stream, under other names and with others between. */
export function toolCallsIn(talk: string): HarnessOutput[] {
  const parser = new ClaudeStreamParser();
  return talk.split('\n').flatMap((line) => {
    const frame = line.includes('"tool_') ? parseObject(line) : undefined;
    if (frame === undefined) return [];
    const outputs = parser.parse(JSON.stringify(asStreamed(frame)));
    if (outputs === undefined || outputs === 'malformed') return [];
    return outputs.filter(({ kind }) => kind === 'toolStarted' || kind === 'toolEnded');
  });
}

const resultsSchema = z.object({ content: z.array(z.object({ tool_use_id: z.string().optional() })) });

function asStreamed(frame: Readonly<Record<string, unknown>>): object {
  const { type, message, toolUseResult, toolDenialKind, permissionDecision } = frame;
  const meta = {
    ...(toolDenialKind !== undefined && { non_execution_kind: toolDenialKind }),
    ...(permissionDecision !== undefined && { permission_decision: permissionDecision }),
  };
  const blocks = resultsSchema.safeParse(message).data?.content ?? [];
  const ids = blocks.flatMap(({ tool_use_id: id }) => (id === undefined ? [] : [id]));
  return {
    ...{ type, message, tool_use_result: toolUseResult },
    ...(Object.keys(meta).length > 0 && { tool_result_meta: ids.map((id) => ({ id, ...meta })) }),
  };
}
