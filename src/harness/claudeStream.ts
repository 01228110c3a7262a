import * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import { addTokens, noUsage, type Usage } from '../model/usage.ts';
import type { OutputParser } from './adapter.ts';
import { parseObject } from './jsonLine.ts';

/** How the program names the session tools; the common vocabulary leaves it out. */
export const toolPrefix = 'mcp__ravel__';

/** Characters of the output of one tool call that are kept. */
export const toolOutputCharactersMax = 65_536;
/** Characters of the reason of an end that are kept. */
const reasonCharactersMax = 300;

const usageSchema = z.object({
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});

const blockSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    is_error: z.boolean().nullish(),
    content: z.union([z.string(), z.array(z.object({ text: z.string().default('') }))]).default(''),
  }),
  z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
]);

type Block = z.output<typeof blockSchema>;
type ResultBlock = Extract<Block, { type: 'tool_result' }>;

const initSchema = z.object({
  subtype: z.literal('init'),
  model: z.string(),
  claude_code_version: z.string().default(''),
  tools: z.array(z.string()).default([]),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).default([]),
});

const retrySchema = z.object({
  subtype: z.literal('api_retry'),
  attempt: z.number(),
  error_status: z.number().nullish(),
  error: z.string().nullish(),
});

const assistantSchema = z.object({
  message: z.object({ id: z.string(), content: z.array(blockSchema), usage: usageSchema.optional() }),
});

const userSchema = z.object({
  message: z.object({ content: z.array(blockSchema) }),
  tool_use_result: z.unknown().optional(),
  /** What the program knows of each call that ended; older versions do not have it. */
  tool_result_meta: z
    .array(
      z.object({
        id: z.string(),
        non_execution_kind: z.string().optional(),
        permission_decision: z.object({ decision: z.string() }).optional(),
      }),
    )
    .optional()
    .catch(undefined),
});

type CallMeta = NonNullable<z.output<typeof userSchema>['tool_result_meta']>[number];

const resultSchema = z.object({
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  terminal_reason: z.string().nullish(),
  total_cost_usd: z.number().optional(),
  usage: usageSchema,
});

/** What the program says of a command when its exit code is not simply 0. */
const unclearExitSchema = z.union([
  z.object({ interrupted: z.literal(true) }),
  z.object({ returnCodeInterpretation: z.string() }),
  z.object({ backgroundTaskId: z.string() }),
]);

/**
 * Reads the stream-json of Claude Code. Partial messages are not asked for, so each block comes once and whole; the usage
 * of a message is repeated with each of its blocks and counted once. Usage outputs are totals up to then.
 */
export class ClaudeStreamParser implements OutputParser {
  readonly #counted = new Set<string>();
  #total: Usage = noUsage;
  /** Calls of the shell that have not ended. */
  readonly #shellCalls = new Set<string>();
  #state: 'starting' | 'running' | 'finished' = 'starting';

  parse(line: string): readonly HarnessOutput[] | 'malformed' | undefined {
    const frame = parseObject(line);
    if (frame === undefined) return 'malformed';
    switch (frame['type']) {
      case 'system':
        return this.#parseSystem(frame);
      case 'assistant':
        return this.#parseAssistant(frame);
      case 'user':
        return this.#parseUser(frame);
      case 'result':
        return this.#parseResult(frame);
      default:
        return undefined;
    }
  }

  #parseSystem(frame: unknown): HarnessOutput[] | undefined {
    const retry = retrySchema.safeParse(frame);
    if (retry.success) return this.#retry(retry.data);
    const init = initSchema.safeParse(frame);
    // The program repeats it with every turn.
    if (!init.success || this.#state !== 'starting') return undefined;
    this.#state = 'running';
    const { model, claude_code_version: version, tools, mcp_servers: servers } = init.data;
    const ready = { kind: 'ready' as const, model, version, tools: tools.map(stripPrefix) };
    const status = servers.find((server) => server.name === 'ravel')?.status ?? 'absent';
    if (status === 'connected') return [ready];
    return [ready, { kind: 'warning', message: `session tools did not connect (${status})` }];
  }

