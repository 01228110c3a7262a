import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SessionPurpose, sessionPurposes } from '../../src/model/sessionPurpose.ts';
import { type Settings, settingsSchema } from '../../src/model/settings.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Absolute path of the real Claude Code that `test/programs` installs; a bundled caller names the repository itself. */
export function claudeCodeProgram(root: string = repository): string {
  const path = join(root, 'test/programs/node_modules/.bin/claude');
  if (!existsSync(path)) throw new Error('Claude Code is not installed for the tests: npm ci --prefix test/programs');
  return path;
}

/** Settings under which the adapter finds that program. */
export function claudeCodeSettings(root: string = repository): Settings {
  return settingsSchema.parse({ harnesses: { 'claude-code': { program: claudeCodeProgram(root) } } });
}

/** An environment of its own: a home in `root`, a key that is no key, and a model on loopback. Nothing of the machine's. */
export function claudeCodeEnvironment(root: string, modelUrl: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: root,
    CLAUDE_CONFIG_DIR: join(root, 'claude'),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'no-key-at-all',
  };
}

/** Writes the configuration of a person who has used the program before, so that it asks nothing at its start. */
export async function signIn(
  { project }: { readonly project: string },
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

/** The shipped system prompts name what a session is for in their first sentence. */
export function purposeOfPrompt(system: string): SessionPurpose | undefined {
  const word = /(?:You carry out one phase|You are asked one thing), `([a-z-]+)`/.exec(system)?.[1];
  return sessionPurposes.find((purpose) => purpose === word);
}
