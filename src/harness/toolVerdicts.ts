import { join, normalize, resolve } from 'node:path';
import * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { sha256 } from '../base/files.ts';
import { createJournal, type Journal, readJournal } from '../base/journal.ts';
import type { PermitArgs } from '../model/sessionTools.ts';
import { toolPrefix } from './claudeStream.ts';

/** What was answered to a tool request; `ask` leaves it to the person at the terminal. */
export interface ToolAnswer {
  readonly decision: 'allow' | 'deny' | 'ask';
  /** A sentence; always there unless the decision is `allow`. */
  readonly reason?: string;
  /** What the tool is to run with in the place of what it asked for. */
  readonly input?: Readonly<Record<string, unknown>>;
}

/** A tool call without its id. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
}

const recordedSchema = z.object({
  call: z.string(),
  tool: z.string(),
  /** Fields of the input that name a file or folder, as they were judged. */
  paths: z.record(z.string(), z.string()),
  /** SHA-256 of all its other fields. */
  rest: z.string(),
  decision: z.enum(['allow', 'deny', 'ask']),
  reason: z.string().optional(),
  /** What the tool was told to run with in the place of what was judged. */
  input: z.record(z.string(), z.unknown()).optional(),
});

/** One line of `verdicts.jsonl`: what was judged, by the id of the call, and how. */
export type RecordedVerdict = z.output<typeof recordedSchema>;

/** Long enough to recognise a reason by. */
const reasonCharactersMax = 1000;
const pathFields: ReadonlySet<string> = new Set(['file_path', 'notebook_path', 'path']);

/**
 * The verdicts on the tool calls of one session, by call id, in its folder: each is on disk before the harness hears of
 * it, so that the next owner of the vault can tell which calls were judged. Lines are only ever appended.
 */
export class ToolVerdicts {
  readonly #journal: Journal;
  readonly #byCall: Map<string, RecordedVerdict>;
  /** Requests that are being judged. */
  readonly #pending = new Map<string, Promise<ToolAnswer>>();

  private constructor(journal: Journal, known: readonly RecordedVerdict[]) {
    this.#journal = journal;
    this.#byCall = new Map(known.map((verdict) => [verdict.call, verdict]));
  }

  static async open(disk: Disk, sessionDirectory: string): Promise<ToolVerdicts> {
    const path = join(sessionDirectory, 'verdicts.jsonl');
    const { records } = await readJournal(disk, path, recordedSchema);
    return new ToolVerdicts(createJournal(disk, path), records);
  }

  find(call: string): RecordedVerdict | undefined {
    return this.#byCall.get(call);
  }

  /**
   * Answers a tool request by `judge` and records the answer. The same call gets the same answer again, and another call
   * under its id is denied: a verdict is for one call. The session tools are not judged.
   */
  async answer(request: PermitArgs, judge: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const { tool_name: tool, input, tool_use_id: call } = request;
    if (tool.startsWith(toolPrefix)) return { decision: 'allow' };
    if (call === undefined || call === '') return deny('The request does not say which call it is for.');
    // A caller that asks about a call under judgement waits for the verdict; only the first caller hears of a failure.
    for (let earlier = this.#pending.get(call); earlier !== undefined; earlier = this.#pending.get(call)) {
      await earlier.catch(() => undefined);
    }
    const known = this.find(call);
    if (known === undefined) {
      const answer = this.#judge({ call, tool, input }, judge).finally(() => this.#pending.delete(call));
      this.#pending.set(call, answer);
      return answer;
    }
    if (!isSameCall(known, { tool, input }, [])) return deny(`The id ${call} belongs to an earlier call.`);
    const { decision, reason, input: changed } = known;
    return { decision, ...defined({ reason, input: changed }) };
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  async #judge({ call, ...asked }: ToolCall & { readonly call: string }, judge: () => Promise<ToolAnswer>) {
    const answer = await judge();
    const { decision, reason, input } = answer;
    const kept = {
      ...(reason !== undefined && { reason: reason.slice(0, reasonCharactersMax) }),
      ...defined({ input }),
    };
    const verdict = { call, tool: asked.tool, ...digestOf(asked.input), decision, ...kept };
    await this.#journal.append(verdict);
    this.#byCall.set(call, verdict);
    return answer;
  }
}

/** Whether an output is what the session was told of a denial. */
export function reportsDenial({ decision, reason }: RecordedVerdict, output: string): boolean {
  return decision === 'deny' && reason !== undefined && output.slice(0, reasonCharactersMax) === reason;
}

/**
 * Whether a call that ran is the one that was judged. Claude Code makes paths absolute before it asks, from the folder in
 * which the session runs, and turns `"5"` into `5`; in its output both stand as the model wrote them. Of a
 * call whose input was changed, either form is the call that was judged.
 */
export function isSameCall(verdict: RecordedVerdict, { tool, input }: ToolCall, folders: readonly string[]): boolean {
  if (verdict.tool !== tool) return false;
  const judged = [verdict, ...(verdict.input === undefined ? [] : [digestOf(verdict.input)])];
  const used = digestOf(input);
  return judged.some(({ paths, rest }) => {
    const names = new Set([...Object.keys(paths), ...Object.keys(used.paths)]);
    return rest === used.rest && [...names].every((name) => isSamePath(paths[name], used.paths[name], folders));
  });
}

function isSamePath(judged: string | undefined, used: string | undefined, folders: readonly string[]): boolean {
  if (judged === undefined || used === undefined || judged === used) return judged === used;
  // The home folder is the program's to find.
  if (used.startsWith('~/')) return judged.endsWith(normalize(used.slice(1)));
  return folders.some((folder) => resolve(folder, used) === judged);
}

function digestOf(input: unknown): Pick<RecordedVerdict, 'paths' | 'rest'> {
  const paths: Record<string, string> = {};
  const rest: [string, unknown][] = [];
  for (const [name, value] of Object.entries(recordSchema.safeParse(input).data ?? { '': input })) {
    if (pathFields.has(name) && typeof value === 'string') paths[name] = value;
    else if (value !== undefined && value !== null) rest.push([name, isScalar(value) ? String(value) : value]);
  }
  return { paths, rest: sha256(formatSorted(Object.fromEntries(rest))) };
}

const recordSchema = z.record(z.string(), z.unknown());

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** JSON in which the order of keys says nothing. */
function formatSorted(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    const fields = Array.isArray(part) ? undefined : recordSchema.safeParse(part).data;
    if (fields === undefined) return part;
    return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function deny(reason: string): ToolAnswer {
  return { decision: 'deny', reason };
}
