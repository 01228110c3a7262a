import { join } from 'node:path';
import * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { readTextIfExists } from '../base/files.ts';
import { encodeLine } from '../base/ndjson.ts';
import { shellQuoted } from '../base/text.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import { type PermitArgs, type RecallArgs, recalledTools } from '../model/sessionTools.ts';
import { noUsage, type Usage } from '../model/usage.ts';
import type { SessionTerminal } from './adapter.ts';
import { toolOutputCharactersMax, toolPrefix } from './claudeStream.ts';
import { claudeTranscriptsFile } from './claudeTranscripts.ts';
import { countUsage } from './claudeUsage.ts';
import { parseObject } from './jsonLine.ts';

/** As long as a question to an owner who is not there just now may take. */
const hookTimeoutSeconds = 600;

/** All that is wanted of the program: what it does, and what comes in between. */
const hookNames = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SessionEnd',
];

/** The hooks by which Claude Code tells us of each of its steps in a terminal, and asks us before it uses a tool. */
export function claudeHooks(entry: SessionTerminal['entry']): Readonly<Record<string, unknown>> {
  const hook = { type: 'command', command: claudeHookCommand(entry), timeout: hookTimeoutSeconds };
  // Without it, a hook that fails or takes too long lets the call through, as in versions that do not know it.
  const asking = { ...hook, onFailure: 'block' };
  return Object.fromEntries(hookNames.map((name) => [name, [{ hooks: [name === 'PreToolUse' ? asking : hook] }]]));
}

/** What the program runs at each of its steps. */
export function claudeHookCommand({ program, args, environment = {} }: SessionTerminal['entry']): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return [...variables, ...[program, ...args, 'hook'].map(shellQuoted)].join(' ');
}

/** One step, for the process that carries it out: what it asks of the owner, and what it then comes to. */
export interface ClaudeStep {
  readonly asks: PermitArgs | undefined;
  /** What was done, for the memory that is about it. */
  readonly recalls: RecallArgs | undefined;
  /** Where the program keeps the record of the talk that begins here. */
  readonly keeps: { readonly file: string; readonly line: string } | undefined;
  readonly needsTools: boolean;
  readonly describe: (facts: Pick<HookFacts, 'tools' | 'leave'>) => HarnessOutput[];
  readonly answer: (leave: Leave | undefined) => string;
}

/** A step of the program as `ravel hook` carries it out; undefined for one that is nothing to us. */
export async function readClaudeStep(
  text: string,
  { disk, environment }: { readonly disk: Disk; readonly environment: Readonly<Record<string, string | undefined>> },
): Promise<ClaudeStep | undefined> {
  const parsed = parseClaudeHook(text);
  if (parsed === undefined) return undefined;
  const { hook, transcriptFile } = parsed;
  const directory = environment['RAVEL_SESSION_DIRECTORY'] ?? '';
  const isTurnOver = hook.hook_event_name === 'Stop' || hook.hook_event_name === 'SessionEnd';
  const usage =
    isTurnOver && transcriptFile !== undefined ? await countUsage(disk, directory, transcriptFile) : undefined;
  const opening = hook.hook_event_name === 'UserPromptSubmit' ? await readOpening(disk, directory) : '';
  return {
    asks: leaveAsked(hook),
    recalls: recallAsked(hook),
    keeps:
      hook.hook_event_name === 'SessionStart' && transcriptFile !== undefined
        ? { file: claudeTranscriptsFile, line: encodeLine(transcriptFile) }
        : undefined,
    needsTools: hook.hook_event_name === 'SessionStart',
    describe: ({ tools, leave }) => describeHook(hook, { tools, leave, opening, usage }),
    answer: (leave) => (leave === undefined ? '' : formatLeave(leave)),
  };
}

/** The first words of the session are the last of its program's arguments. */
async function readOpening(disk: Disk, sessionDirectory: string): Promise<string> {
  const text = await readTextIfExists(disk, join(sessionDirectory, 'terminal.json'));
  const { data } = z.object({ args: z.array(z.string()) }).safeParse(parseObject(text ?? ''));
  return data?.args.at(-1) ?? '';
}

const toolFields = {
  tool_use_id: z.string(),
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
};

const hookSchema = z.discriminatedUnion('hook_event_name', [
  z.object({
    hook_event_name: z.literal('SessionStart'),
    source: z.string().default('startup'),
    model: z.string().default(''),
  }),
  z.object({ hook_event_name: z.literal('UserPromptSubmit'), prompt: z.string() }),
  z.object({ hook_event_name: z.literal('PreToolUse'), ...toolFields, cwd: z.string().optional() }),
  z.object({
    hook_event_name: z.literal('PostToolUse'),
    ...toolFields,
    tool_response: z.unknown(),
    cwd: z.string().optional(),
  }),
  z.object({ hook_event_name: z.literal('PostToolUseFailure'), ...toolFields, error: z.unknown() }),
  z.object({ hook_event_name: z.literal('Stop'), last_assistant_message: z.string().default('') }),
  z.object({ hook_event_name: z.literal('SessionEnd'), reason: z.string().default('') }),
]);

/** What the program tells at one of its steps. */
export type ClaudeHook = z.output<typeof hookSchema>;
type HookNamed<Name extends ClaudeHook['hook_event_name']> = Extract<ClaudeHook, { hook_event_name: Name }>;

/** The step that we were called for, and where the program keeps the record of its talk; undefined for one unknown. */
export function parseClaudeHook(
  text: string,
): { readonly hook: ClaudeHook; readonly transcriptFile?: string } | undefined {
  const value = parseObject(text);
  const parsed = hookSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const transcriptFile = value?.['transcript_path'];
  return { hook: parsed.data, ...(typeof transcriptFile === 'string' && { transcriptFile }) };
}

