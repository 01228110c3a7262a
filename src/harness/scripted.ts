import { join } from 'node:path';
import * as z from 'zod';
import { defined } from '../base/defined.ts';
import { failure } from '../model/codes.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { ProgramStart } from '../model/programStart.ts';
import { isConsultation, type SessionPurpose, sessionPurposes } from '../model/sessionPurpose.ts';
import type { HarnessAdapter, OutputParser, SessionSpec } from './adapter.ts';
import { parseObject } from './jsonLine.ts';
import { loadScenario, type Scenario } from './scenario.ts';
import { writesInWorkAlone } from './writes.ts';

/** What the child reads: the file `scripted.json` in its session directory. */
export const scriptedPlanSchema = z.object({
  scenario: z.string(),
  purpose: z.enum(sessionPurposes),
  task: z.string().optional(),
  /** What the session is given as its prompt; the steps of a consultation are chosen by it. */
  promptFile: z.string(),
  projectDirectory: z.string().optional(),
  cwd: z.string(),
  /** The program that runs its commands in their sandbox; without it a plain shell does. */
  shell: z.string().optional(),
  /** Whether it asks for the memory about each tool that it uses. */
  recalls: z.boolean().optional(),
  /** Where the outputs go of a session that has a terminal; what is for the person goes to standard output then. */
  spool: z.string().optional(),
  mcpCommand: z.object({
    program: z.string(),
    args: z.array(z.string()),
    environment: z.record(z.string(), z.string()).default({}),
  }),
});

export type ScriptedPlan = z.infer<typeof scriptedPlanSchema>;

/** Plays a scenario file through the same session tools as any other harness: for demos and tests. */
export function createScriptedAdapter(entry: ProgramStart): HarnessAdapter {
  const command: HarnessAdapter['command'] = (spec, program) => {
    const file = join(spec.sessionDirectory, 'scripted.json');
    return {
      program,
      args: [...entry.args, 'scripted', file],
      environment: entry.environment ?? {},
      stdin: join(spec.sessionDirectory, 'prompt.md'),
      files: { [file]: `${JSON.stringify(planOf(spec), undefined, 2)}\n` },
    };
  };
  return {
    name: 'scripted',
    capabilities: {
      // As in the profiles that it plays. A scenario can edit in every phase; outside `work` it plays an unruly session.
      writes: writesInWorkAlone,
      reportsCost: true,
    },
    environmentNames: [],
    locate: () => Promise.resolve(entry.program),
    async checkStart(disk, start) {
      const file = scenarioOf(start);
      const { purpose } = start;
      const scenario = await loadScenario(disk, file);
      if (purpose === undefined || hasSteps(scenario, purpose)) return;
      throw failure('harness/badScenario', start.actor, `The scenario ${file} has no steps for ${purpose}.`, {
        file,
      });
    },
    command,
    createParser: createVocabularyParser,
    interactive: { command, createParser: createVocabularyParser },
  };
}

function hasSteps({ phases, consultations }: Scenario, purpose: SessionPurpose): boolean {
  return isConsultation(purpose) ? (consultations[purpose] ?? []).length > 0 : phases[purpose] !== undefined;
}

function scenarioOf({ actor, scenario }: Pick<SessionSpec, 'actor' | 'scenario'>): string {
  if (scenario !== undefined) return scenario;
  throw failure('harness/noScenario', actor, 'The scripted harness has no scenario to play.');
}

function planOf(spec: SessionSpec): ScriptedPlan {
  const { program, args, environment = {} } = spec.mcpCommand;
  return {
    scenario: scenarioOf(spec),
    purpose: spec.purpose,
    promptFile: join(spec.sessionDirectory, 'prompt.md'),
    ...defined({ task: spec.task, projectDirectory: spec.projectDirectory }),
    cwd: spec.cwd,
    ...defined({ shell: spec.shell }),
    ...(spec.recalls === true && { recalls: true }),
    ...(spec.terminal !== undefined && { spool: join(spec.sessionDirectory, 'spool') }),
    mcpCommand: { program, args: [...args], environment: { ...environment } },
  };
}

/** Reads lines that are the common vocabulary itself. */
export function createVocabularyParser(): OutputParser {
  return {
    parse(line) {
      const value = parseObject(line);
      if (value === undefined) return 'malformed';
      const output = outputSchema.safeParse(value);
      // JSON has no `undefined`: what the schema calls optional is there or it is not.
      return output.success ? [output.data as HarnessOutput] : undefined;
    },
  };
}

const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costUsd: z.number().optional(),
  costBasis: z.enum(['reported', 'estimated', 'scripted']).optional(),
});

/** The child prints the common vocabulary itself. */
const outputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), model: z.string(), version: z.string(), tools: z.array(z.string()) }),
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('toolStarted'), tool: z.string(), callId: z.string(), input: z.unknown() }),
  z.object({
    kind: z.literal('toolEnded'),
    callId: z.string(),
    isError: z.boolean(),
    output: z.string(),
    exitCode: z.number().optional(),
    ran: z.literal(false).optional(),
  }),
  z.object({ kind: z.literal('usage'), usage: usageSchema }),
  z.object({ kind: z.literal('result'), isError: z.boolean(), reason: z.string(), usage: usageSchema }),
  z.object({ kind: z.literal('warning'), message: z.string() }),
]);
