import { onTestFinished } from 'vitest';
import { parseScenario, type Scenario } from '../../src/harness/scenario.ts';
import { claudeCodeEnvironment, claudeCodeProgram, purposeOfPrompt } from './claudeCode.ts';
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

function scenarioOf(source: string): Scenario {
  const { scenario, diagnostics } = parseScenario(source, 'scenario.yaml');
  if (scenario === undefined) throw new Error(diagnostics.map((problem) => problem.message).join('\n'));
  return scenario;
}
