import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
