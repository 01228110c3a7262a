import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { cancellable } from '../cancellation.ts';
import { type CommandTable, registerCommands } from '../commands.ts';
import type { Part, UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { type DoctorReport, doctorReport } from './doctorReport.ts';

const scheme = 'ravel-doctor';
const document = vscode.Uri.from({ scheme, path: '/Ravel Doctor.md' });

/** The doctor's report: a document, and lenses in it that lead to the fix of a finding. */
export const doctorPart: Part = (ui) => {
  let report: DoctorReport = { text: '', lenses: [] };
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const lensChanges = new vscode.EventEmitter<void>();
  const commands: CommandTable = {
    async runDoctor() {
      report = await examine(ui);
      changes.fire(document);
      lensChanges.fire();
      const opened = await vscode.workspace.openTextDocument(document);
      await vscode.window.showTextDocument(opened, { preview: false });
      return report;
    },
  };
  const lenses: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: lensChanges.event,
    provideCodeLenses: () =>
      report.lenses.map(({ line, action: { title, command, arguments: given } }) => {
        const range = new vscode.Range(line, 0, line, 0);
        return new vscode.CodeLens(range, { title, command, ...(given !== undefined && { arguments: [...given] }) });
      }),
  };
  const registered: Disposable[] = [
    changes,
    lensChanges,
    registerCommands(ui, commands),
    vscode.languages.registerCodeLensProvider({ scheme }, lenses),
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      provideTextDocumentContent: () => report.text,
    }),
  ];
  return disposeAll(registered);
};

async function examine(ui: UiContext): Promise<DoctorReport> {
  const { api, vault } = requireLink(ui);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t('Ravel: examining the vault'),
    cancellable: true,
  };
  const { checks } = await vscode.window.withProgress(options, (_progress, token) =>
    cancellable(token, (signal) => api.request('doctor', {}, signal)),
  );
  return doctorReport(vault, checks);
}
