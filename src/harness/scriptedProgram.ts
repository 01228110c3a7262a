import { spawn as systemSpawn } from 'node:child_process';
import { dirname, isAbsolute, join } from 'node:path';
import type { Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as z from 'zod';
import { type Clock, delay } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { messageOf } from '../base/errors.ts';
import { ensureDirectory, exists, writeAtomic, writeFully } from '../base/files.ts';
import { encodeLine } from '../base/ndjson.ts';
import type { Spawn } from '../base/processes.ts';
import { failure } from '../model/codes.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import { callIdKeyEnd, finishTool, permitTool, recallTool } from '../model/sessionTools.ts';
import { noUsage, type Usage } from '../model/usage.ts';
import { loadScenario, type Scenario, type ScenarioStep, stepsOf } from './scenario.ts';
import { type ScriptedPlan, scriptedPlanSchema } from './scripted.ts';
import { additionalContext } from './toolAnswers.ts';

/** The outside world of the scripted program. */
export interface ScriptedPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Ends this very process by a signal. */
  readonly crash: (signal: NodeJS.Signals) => void;
  /** How the commands of its `run` steps are started; without it as the operating system starts programs. */
  readonly spawn?: Spawn;
  /** The line to its session tools; without it these are a process that it starts. */
  readonly connectTools?: (command: StdioServerParameters) => Transport;
}

/**
 * The program of the scripted harness: plays the steps of one session, as `planFile` (`scripted.json`) names them, against
 * the session tools, and prints one output a line. Resolves with the exit code: 0 at the end of the steps, 1 when
 * a step did not come to what the scenario expects, or what its `exit` step says.
 */
export async function runScripted(planFile: string, ports: ScriptedPorts): Promise<number> {
  const plan = scriptedPlanSchema.parse(JSON.parse((await ports.disk.readFile(planFile)).toString('utf8')));
  const scenario = await loadScenario(ports.disk, plan.scenario);
  const prompt = (await ports.disk.readFile(plan.promptFile)).toString('utf8');
  const steps = stepsOf(scenario, { purpose: plan.purpose, task: plan.task, prompt });
  if (steps === undefined) {
    const message = `The scenario has no steps for ${plan.purpose}, or none for what it was asked.`;
    throw failure('harness/badScenario', plan.scenario, message, { file: plan.scenario });
  }
  const player = new Player(plan, scenario, ports);
  try {
    return await player.play(steps);
  } finally {
    await player.stop();
  }
}

/** How a step ended the play; undefined continues with the next one. */
type Ending = { readonly exitCode: number } | undefined;

interface ToolResult {
  readonly isError: boolean;
  readonly output: string;
  readonly exitCode?: number;
  readonly ran?: false;
}

interface AskedTool {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callId: string;
}

/** MCP calls wait as long as they need: a verdict can take minutes. The limit of a timer is the longest there is. */
const callTimeoutMs = 2 ** 31 - 1;
const outputCharactersMax = 30_000;
const pollMs = 20;

class Player {
  readonly #plan: ScriptedPlan;
  readonly #scenario: Scenario;
  readonly #ports: ScriptedPorts;
  readonly #client = new Client({ name: 'ravel-scripted', version: '1' }, { jsonSchemaValidator: noStructure });
  #usage: Usage = noUsage;
  #calls = 0;
  #offered: ReadonlySet<string> = new Set();

  constructor(plan: ScriptedPlan, scenario: Scenario, ports: ScriptedPorts) {
    this.#plan = plan;
    this.#scenario = scenario;
    this.#ports = ports;
  }

  async play(steps: readonly ScenarioStep[]): Promise<number> {
    await this.#connect();
    for (const step of steps) {
      const ending = await this.#playStep(step);
      if (ending !== undefined) return ending.exitCode;
    }
    await this.#print({ kind: 'result', isError: false, reason: 'completed', usage: this.#usage });
    return 0;
  }

  async stop(): Promise<void> {
    await this.#client.close();
  }

  async #connect(): Promise<void> {
    const { program, args, environment: added } = this.#plan.mcpCommand;
    const environment = Object.entries(this.#ports.environment).filter((entry) => entry[1] !== undefined);
    const { connectTools = (command) => new StdioClientTransport(command) } = this.#ports;
    const transport = connectTools({
      command: program,
      args,
      env: { ...(Object.fromEntries(environment) as Record<string, string>), ...added },
      cwd: this.#plan.cwd,
    });
    const model = this.#scenario.model;
    try {
      await this.#client.connect(transport);
      const { tools } = await this.#client.listTools();
      this.#offered = new Set(tools.map((tool) => tool.name));
      await this.#print({ kind: 'ready', model, version: '1', tools: [...this.#offered] });
    } catch (error) {
      // The same as with any other harness: the session starts without tools, and says so.
      await this.#print({ kind: 'ready', model, version: '1', tools: [] });
      await this.#print({ kind: 'warning', message: `session tools did not connect: ${messageOf(error)}` });
    }
  }

