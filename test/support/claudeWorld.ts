import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseScenario, type Scenario } from '../../src/harness/scenario.ts';
import { type SessionPurpose, sessionPurposes } from '../../src/model/sessionPurpose.ts';
import { claudeCodeEnvironment, claudeCodeProgram } from './claudeCode.ts';
import { type ModelFault, type ModelServer, startModelServer } from './modelServer.ts';
import type { World } from './world.ts';

export interface ClaudeWorld {
  readonly model: ModelServer;
  /** The world's own, with what leads the real program to the model on loopback. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Lines of daemon.toml that name the real program. */
export function claudeSettings(): string {
  return `[harnesses.claude-code]\nprogram = ${JSON.stringify(claudeCodeProgram())}\n`;
}

/** A model on loopback that plays the world's scenario to the real Claude Code. Call it inside a test. */
export async function startClaudeWorld(
  world: World,
  source: string,
  options: { readonly task?: string; readonly faults?: readonly ModelFault[] } = {},
): Promise<ClaudeWorld> {
  const scenario = scenarioOf(source);
  const model = await startModelServer({
    scenario,
    projectDirectory: world.project,
    purposeOf: purposeOfPrompt,
    ...options,
  });
  onTestFinished(() => model.close());
  const claude = claudeCodeEnvironment(world.environment['HOME'] ?? world.root, model.url);
  return { model, environment: { ...claude, ...world.environment } };
}

/** Writes the configuration of a person who has used the program before, so that it asks nothing at its start. */
export async function signIn(
  { project }: Pick<World, 'project'>,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const configuration = environment['CLAUDE_CONFIG_DIR'] ?? '';
  await mkdir(configuration, { recursive: true });
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['no-key-at-all'] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(join(configuration, '.claude.json'), JSON.stringify(state));
}

function scenarioOf(source: string): Scenario {
  const { scenario, diagnostics } = parseScenario(source, 'scenario.yaml');
  if (scenario === undefined) throw new Error(diagnostics.map((problem) => problem.message).join('\n'));
  return scenario;
}

/** The shipped system prompts name what a session is for in their first sentence. */
function purposeOfPrompt(system: string): SessionPurpose | undefined {
  const word = /(?:You carry out one phase|You are asked one thing), `([a-z-]+)`/.exec(system)?.[1];
  return sessionPurposes.find((purpose) => purpose === word);
}
