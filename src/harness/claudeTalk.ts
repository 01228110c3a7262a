import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { isRecord } from '../base/json.ts';
import type { HarnessOutput } from '../model/event.ts';
import type { CallsRecord } from './adapter.ts';
import { ClaudeStreamParser } from './claudeStream.ts';
import { GrowingLines } from './growingLines.ts';

/** In a session's folder: a line for each record of its talk, as a JSON string. */
export const talksFile = 'talks.jsonl';

interface Talk {
  readonly lines: GrowingLines;
  readonly parser: ClaudeStreamParser;
}

/**
 * The tool calls that Claude Code's own records of a session in a terminal tell of. Its hooks tell of them as well, but
 * if a hook fails nothing is told, and a version that does not know `onFailure` lets the call through.
 */
export class ClaudeTalks implements CallsRecord {
  readonly #disk: Disk;
  readonly #names: GrowingLines;
  readonly #talks = new Map<string, Talk>();
  #isThere = false;

  constructor(disk: Disk, sessionDirectory: string) {
    this.#disk = disk;
    this.#names = new GrowingLines(disk, join(sessionDirectory, talksFile));
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  async size(): Promise<number> {
    await this.#findTalks(false);
    let total = (await this.#names.size()) ?? 0;
    for (const { lines } of this.#talks.values()) total += (await lines.size()) ?? 0;
    return total;
  }

  async *read(isLast: boolean): AsyncGenerator<HarnessOutput, void, undefined> {
    await this.#findTalks(isLast);
    for (const { lines, parser } of this.#talks.values()) {
      // One in which nothing was said yet has no file.
      this.#isThere ||= (await lines.size()) !== undefined;
      for await (const row of lines.read(isLast)) if (isRecord(row)) yield* toolCallsIn(row, parser);
    }
  }

  async #findTalks(isLast: boolean): Promise<void> {
    for await (const path of this.#names.read(isLast)) {
      if (typeof path !== 'string' || this.#talks.has(path)) continue;
      // Most rows hold what was said, and that can be long.
      const lines = new GrowingLines(this.#disk, path, (line) => line.includes('"tool_'));
      this.#talks.set(path, { lines, parser: new ClaudeStreamParser() });
    }
  }
}

/** A record has the lines of the program's stream, under other names and with others between. */
function toolCallsIn(row: Readonly<Record<string, unknown>>, parser: ClaudeStreamParser): HarnessOutput[] {
  const outputs = parser.parse(JSON.stringify(asStreamed(row)));
  if (outputs === undefined || outputs === 'malformed') return [];
  return outputs.filter(({ kind }) => kind === 'toolStarted' || kind === 'toolEnded');
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
