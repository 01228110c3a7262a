import { t } from '@vscode/l10n';
import type { RavelEvent } from '../../model/event.ts';
import type { TerminalExit, TerminalInfo } from '../../model/terminal.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

type PhaseEnded = Extract<RavelEvent, { type: 'phase.ended' }>;

/** Characters of a summary, a few lines of a terminal. */
const summaryCharactersMax = 400;
const endWords = {
  finished: t('finished'),
  interrupted: t('was interrupted'),
  failed: t('failed'),
  waiting: t('needs your answer'),
};

/** What the editor calls a terminal. */
export function terminalName({ kind, plan }: Pick<TerminalInfo, 'kind' | 'plan'>): string {
  return `${kind === 'work' ? t('Work') : t('Shell')}: ${sanitizeLabel(plan)}`;
}

/** Said once the program of a work session is gone, until it is known what came of the phase. */
export const judgedLine = notice(t('The session has ended. The result of its phase follows…'));

/** Said where a terminal ended while this window did not look. */
export const goneLine = notice(t('This terminal has ended.'), t('Press any key to close it.'));

/** One line that says what came of the phase, and one that says how to close the terminal. */
export function outcomeLines({ phase, end, next, summary }: PhaseEnded): string {
  const text = sanitizeLabel(summary, summaryCharactersMax);
  const what = t`The phase ${phase} ${endWords[end]}: ${text}`;
  const then = end === 'finished' ? t` Next is ${next}.` : t(' See the Inbox for your options.');
  return notice(what + (/[.!?]$/.test(text) ? '' : '.') + then, t('Press any key to close this terminal.'));
}

/** How a shell ended, if that is worth a word. */
export function exitLines({ code, signal }: TerminalExit): string | undefined {
  if (code === 0 && signal === undefined) return undefined;
  const how = signal === undefined ? t`with code ${code}` : t`by signal ${signal}`;
  return notice(t`The shell ended ${how}.`, t('Press any key to close this terminal.'));
}

/** Set apart from what programs print by more than a colour. */
function notice(...lines: readonly string[]): string {
  return `\r\n${lines.map((line) => `\u001b[1mRavel:\u001b[22m ${line}\r\n`).join('')}`;
}