  /** A key that is refused stays refused: the program would try for minutes. */
  #retry({ attempt, error, error_status: status }: z.output<typeof retrySchema>): HarnessOutput[] {
    const reason = error ?? String(status ?? 'unknown');
    const retry: HarnessOutput = { kind: 'retry', attempt, reason };
    if (reason !== 'authentication_failed' || this.#state === 'finished') return [retry];
    const message = 'Claude Code is not signed in, or its key was refused: run `claude` by hand and sign in';
    return [retry, { kind: 'warning', message }, ...this.#finish(true, reason, this.#total)];
  }

  #parseAssistant(frame: unknown): HarnessOutput[] | undefined {
    const parsed = assistantSchema.safeParse(frame);
    if (!parsed.success) return undefined;
    const { id, content, usage } = parsed.data.message;
    const outputs = content.flatMap((block) => this.#parseBlock(block));
    if (usage === undefined || this.#counted.has(id)) return outputs;
    this.#counted.add(id);
    this.#total = addTokens(this.#total, toUsage(usage));
    return [...outputs, { kind: 'usage', usage: this.#total }];
  }

  #parseBlock(block: Block): HarnessOutput[] {
    if (block.type === 'text') return block.text === '' ? [] : [{ kind: 'text', text: block.text }];
    if (block.type !== 'tool_use') return [];
    if (block.name === 'Bash') this.#shellCalls.add(block.id);
    return [{ kind: 'toolStarted', tool: stripPrefix(block.name), callId: block.id, input: block.input }];
  }

  #parseUser(frame: unknown): HarnessOutput[] | undefined {
    const parsed = userSchema.safeParse(frame);
    if (!parsed.success) return undefined;
    const { message, tool_use_result: details, tool_result_meta: metas = [] } = parsed.data;
    const metaOf = new Map(metas.toReversed().map((meta) => [meta.id, meta]));
    return message.content.flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      return [this.#endTool(block, { details, meta: metaOf.get(block.tool_use_id) })];
    });
  }

  #endTool(block: ResultBlock, { details, meta }: { details: unknown; meta: CallMeta | undefined }): HarnessOutput {
    const { tool_use_id: callId, content, is_error: failed } = block;
    const text = typeof content === 'string' ? content : content.map((part) => part.text).join('\n');
    const isError = failed === true;
    const exitCode = this.#shellCalls.delete(callId) ? exitCodeOf(text, isError, details) : undefined;
    return {
      ...{ kind: 'toolEnded' as const, callId, isError, output: cut(text, toolOutputCharactersMax) },
      ...defined({ exitCode }),
      ...(wasRefused(block, { details, meta }) && { ran: false as const }),
    };
  }

  #parseResult(frame: unknown): HarnessOutput[] | undefined {
    const parsed = resultSchema.safeParse(frame);
    if (!parsed.success) return undefined;
    const { is_error: isError, total_cost_usd: costUsd, usage } = parsed.data;
    const cost = costUsd === undefined ? {} : { costUsd, costBasis: 'reported' as const };
    return this.#finish(isError, reasonOf(parsed.data), { ...toUsage(usage), ...cost });
  }

  /** The first result stands. */
  #finish(isError: boolean, reason: string, usage: Usage): HarnessOutput[] {
    if (this.#state === 'finished') return [];
    this.#state = 'finished';
    return [{ kind: 'result', isError, reason, usage }];
  }
}

function reasonOf(result: z.output<typeof resultSchema>): string {
  const { subtype, is_error: isError, terminal_reason: terminal, errors, result: text } = result;
  if (subtype === 'error_max_budget_usd') return 'costLimit';
  if (!isError) return terminal ?? 'completed';
  const words = subtype === 'success' ? text : errors?.join('; ');
  return words === undefined || words === '' ? (terminal ?? subtype) : cut(words, reasonCharactersMax);
}

/** The tool gives a failed command's code in words; some codes it interprets instead, and then none is known. */
function exitCodeOf(text: string, isError: boolean, details: unknown): number | undefined {
  if (isError) {
    const code = /^Exit code (\d+)/.exec(text)?.[1];
    return code === undefined ? undefined : Number(code);
  }
  return unclearExitSchema.safeParse(details).success ? undefined : 0;
}

/** Errors in the form of a refusal, of calls that may have run up to then. */
const unclearErrors = /^<tool_use_error>(?:Error calling tool|Cancelled:|Error: Streaming fallback)/;

/**
 * Whether the program refused a call before its tool ran; in doubt it did not. The program says itself why a call was
 * not executed, and how its permission check ended. A call that it never checked, because the tool does not exist or
 * the input does not fit, has neither, and an error of its own around the whole text. What a tool prints cannot look
 * like that: the output of a command that fails begins with its exit code, and anything else that a tool returns is not
 * an error. (Read in the sources of version 2.1.329, and tried with it.)
 */
function wasRefused(
  { content, is_error: isError }: ResultBlock,
  { details, meta }: { details: unknown; meta: CallMeta | undefined },
): boolean {
  if (isError !== true) return false;
  const kind = meta?.non_execution_kind;
  const wasChecked = meta?.permission_decision !== undefined;
  // One that was interrupted or cancelled after its check may have run in part.
  if (kind !== undefined) return !wasChecked || !(kind === 'interrupted' || kind === 'cancelled');
  if (wasChecked || typeof content !== 'string' || typeof details !== 'string') return false;
  const isRefusal = content.startsWith('<tool_use_error>') && content.endsWith('</tool_use_error>');
  return isRefusal && !unclearErrors.test(content);
}

function toUsage(usage: z.output<typeof usageSchema>): Usage {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadTokens: usage.cache_read_input_tokens ?? 0,
    cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
  };
}

function stripPrefix(tool: string): string {
  return tool.startsWith(toolPrefix) ? tool.slice(toolPrefix.length) : tool;
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text.slice(0, charactersMax)}… (${text.length - charactersMax} more characters)`;
}
