import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { RequestParams } from '../../model/protocol.ts';
import type { TerminalInfo } from '../../model/terminal.ts';
import { registerCommands } from '../commands.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import { formatWhen } from '../trees/sessionRows.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { OpenTerminals } from './openTerminals.ts';
import { createLinkProvider } from './terminalLinkProvider.ts';
import { terminalName } from './terminalText.ts';

/** What a program is given before the editor says how much room there is. */
const usualSize = { columns: 80, rows: 30 };

/** Terminals: work sessions of an agent program, and shells in projects. */
export function terminalsPart(ui: UiContext): Disposable {
  const terminals = new OpenTerminals(ui);
  return disposeAll([
    terminals,
    vscode.window.registerTerminalLinkProvider(createLinkProvider(ui, terminals)),
    registerCommands(ui, {
      async openWorkSession(_ui, argument, task) {
        ui.requireTrust();
        const plan = await choosePlan(ui, argument, {
          title: t('Open Work Session of Plan in Terminal'),
          fits: ({ row }) => row?.phase === 'work',
          none: t('No plan is at its work phase.'),
        });
        if (plan === undefined) return undefined;
        const named = typeof task === 'string' ? { task } : {};
        const { interrupted: unfinished } = await requireLink(ui).api.request('status', { plan });
        if (unfinished !== undefined) {
          const question = t`The last try of ${plan} did not finish. Try again?`;
          const detail = t`${sanitizeLabel(unfinished.reason, 600)}\n\nThe new session is told about it.`;
          if (!(await ui.prompter.confirm(question, detail, t('Try Again')))) return undefined;
          return open(ui, terminals, { kind: 'work', plan, size: usualSize, retry: true, ...named });
        }
        return open(ui, terminals, { kind: 'work', plan, size: usualSize, ...named });
      },
      async openShell(_ui, argument) {
        ui.requireTrust();
        const plan = await choosePlan(ui, argument, { title: t('Open Shell in Project of Plan') });
        return plan === undefined ? undefined : open(ui, terminals, { kind: 'shell', plan, size: usualSize });
      },
      async focusTerminal(_ui, argument) {
        ui.requireTrust();
        const info = await chooseTerminal(ui, argument, t('Focus Terminal'));
        if (info !== undefined) terminals.show(info);
        return info;
      },
      async endTerminal(_ui, argument) {
        ui.requireTrust();
        const active = terminals.of(vscode.window.activeTerminal)?.info.terminal;
        const info = await chooseTerminal(ui, argument ?? active, t('End Terminal Session'));
        if (info === undefined) return undefined;
        const question = t`End ${terminalName(info)}?`;
        const detail = t(
          'This ends its program and everything it started. The changes of a work session are kept for a retry.',
        );
        if (!(await ui.prompter.confirm(question, detail, t('End Session')))) return undefined;
        return requireLink(ui).api.request('close_terminal', { terminal: info.terminal });
      },
    }),
  ]);
}

async function open(
  ui: UiContext,
  terminals: OpenTerminals,
  params: RequestParams<'open_terminal'>,
): Promise<TerminalInfo> {
  const { api } = requireLink(ui);
  const title =
    params.kind === 'work' ? t`Opening the work session of ${plainChoice(params.plan)}` : t('Opening a shell');
  const options = { location: vscode.ProgressLocation.Window, title };
  const info = await vscode.window.withProgress(options, async () => api.request('open_terminal', params));
  terminals.show(info);
  return info;
}

/** The terminal that a command is about, wherever it was opened; else the one that a person picks. */
async function chooseTerminal(ui: UiContext, argument: unknown, title: string): Promise<TerminalInfo | undefined> {
  const { terminals } = await requireLink(ui).api.request('terminals', {});
  const given = terminals.find(({ terminal }) => terminal === argument);
  if (given !== undefined) return given;
  if (terminals.length === 0) {
    await ui.prompter.info(t('This vault has no open terminals.'));
    return undefined;
  }
  const [only, ...others] = terminals;
  if (others.length === 0) return only;
  const choices = terminals.map((info) => ({
    label: plainChoice(terminalName(info)),
    description: t`since ${formatWhen(info.startedAt, ui.clock.wallMs())}`,
    detail: plainChoice(info.cwd),
    value: info,
  }));
  return ui.prompter.pick(choices, { title, matchOnDetail: true });
}