  async #playStep(step: ScenarioStep): Promise<Ending> {
    switch (step.kind) {
      case 'say':
        await this.#print({ kind: 'text', text: step.text });
        return undefined;
      case 'call':
        return this.#expect(step.tool, step.expect, await this.#callTool(step.tool, step.input));
      case 'finish': {
        const input = { outcome: step.outcome, summary: step.summary };
        return this.#expect(finishTool, step.expect, await this.#callTool(finishTool, input));
      }
      case 'edit':
        await this.#edit(step);
        return undefined;
      case 'run':
        await this.#tool('Bash', { command: step.command }, ({ command }) => this.#run(String(command)));
        return undefined;
      case 'read':
        await this.#read(this.#absolute(step.path));
        return undefined;
      case 'usage':
        await this.#addUsage(step);
        return undefined;
      case 'wait':
        await delay(this.#ports.clock, step.durationMs);
        return undefined;
      case 'waitFor':
        await this.#waitFor(this.#absolute(step.path));
        return undefined;
      case 'exit':
        return { exitCode: step.code };
      case 'crash':
        this.#ports.crash(step.signal);
        return this.#hang();
      case 'flood':
        await this.#flood(step.megabytes, step.to);
        return undefined;
      case 'hang':
        return this.#hang();
    }
  }

