import { join } from 'node:path';
import { type HarnessName, scenarioHarness } from '../model/harnesses.ts';
import { rehearsedVault } from '../model/rehearsal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Each signs Claude Code in by itself, so that it needs nothing of the person's own folder. */
const claudeKeys = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
];

export interface CopyEnvironment {
  readonly environment: Environment;
  /** What the harness writes outside the copy all the same, as a sentence. */
  readonly outside?: string;
}

/**
 * The environment in which a rehearsal runs. Git reads no settings but those of the copy, which start no program. Claude
 * Code keeps its records in `folder`; a login that it has stored it renews in its own place, since a renewed copy would
 * sign the person out. `vault` is the original.
 */
export function copyEnvironment(
  inherited: Environment,
  { folder, vault, harness }: { readonly folder: string; readonly vault: string; readonly harness: HarnessName },
): CopyEnvironment {
  const kept = Object.entries(inherited).filter(([name]) => !/^GIT_CONFIG(?:_|$)/i.test(name));
  // What a session of the copy asks of the original, it asks as a session.
  const environment = {
    ...Object.fromEntries(kept),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    [rehearsedVault]: vault,
  };
  if (harness === scenarioHarness) return { environment };
  const caches = { XDG_CACHE_HOME: join(folder, 'cache') };
  if (claudeKeys.some((name) => (inherited[name] ?? '') !== '')) {
    return { environment: { ...environment, ...caches, CLAUDE_CONFIG_DIR: join(folder, 'claude') } };
  }
  const outside =
    'Claude Code is signed in with a stored login, so it keeps its own records of these sessions where it keeps all others.';
  return { environment: { ...environment, ...caches }, outside };
}
