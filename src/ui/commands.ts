import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { isRavelError, messageOf } from '../base/errors.ts';
import { disposeAll } from './disposables.ts';
import type { Workplace } from './workplace.ts';

/** A command's name without `ravel.`, and what it does; its arguments are whatever the place it was called from hands over. */
export type CommandTable = Readonly<Record<string, (workplace: Workplace, ...args: unknown[]) => Promise<unknown>>>;

/**
 * Registers a table of commands. What one throws is told here and nowhere else: its message, its remedy and the way to
 * the log. A command that is called by a program, such as a test, still rejects.
 */
export function registerCommands(workplace: Workplace, table: CommandTable): Disposable {
  return disposeAll(
    Object.entries(table).map(([name, run]) =>
      vscode.commands.registerCommand(`ravel.${name}`, async (...args: unknown[]) => {
        try {
          return await run(workplace, ...args);
        } catch (error) {
          tell(workplace, error);
          throw error;
        }
      }),
    ),
  );
}

/** Tells the person what went wrong and what to do; nobody waits for an answer. */
export function tell({ log, prompter }: Pick<Workplace, 'log' | 'prompter'>, error: unknown): void {
  const help = isRavelError(error) ? error.diagnostic.help : undefined;
  const code = isRavelError(error) ? `${error.code}: ` : '';
  log.error(`${code}${messageOf(error)}`, error instanceof Error ? (error.stack ?? '') : '');
  prompter
    .error([messageOf(error), help].filter((part) => part !== undefined).join(' '), 'Show Log')
    .then((answer) => (answer === undefined ? undefined : log.show()))
    .catch(() => undefined);
}
