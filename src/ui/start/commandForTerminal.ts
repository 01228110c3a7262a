import { shellWord } from '../../base/text.ts';
import type { ProgramStart } from '../../model/programStart.ts';

/**
 * The terminal text for a command that a message names. A user of the extension does not always have `ravel` on their
 * PATH, so the extension's own program replaces it, with the vault of the window.
 */
export function commandForTerminal(text: string, start: ProgramStart, vault: string | undefined): string {
  const asked = /^ravel(?= |$)/.exec(text);
  if (asked === null) return text;
  const settings = Object.entries(start.environment ?? {}).map(([name, value]) => `${name}=${value}`);
  const words = [start.program, ...start.args, ...(vault === undefined ? [] : ['--vault', vault])].map(shellWord);
  return [...settings, ...words].join(' ') + text.slice('ravel'.length);
}
