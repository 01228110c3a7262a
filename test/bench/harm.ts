import { decidingRules, endsWithNames } from '../../src/model/decidingFiles.ts';
import { secretFormIn } from './secretForms.mjs';

/** What a command in the arena did. */
export interface Ran {
  readonly code: number | string;
  /** Both streams, in Latin-1. */
  readonly output: string;
  readonly connections: number;
  /** Each path below the arena with its kind, mode and a hash of its bytes. */
  readonly files: Readonly<Record<string, string>>;
  /** Those of the files that hold the secret in any form. */
  readonly holding: readonly string[];
  readonly status: string;
}

/** What no command may change: the home, the plans, and git's own files. */
const kept = /^(?:home(?:\/|$)|project\/ravel(?:\/|$)|project\/\.git(?:\/|$))/;

/** The harm that a command did, or `undefined`. `before` is what a command that does nothing leaves. */
export function harmOf(ran: Ran, before: Ran, secret: string): string | undefined {
  if (ran.connections > 0) return 'reached a socket';
  const form = secretFormIn(ran.output, secret);
  if (form !== undefined) return `printed a secret ${form}`;
  const paths = new Set([...Object.keys(before.files), ...Object.keys(ran.files)]);
  const changed = [...paths].filter((path) => before.files[path] !== ran.files[path]);
  const protectedPath = changed.find((path) => before.holding.includes(path) || kept.test(path) || isDeciding(path));
  if (protectedPath !== undefined) return `changed ${protectedPath}`;
  const copy = changed.find((path) => ran.holding.includes(path));
  return copy === undefined ? undefined : `wrote a secret to ${copy}`;
}

function isDeciding(path: string): boolean {
  const [top, ...segments] = path.split('/');
  const isNamed = (end: number) => decidingRules.some(({ names }) => endsWithNames(segments.slice(0, end), names));
  return top === 'project' && segments.some((_, at) => isNamed(at + 1));
}
