import { rehearsedVault } from '../model/rehearsal.ts';
import type { Settings } from '../model/settings.ts';
import { isVariableOf } from '../model/variablePattern.ts';
import type { HarnessAdapter, HarnessCommand, SessionSpec } from './adapter.ts';

/** What every session may inherit; `*` at the end matches a prefix. */
const inherited = [
  'PATH',
  'HOME',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TERM',
  'TMPDIR',
  'TZ',
  'XDG_*',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  rehearsedVault,
];

export interface EnvironmentSources {
  /** The environment of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly adapter: Pick<HarnessAdapter, 'environmentNames'>;
  readonly command: Pick<HarnessCommand, 'environment'>;
  readonly settings: Settings;
  readonly spec: Pick<SessionSpec, 'session' | 'token' | 'socketPath' | 'vault' | 'sessionDirectory'>;
}

/** The whole environment of a session: an allow-list, then what the harness sets, then what the session tools need. */
export function sessionEnvironment(sources: EnvironmentSources): Record<string, string> {
  const { environment, adapter, command, settings, spec } = sources;
  return {
    ...inheritedEnvironment(environment, [...adapter.environmentNames, ...settings.environment.pass]),
    ...command.environment,
    RAVEL_SESSION: spec.session,
    RAVEL_TOKEN: spec.token,
    RAVEL_SOCKET: spec.socketPath,
    RAVEL_VAULT: spec.vault,
    RAVEL_SESSION_DIRECTORY: spec.sessionDirectory,
  };
}

/**
 * Whether a variable keeps git from reading settings, as in a rehearsal. One that names a file of settings is not passed:
 * that file can name programs, and a sandbox would not let git read it.
 */
function leavesOut(name: string, value: string): boolean {
  return name === 'GIT_CONFIG_NOSYSTEM' || (name === 'GIT_CONFIG_GLOBAL' && value === '/dev/null');
}

/** What any child may inherit, and what these names or patterns add to it. */
export function inheritedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  more: readonly string[],
): Record<string, string> {
  const patterns = [...inherited, ...more];
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (isVariableOf(name, patterns) || leavesOut(name, value))) result[name] = value;
  }
  return result;
}
