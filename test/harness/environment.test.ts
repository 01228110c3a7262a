import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createClaudeCodeAdapter } from '../../src/harness/claudeCode.ts';
import { inheritedEnvironment, sessionEnvironment } from '../../src/harness/environment.ts';
import type { Ulid } from '../../src/model/id.ts';
import { settingsSchema } from '../../src/model/settings.ts';

const session = {
  RAVEL_SESSION: '01J00000000000000000000000',
  RAVEL_TOKEN: 'token',
  RAVEL_SOCKET: '/socket',
  RAVEL_VAULT: '/vault',
  RAVEL_SESSION_DIRECTORY: '/session',
};

function check(environment: Record<string, string>, expected: Record<string, string>, pass: string[] = []): void {
  const spec = {
    session: session.RAVEL_SESSION as Ulid,
    token: session.RAVEL_TOKEN,
    socketPath: session.RAVEL_SOCKET,
    vault: session.RAVEL_VAULT,
    sessionDirectory: session.RAVEL_SESSION_DIRECTORY,
  };
  const adapter = { environmentNames: ['AGENT_*', 'AGENTHOME'] };
  const command = { environment: { SET: 'by the adapter' } };
  const settings = settingsSchema.parse({ environment: { pass: pass } });
  const result = sessionEnvironment({ environment, adapter, command, settings, spec });
  expect(result).toEqual({ ...expected, SET: 'by the adapter', ...session });
}

test.each([
  ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ', 'XDG_CONFIG_HOME', 'HTTPS_PROXY', 'no_proxy'],
  ['AGENT_KEY', 'AGENTHOME'],
])('a session inherits %s and the like', (...names) => {
  const environment = Object.fromEntries(names.map((name) => [name, `${name} value`]));
  check(environment, environment);
});

test.each(['SECRET', 'AWS_SECRET_ACCESS_KEY', 'NODE_OPTIONS', 'PATHEXT', 'AGENTHOMES', 'LD_PRELOAD', 'GIT_DIR'])(
  'a session does not inherit %s',
  (name) => check({ [name]: 'x' }, {}),
);

test('a session inherits that git reads no settings, but no file of settings', () => {
  const none = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  check(none, none);
  check({ GIT_CONFIG_GLOBAL: '/settings/git.config', GIT_CONFIG_COUNT: '1' }, {});
});

/** Variables that an editor sets for its extensions, and Claude Code for its child processes. */
const surroundings = [
  ...['ELECTRON_RUN_AS_NODE', 'VSCODE_IPC_HOOK_CLI', 'VSCODE_GIT_ASKPASS_NODE', 'GIT_ASKPASS', 'NODE_OPTIONS'],
  ...['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT', 'ANTHROPIC_API_KEY'],
];

test.each(surroundings)('a session does not inherit %s from an editor or Claude Code', (name) =>
  check({ [name]: 'x' }, {}),
);

test.each(surroundings.filter((name) => name !== 'ANTHROPIC_API_KEY'))(
  'the Claude Code adapter does not inherit %s',
  (name) => {
    const { environmentNames } = createClaudeCodeAdapter(nodeDisk);
    expect(inheritedEnvironment({ [name]: 'x' }, environmentNames)).toEqual({});
  },
);

test('the settings add names and prefixes to the inherited environment', () => {
  check(
    { AWS_REGION: 'a', AWS_KEY: 'b', CARGO_HOME: 'c', OTHER: 'd' },
    { AWS_REGION: 'a', AWS_KEY: 'b', CARGO_HOME: 'c' },
    ['AWS_*', 'CARGO_HOME'],
  );
});

test('a session does not inherit the variables of a surrounding session', () => {
  check({ RAVEL_SESSION: 'outer', RAVEL_TOKEN: 'outer', SET: 'outer' }, {}, ['RAVEL_*', 'SET']);
});