/** What the gates are asked before a tool is used; undefined if none needs leave, as for our own tools. */
export function leaveAsked(hook: ClaudeHook): PermitArgs | undefined {
  if (hook.hook_event_name !== 'PreToolUse' || hook.tool_name.startsWith(toolPrefix)) return undefined;
  const { tool_name, tool_input: input, tool_use_id, cwd } = hook;
  return { tool_name, input, tool_use_id, ...defined({ cwd }) };
}

function recallAsked(hook: ClaudeHook): RecallArgs | undefined {
  if (hook.hook_event_name !== 'PostToolUse' || !isRecalled(hook.tool_name)) return undefined;
  const { tool_name, tool_input: input, tool_use_id, cwd } = hook;
  return { tool_name, input, tool_use_id, ...defined({ cwd }) };
}

function isRecalled(tool: string): boolean {
  return recalledTools.some((name) => name === tool);
}

export interface Leave {
  readonly decision: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** How the program wants to be answered; `ask` has it ask the person at the terminal. */
export function formatLeave({ decision, reason, input }: Leave): string {
  const answer = {
    hookEventName: 'PreToolUse',
    permissionDecision: decision,
    ...defined({ permissionDecisionReason: reason, updatedInput: input }),
  };
  return JSON.stringify({ hookSpecificOutput: answer });
}

export interface HookFacts {
  /** Names of the session tools, as the owner offers them. */
  readonly tools: readonly string[];
  /** The first words of the session, which are ours and no person's. */
  readonly opening: string;
  readonly usage?: Usage | undefined;
  readonly leave?: Leave | undefined;
}

/** One step of the program in the common vocabulary. */
export function describeHook(hook: ClaudeHook, { tools, opening, usage, leave }: HookFacts): HarnessOutput[] {
  switch (hook.hook_event_name) {
    case 'SessionStart':
      return hook.source === 'startup' ? [{ kind: 'ready', model: hook.model, version: '', tools }] : [];
    case 'UserPromptSubmit':
      return hook.prompt.trim() === opening.trim() ? [] : [{ kind: 'text', text: quoted(hook.prompt) }];
    case 'PreToolUse':
      return [
        { kind: 'toolStarted', tool: stripPrefix(hook.tool_name), callId: hook.tool_use_id, input: hook.tool_input },
        ...(leave?.decision === 'deny' ? [deniedCall(hook, leave)] : []),
      ];
    case 'PostToolUse':
      return [endedCall(hook)];
    case 'PostToolUseFailure':
      return [failedCall(hook)];
    case 'Stop': {
      const output = hook.last_assistant_message;
      return [
        ...(output === '' ? [] : [{ kind: 'text' as const, text: output }]),
        ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage }]),
      ];
    }
    case 'SessionEnd':
      // A talk that is cleared goes on as another one.
      if (hook.reason === 'clear' || hook.reason === 'resume') return [];
      return [{ kind: 'result', isError: false, reason: 'completed', usage: usage ?? noUsage }];
  }
}

function deniedCall({ tool_use_id: callId }: HookNamed<'PreToolUse'>, { reason = 'denied' }: Leave): HarnessOutput {
  return { kind: 'toolEnded', callId, isError: true, output: reason, ran: false };
}

const shellSchema = z.object({
  stdout: z.string(),
  stderr: z.string().default(''),
  interrupted: z.boolean().default(false),
});

function endedCall(hook: HookNamed<'PostToolUse'>): HarnessOutput {
  const ended = { kind: 'toolEnded' as const, callId: hook.tool_use_id, isError: false };
  const shell = hook.tool_name === 'Bash' ? shellSchema.safeParse(hook.tool_response).data : undefined;
  if (shell === undefined) return { ...ended, output: cut(textOf(hook.tool_response)) };
  const output = cut([shell.stdout, shell.stderr].filter((part) => part !== '').join('\n'));
  // A command that failed is told as a failure, so this one did not.
  return { ...ended, output, ...(!shell.interrupted && { exitCode: 0 }) };
}

function failedCall(hook: HookNamed<'PostToolUseFailure'>): HarnessOutput {
  const output = cut(textOf(hook.error));
  const code = hook.tool_name === 'Bash' ? /Exit code (\d+)/.exec(output)?.[1] : undefined;
  const ended = { kind: 'toolEnded' as const, callId: hook.tool_use_id, isError: true, output };
  return code === undefined ? ended : { ...ended, exitCode: Number(code) };
}

const blocksSchema = z.array(z.object({ text: z.string() }));
const readSchema = z.object({ file: z.object({ content: z.string() }) });
const writtenSchema = z.object({ filePath: z.string() });

/** What the program's own tools return is made for itself; what a reader wants of it is told. */
function textOf(response: unknown): string {
  if (typeof response === 'string') return response;
  const read = readSchema.safeParse(response).data;
  if (read !== undefined) return read.file.content;
  const written = writtenSchema.safeParse(response).data;
  if (written !== undefined) return `The file ${written.filePath} was written.`;
  const blocks = blocksSchema.safeParse(response).data;
  if (blocks !== undefined) return blocks.map(({ text }) => text).join('\n');
  return response === undefined ? '' : JSON.stringify(response);
}

/** What a person typed is told apart from what the program says. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function stripPrefix(tool: string): string {
  return tool.startsWith(toolPrefix) ? tool.slice(toolPrefix.length) : tool;
}

function cut(text: string): string {
  if (text.length <= toolOutputCharactersMax) return text;
  return `${text.slice(0, toolOutputCharactersMax)}… (${text.length - toolOutputCharactersMax} more characters)`;
}
