import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario, ScenarioStep } from '../../src/harness/scenario.ts';
import { stepsOf } from '../../src/harness/scenario.ts';
import { type SessionPurpose, sessionPurposes } from '../../src/model/sessionPurpose.ts';

/** What happens to one request instead of, or on top of, the scenario's answer; taken in order, one a request. */
export type ModelFault =
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly type: string }
  | { readonly kind: 'cut' }
  | { readonly kind: 'silence' };

export interface ModelServerOptions {
  readonly scenario: Scenario;
  readonly projectDirectory: string;
  readonly task?: string;
  /** What a session with this system prompt is for; by default the first one of which it holds `phase: <name>`. */
  readonly purposeOf?: (systemPrompt: string) => SessionPurpose | undefined;
  readonly faults?: readonly ModelFault[];
}

export interface ModelServer {
  readonly url: string;
  /** Bodies of the main requests, in order, as they came. */
  readonly requests: readonly ModelRequest[];
  /** Bodies of everything else the program asked: titles, token counts. */
  readonly auxiliary: readonly ModelRequest[];
  /** Calls that did not come to what their `expect` says. */
  readonly mismatches: readonly string[];
  /** How often the program asked for a summary in the place of its talk. */
  compactions(): number;
  close(): Promise<void>;
}

export interface ModelRequest {
  readonly model: string;
  readonly system?: string | readonly TextBlock[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name: string; readonly description?: string; readonly input_schema?: unknown }[];
  readonly stream?: boolean;
}

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

type Block =
  | TextBlock
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool_result';
      readonly tool_use_id: string;
      readonly is_error?: boolean;
      readonly content: unknown;
    };

/** One answer of the model: some text, then at most one tool call. */
interface Turn {
  readonly blocks: readonly (
    | TextBlock
    | { readonly type: 'tool_use'; readonly name: string; readonly input: unknown }
  )[];
  readonly expect?: 'ok' | 'refused';
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly delayMs: number;
  readonly silent: boolean;
}