  async #edit(step: Extract<ScenarioStep, { kind: 'edit' }>): Promise<void> {
    const path = this.#absolute(step.path);
    if ('content' in step) {
      await this.#tool('Write', { file_path: path, content: step.content }, async () => {
        await ensureDirectory(this.#ports.disk, dirname(path));
        await writeAtomic(this.#ports.disk, path, step.content);
        return `The file ${path} has been written.`;
      });
      return;
    }
    const input = { replace_all: false, file_path: path, old_string: step.replace, new_string: step.with };
    await this.#tool('Edit', input, async () => {
      const text = (await this.#ports.disk.readFile(path)).toString('utf8');
      const found = text.split(step.replace).length - 1;
      if (found !== 1) throw new Error(`The text to replace occurs ${found} times in ${path}.`);
      await writeAtomic(
        this.#ports.disk,
        path,
        text.replace(step.replace, () => step.with),
      );
      return `The file ${path} has been updated.`;
    });
  }

  #read(path: string): Promise<void> {
    return this.#tool('Read', { file_path: path }, async () =>
      (await this.#ports.disk.readFile(path)).toString('utf8'),
    );
  }

  /** A tool of the harness's own, in every phase: asks for permission, acts, and reports both ends. */
  async #tool(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    act: (input: AskedTool['input']) => Promise<string | ToolResult>,
  ): Promise<void> {
    const callId = await this.#startTool(tool, input);
    const result = await this.#attempt({ tool, input, callId }, act);
    const recalled = this.#plan.recalls === true && !result.isError ? await this.#recall({ tool, input, callId }) : '';
    await this.#endTool(callId, recalled === '' ? result : { ...result, output: `${result.output}\n\n${recalled}` });
  }

  /** What the memory has about a tool that was used. */
  async #recall({ tool, input, callId }: AskedTool): Promise<string> {
    const answer = await this.#request(recallTool, {
      tool_name: tool,
      input,
      tool_use_id: callId,
      cwd: this.#plan.cwd,
    });
    return answer.isError ? '' : additionalContext(answer.output);
  }

  async #attempt(
    asked: AskedTool,
    act: (input: AskedTool['input']) => Promise<string | ToolResult>,
  ): Promise<ToolResult> {
    try {
      const leave = await this.#askPermission(asked);
      if (leave.behavior === 'deny') return { isError: true, output: leave.message, ran: false };
      const result = await act(leave.updatedInput ?? asked.input);
      return typeof result === 'string' ? { isError: false, output: result } : result;
    } catch (error) {
      // A tool that fails is the session's to see; the scenario goes on.
      return { isError: true, output: messageOf(error) };
    }
  }

  /** Whether the tool may act, and on which input. */
  async #askPermission({ tool, input, callId }: AskedTool): Promise<z.output<typeof decisionSchema>> {
    const answer = await this.#request(permitTool, { tool_name: tool, input, tool_use_id: callId });
    if (answer.isError) return { behavior: 'deny', message: answer.output };
    return decisionSchema.parse(JSON.parse(answer.output));
  }

  async #callTool(tool: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const callId = await this.#startTool(tool, input);
    const result = await this.#request(tool, input, callId);
    // Of what is not offered the other harnesses know that there is no such tool.
    await this.#endTool(callId, this.#offered.has(tool) ? result : { ...result, ran: false });
    return result;
  }

  async #request(tool: string, input: Readonly<Record<string, unknown>>, callId?: string): Promise<ToolResult> {
    try {
      const meta = callId === undefined ? {} : { _meta: { [`scripted${callIdKeyEnd}`]: callId } };
      const request = { name: tool, arguments: input, ...meta };
      const result = await this.#client.callTool(request, undefined, { timeout: callTimeoutMs });
      const { content, isError } = toolResultSchema.parse(result);
      return { isError, output: content.map((block) => block.text).join('\n') };
    } catch (error) {
      // No such tool, or no connection: refused, as the session sees it.
      return { isError: true, output: messageOf(error) };
    }
  }

  async #expect(tool: string, expected: 'ok' | 'refused', result: ToolResult): Promise<Ending> {
    const got = result.isError ? 'refused' : 'ok';
    if (got === expected) return undefined;
    const message = `the call of ${tool} was expected to be ${expected} and was ${got}: ${result.output}`;
    await write(this.#ports.stderr, `${message}\n`);
    await this.#print({ kind: 'result', isError: true, reason: message, usage: this.#usage });
    return { exitCode: 1 };
  }

  async #startTool(tool: string, input: unknown): Promise<string> {
    this.#calls++;
    const callId = `call-${this.#calls}`;
    await this.#print({ kind: 'toolStarted', tool, callId, input });
    return callId;
  }

  #endTool(callId: string, result: ToolResult): Promise<void> {
    return this.#print({ kind: 'toolEnded', callId, ...result });
  }

  #run(command: string): Promise<ToolResult> {
    const { spawn = systemSpawn } = this.#ports;
    return new Promise((resolve, reject) => {
      const { shell } = this.#plan;
      const [program, args] = shell === undefined ? ['/bin/sh', ['-c', command]] : [shell, [command]];
      const child = spawn(program, args, { cwd: this.#plan.cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      const collect = (chunk: string) => {
        if (output.length < outputCharactersMax) output += chunk;
      };
      child.stdout?.setEncoding('utf8').on('data', collect);
      child.stderr?.setEncoding('utf8').on('data', collect);
      child.on('error', reject);
      child.on('close', (code, signal) => {
        const exitCode = code ?? 1;
        const kept = output.slice(0, outputCharactersMax).trimEnd();
        const how = signal === null ? `Exit code ${exitCode}` : `Ended by ${signal}`;
        resolve(
          code === 0
            ? { isError: false, output: kept, exitCode }
            : { isError: true, output: `${how}\n${kept}`, exitCode },
        );
      });
    });
  }

  async #addUsage(step: Extract<ScenarioStep, { kind: 'usage' }>): Promise<void> {
    const { inputTokens, outputTokens, costUsd } = this.#usage;
    const cost = step.costUsd === undefined ? costUsd : (costUsd ?? 0) + step.costUsd;
    this.#usage = {
      ...this.#usage,
      inputTokens: inputTokens + step.inputTokens,
      outputTokens: outputTokens + step.outputTokens,
      ...(cost === undefined ? {} : { costUsd: cost, costBasis: 'scripted' }),
    };
    await this.#print({ kind: 'usage', usage: this.#usage });
  }

  async #flood(megabytes: number, to: 'stdout' | 'stderr'): Promise<void> {
    const bulk = 'flood '.repeat(2730);
    const line = to === 'stdout' ? encodeLine({ kind: 'text', text: bulk }) : `${bulk}\n`;
    for (let left = megabytes * 1024 * 1024; left > 0; left -= line.length) await write(this.#ports[to], line);
  }

  /** The file appears without any notice, so this looks for it again and again. */
  async #waitFor(path: string): Promise<void> {
    while (!(await exists(this.#ports.disk, path))) await delay(this.#ports.clock, pollMs);
  }

  async #hang(): Promise<never> {
    for (;;) await delay(this.#ports.clock, 60_000);
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : join(this.#base, path);
  }

  get #base(): string {
    return this.#plan.projectDirectory ?? this.#plan.cwd;
  }

  async #print(output: HarnessOutput): Promise<void> {
    const { spool } = this.#plan;
    if (spool === undefined) {
      await write(this.#ports.stdout, encodeLine(output));
      return;
    }
    const file = await this.#ports.disk.open(spool, 'append');
    try {
      await writeFully(file, Buffer.from(encodeLine(output)));
    } finally {
      await file.close();
    }
    await write(this.#ports.stdout, shownLine(output));
  }
}

const decisionSchema = z.discriminatedUnion('behavior', [
  z.object({ behavior: z.literal('allow'), updatedInput: z.record(z.string(), z.unknown()).optional() }),
  z.object({ behavior: z.literal('deny'), message: z.string() }),
]);

const toolResultSchema = z.object({
  content: z.array(z.object({ text: z.string().default('') })),
  isError: z.boolean().default(false),
});

/** What a person at a terminal sees of a demo. */
function shownLine(output: HarnessOutput): string {
  switch (output.kind) {
    case 'text':
      return `${output.text}\n`;
    case 'toolStarted':
      return `● ${output.tool} ${JSON.stringify(output.input)}\n`;
    case 'toolEnded':
      return `  ${output.isError ? '✗ ' : ''}${output.output.split('\n')[0] ?? ''}\n`;
    case 'ready':
      return `A scenario plays here, with the model name ${output.model}.\n`;
    case 'result':
    case 'warning':
      return `${output.kind === 'result' ? output.reason : output.message}\n`;
    default:
      return '';
  }
}

function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Session tools answer with text alone; giving a validator spares the start-up cost of the built-in one. */
const noStructure = {
  getValidator(): never {
    throw failure(
      'base/internal',
      'scripted',
      'A session tool promises a structured answer, which no session tool gives.',
    );
  },
};
