import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../base/disposable.ts';
import { isRavelError, messageOf } from '../base/errors.ts';
import { isLostOwner, lostOwnerText } from '../model/lostOwner.ts';
import { inWindowWords, windowCommandsIn } from '../model/windowCommands.ts';
import type { CommandName } from './commandNames.ts';
import { nextStepOf } from './nextSteps.ts';
import { notify } from './notify.ts';
import { sanitizeLabel } from './sanitizeLabel.ts';
import type { UiContext } from './uiContext.ts';

/** What a command does; its arguments are whatever the place it was called from hands over. */
export type RunCommand = (ui: UiContext, ...args: unknown[]) => Promise<unknown>;

/** Some of the commands. A row that `package.json` does not declare does not compile; its test names one without a row. */
export type CommandTable = Readonly<Partial<Record<CommandName, RunCommand>>>;

/**
 * Registers a table of commands. What one throws is told here and nowhere else: its message, its remedy and the way to
 * the log. It does not reject then: the editor would show it a second time, in a dialog of its own. A command that the
 * person cancelled shows nothing.
 */
export function registerCommands(ui: UiContext, table: CommandTable): Disposable {
  return disposeAll(
    Object.entries(table).map(([name, run]) =>
      vscode.commands.registerCommand(`ravel.${name}`, async (...args: unknown[]) => {
        try {
          return await run(ui, ...args);
        } catch (error) {
          if (!(error instanceof vscode.CancellationError)) showFailure(ui, error);
          return undefined;
        }
      }),
    ),
  );
}

/** Tells the person what went wrong and what to do, with a button for the next step; does not wait for the answer. */
export function showFailure(ui: Pick<UiContext, 'log' | 'prompter' | 'onError'>, error: unknown): void {
  const diagnostic = isRavelError(error) ? error.diagnostic : undefined;
  const code = diagnostic === undefined ? '' : `${diagnostic.code}: `;
  // Where it happened helps only with what was not foreseen.
  const isForeseen = diagnostic !== undefined && diagnostic.code !== 'base/internal';
  const stack = isForeseen || !(error instanceof Error) ? [] : [error.stack ?? ''];
  ui.log.error(`${code}${messageOf(error)}`, ...stack);
  const next = diagnostic === undefined ? undefined : nextStepOf(diagnostic);
  const help = next?.help ?? (diagnostic?.help === undefined ? undefined : inWindowWords(diagnostic.help));
  const text = isLostOwner(error) ? [lostOwnerText] : [messageOf(error), help].filter((part) => part !== undefined);
  const message = sanitizeLabel(text.join(' '), 600);
  const named = diagnostic?.help === undefined ? [] : windowCommandsIn(diagnostic.help, diagnostic.subject);
  notify(ui, { tone: 'error', message, actions: [...(next?.actions ?? named), showLog] });
}

const showLog = { title: t('Show Log'), command: 'ravel.showLog' };
