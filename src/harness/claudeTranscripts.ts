import { basename, join } from 'node:path';
import * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { sha256 } from '../base/files.ts';
import { isRecord } from '../base/json.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { Ulid } from '../model/id.ts';
import type { CallsRecord } from './adapter.ts';
import { ClaudeStreamParser } from './claudeStream.ts';
import { JsonLinesTail } from './jsonLinesTail.ts';

/**
 * In a session's folder: a line for each transcript of its conversation. The first says where the transcript belongs by the id that the
 * conversation is given; the others are paths that the program told its hooks, as JSON strings.
 */
export const claudeTranscriptsFile = 'talks.jsonl';

const placeSchema = z.object({ projects: z.string(), cwd: z.string(), id: z.string() });

/** Where the program keeps the transcript of a conversation: below `projects`, by the folder that it runs in and the id of the conversation. */
export type ClaudeTranscriptPlace = z.output<typeof placeSchema>;

/** The id of a session's conversation: a UUID, the same every time. */
export function claudeTranscriptId(session: Ulid): string {
  const digits = sha256(session);
  // A UUID of version 8: its content is ours to choose.
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20, 32)].join('-');
}

/** As version 2.1 does it; `place.cwd` is free of symlinks. */
export function claudeTranscriptPath({ projects, cwd, id }: ClaudeTranscriptPlace): string {
  const name = cwd.normalize('NFC').replace(/[^a-zA-Z0-9]/g, '-');
  const folder = name.length <= folderMax ? name : `${name.slice(0, folderMax)}-${hashOf(cwd.normalize('NFC'))}`;
  return join(projects, folder, `${id}.jsonl`);
}

/** Characters of a folder's name that the program keeps; it puts a hash in the place of the rest. */
const folderMax = 200;

function hashOf(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return Math.abs(hash).toString(36);
}

interface Transcript {
  readonly path: string;
  readonly lines: JsonLinesTail;
  readonly parser: ClaudeStreamParser;
}

/**
 * The tool calls that Claude Code's own records of a session in a terminal tell of. Its hooks tell of them as well, but
 * if a hook fails nothing is told, and a version that does not know `onFailure` lets the call through.
 */
export class ClaudeTranscripts implements CallsRecord {
  readonly #disk: Disk;
  readonly #names: JsonLinesTail;
  /** By the names of their files, which are the ids of the conversations: a folder can have two paths. */
  readonly #transcripts = new Map<string, Transcript>();
  readonly #known = new Set<string>();
  #isThere = false;

  constructor(disk: Disk, sessionDirectory: string) {
    this.#disk = disk;
    this.#names = new JsonLinesTail(disk, join(sessionDirectory, claudeTranscriptsFile));
  }

  /** A conversation that no hook told of does not count: then one that took its place would not be known either. */
  get isThere(): boolean {
    return this.#isThere;
  }

  async size(): Promise<number> {
    await this.#findTranscripts(false);
    let total = (await this.#names.size()) ?? 0;
    for (const { lines } of this.#transcripts.values()) total += (await lines.size()) ?? 0;
    return total;
  }

  async *read(isLast: boolean): AsyncGenerator<HarnessOutput, void, undefined> {
    await this.#findTranscripts(isLast);
    for (const [name, { lines, parser }] of this.#transcripts) {
      // One in which nothing was said yet has no file.
      this.#isThere ||= this.#known.has(name) && (await lines.size()) !== undefined;
      for await (const row of lines.read(isLast)) if (isRecord(row)) yield* toolCallsIn(row, parser);
    }
  }

  async #findTranscripts(isLast: boolean): Promise<void> {
    for await (const row of this.#names.read(isLast)) {
      const place = placeSchema.safeParse(row).data;
      if (place !== undefined) this.#add(claudeTranscriptPath({ ...place, cwd: await this.#realFolder(place.cwd) }));
      if (typeof row !== 'string') continue;
      const known = this.#transcripts.get(basename(row));
      this.#known.add(basename(row));
      // Where the program says that it is goes before where it belongs.
      if (known === undefined || (await known.lines.size()) === undefined) this.#add(row);
    }
  }

  #add(path: string): void {
    const known = this.#transcripts.get(basename(path));
    if (known?.path === path) return;
    // Most rows hold what was said, and that can be long.
    const lines = new JsonLinesTail(this.#disk, path, (line) => line.includes('"tool_'));
    this.#transcripts.set(basename(path), { path, lines, parser: new ClaudeStreamParser() });
  }

  /** Where the program finds itself; a folder that is gone has no other path. */
  async #realFolder(folder: string): Promise<string> {
    return (await ifThere(folder, () => this.#disk.realPath(folder))) ?? folder;
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
    ...defined({ non_execution_kind: toolDenialKind, permission_decision: permissionDecision }),
  };
  const blocks = resultsSchema.safeParse(message).data?.content ?? [];
  const ids = blocks.flatMap(({ tool_use_id: id }) => (id === undefined ? [] : [id]));
  return {
    ...{ type, message, tool_use_result: toolUseResult },
    ...(Object.keys(meta).length > 0 && { tool_result_meta: ids.map((id) => ({ id, ...meta })) }),
  };
}