/**
 * A model on loopback that plays a scenario to an agent program. The turn that follows is read off the history that every
 * request carries, so repeated and concurrent requests are answered alike. Only what a summary stands for is remembered.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const auxiliary: ModelRequest[] = [];
  const mismatches: string[] = [];
  const faults = [...(options.faults ?? [])];
  const stopping = new AbortController();
  /** Calls that a summary stands for in what is asked now. */
  let compacted = 0;
  let compactions = 0;

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!stopping.signal.aborted) mismatches.push(`the model server failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    auxiliary,
    mismatches,
    compactions: () => compactions,
    close: () =>
      new Promise((resolve) => {
        stopping.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (request.url?.includes('count_tokens') === true) return sendJson(response, 200, { input_tokens: 1 });
    if (request.method !== 'POST' || request.url?.startsWith('/v1/messages') !== true) {
      return sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'no such page' } });
    }
    const asked = JSON.parse(body) as ModelRequest;
    if (asksForSummary(asked)) {
      compacted += countToolUses(asked);
      compactions += 1;
      return sendTurn(response, asked, textTurn('<summary>The work goes on.</summary>'), 0);
    }
    const purpose = (options.purposeOf ?? purposeFromMarker)(systemText(asked));
    if (purpose === undefined) {
      auxiliary.push(asked);
      return sendTurn(response, asked, textTurn('Session'), 0);
    }
    requests.push(asked);
    await play(response, asked, purpose);
  }

  async function play(response: ServerResponse, asked: ModelRequest, purpose: SessionPurpose): Promise<void> {
    const fault = faults.shift();
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'status') return sendError(response, fault);
    if (fault?.kind === 'slow') await sleep(fault.delayMs, undefined, { signal: stopping.signal });
    const turns = turnsOf(
      stepsOf(options.scenario, { purpose, task: options.task, prompt: promptText(asked) }) ?? [],
      options.projectDirectory,
    );
    const index = compacted + countToolUses(asked);
    recordMismatch(asked, turns[index - 1]);
    const turn = turns[index] ?? textTurn('');
    if (turn.silent) return;
    if (turn.delayMs > 0) await sleep(turn.delayMs, undefined, { signal: stopping.signal });
    await sendTurn(response, asked, turn, index, fault?.kind === 'cut');
  }

  function recordMismatch(asked: ModelRequest, previous: Turn | undefined): void {
    if (previous?.expect === undefined) return;
    const result = lastToolResult(asked);
    const got = result?.is_error === true ? 'refused' : 'ok';
    if (got === previous.expect) return;
    mismatches.push(`${JSON.stringify(previous.blocks.at(-1))} was ${got}: ${JSON.stringify(result?.content)}`);
  }
}

function turnsOf(steps: readonly ScenarioStep[], projectDirectory: string): Turn[] {
  const turns: Turn[] = [];
  let pending = emptyTurn;
  const call = (name: string, input: unknown, expect?: 'ok' | 'refused') => {
    const blocks = [...pending.blocks, { type: 'tool_use' as const, name, input }];
    turns.push({ ...pending, blocks, ...(expect === undefined ? {} : { expect }) });
    pending = emptyTurn;
  };
  const absolute = (path: string) => (isAbsolute(path) ? path : join(projectDirectory, path));
  for (const step of steps) {
    switch (step.kind) {
      case 'say':
        pending = { ...pending, blocks: [...pending.blocks, { type: 'text', text: step.text }] };
        break;
      case 'call':
        call(isOwnTool(step.tool) ? step.tool : `mcp__ravel__${step.tool}`, step.input, step.expect);
        break;
      case 'finish':
        call('mcp__ravel__finish_phase', { outcome: step.outcome, summary: step.summary }, step.expect);
        break;
      case 'edit':
        if ('content' in step) call('Write', { file_path: absolute(step.path), content: step.content });
        else call('Edit', { file_path: absolute(step.path), old_string: step.replace, new_string: step.with });
        break;
      case 'run':
        call('Bash', { command: step.command });
        break;
      case 'read':
        call('Read', { file_path: absolute(step.path) });
        break;
      case 'usage':
        pending = { ...pending, inputTokens: step.inputTokens, outputTokens: step.outputTokens };
        break;
      case 'wait':
        pending = { ...pending, delayMs: pending.delayMs + step.durationMs };
        break;
      case 'waitFor':
        throw new Error('A model waits for no files.');
      case 'flood':
        pending = { ...pending, blocks: [...pending.blocks, { type: 'text', text: 'x'.repeat(step.megabytes << 20) }] };
        break;
      case 'hang':
        turns.push({ ...pending, silent: true });
        return turns;
      case 'exit':
      case 'crash':
        turns.push(pending);
        return turns;
    }
  }
  turns.push(pending);
  return turns;
}

/** Session tools are written small; the program's own, which have no step, are called by their names. */
function isOwnTool(name: string): boolean {
  return /^[A-Z]/.test(name);
}

const emptyTurn: Turn = { blocks: [], inputTokens: 10, outputTokens: 5, delayMs: 0, silent: false };

function textTurn(text: string): Turn {
  return { ...emptyTurn, blocks: text === '' ? [] : [{ type: 'text', text }] };
}

function purposeFromMarker(systemPrompt: string): SessionPurpose | undefined {
  const name = /\bphase: ([a-z-]+)/.exec(systemPrompt)?.[1];
  return sessionPurposes.find((purpose) => purpose === name);
}

/** Whether the program asks for what shall stand in the place of the talk up to here. */
function asksForSummary({ messages }: ModelRequest): boolean {
  const last = messages.findLast(({ role }) => role === 'user');
  return (
    last !== undefined &&
    blocksOf(last).some((block) => block.type === 'text' && /create a detailed summary/.test(block.text))
  );
}

/** What the session was told first. */
function promptText({ messages }: ModelRequest): string {
  const first = messages.find(({ role }) => role === 'user')?.content ?? '';
  if (typeof first === 'string') return first;
  return first.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function systemText({ system }: ModelRequest): string {
  if (system === undefined || typeof system === 'string') return system ?? '';
  return system.map((block) => block.text).join('\n');
}

function countToolUses(request: ModelRequest): number {
  return request.messages.flatMap(blocksOf).filter((block) => block.type === 'tool_use').length;
}

function lastToolResult(request: ModelRequest): Extract<Block, { type: 'tool_result' }> | undefined {
  return request.messages.flatMap(blocksOf).findLast((block) => block.type === 'tool_result');
}

function blocksOf({ content }: ModelRequest['messages'][number]): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

async function sendTurn(
  response: ServerResponse,
  asked: ModelRequest,
  turn: Turn,
  index: number,
  cut = false,
): Promise<void> {
  const content = turn.blocks.map((block, at) =>
    block.type === 'text' ? block : { ...block, id: `toolu_${index}_${at}` },
  );
  const stopReason = content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
  const message = { id: `msg_${index}`, type: 'message', role: 'assistant', model: asked.model };
  if (asked.stream !== true) {
    const usage = { input_tokens: turn.inputTokens, output_tokens: turn.outputTokens };
    return sendJson(response, 200, { ...message, content, stop_reason: stopReason, stop_sequence: null, usage });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (type: string, fields: object) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const usage = { input_tokens: turn.inputTokens, output_tokens: 1 };
  send('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } });
  for (const [at, block] of content.entries()) {
    const isText = block.type === 'text';
    send('content_block_start', {
      index: at,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_delta', { index: at, delta });
    if (cut) {
      await new Promise((resolve) => response.write('\n', resolve));
      response.destroy();
      return;
    }
    send('content_block_stop', { index: at });
  }
  send('message_delta', {
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: turn.outputTokens },
  });
  send('message_stop', {});
  response.end();
}

function sendError(response: ServerResponse, fault: Extract<ModelFault, { kind: 'status' }>): void {
  sendJson(response, fault.status, { type: 'error', error: { type: fault.type, message: `${fault.type} on purpose` } });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
