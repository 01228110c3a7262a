import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { disposeAll } from '../../base/disposable.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { Part, UiContext } from '../uiContext.ts';

/** As the manifest names the provider. */
const providerId = 'ravel.vault';

/** Offers the vault of the window to agents as an MCP server: our own command line, which they start on demand. */
export const mcpServersPart: Part = (ui) => {
  if (typeof vscode.lm?.registerMcpServerDefinitionProvider !== 'function') return disposeAll([]);
  const changes = new vscode.EventEmitter<void>();
  return disposeAll([
    changes,
    ui.link.onDidChange(() => changes.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changes.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(providerId, {
      onDidChangeMcpServerDefinitions: changes.event,
      provideMcpServerDefinitions: () => vaultServers(ui),
      resolveMcpServerDefinition(server) {
        // It can change the vault and start sessions.
        ui.requireTrust();
        return server;
      },
    }),
  ]);
};

/** What is offered now: one server for the vault of the window, none without trust. */
export async function vaultServers({ link, machine, context }: UiContext): Promise<vscode.McpStdioServerDefinition[]> {
  const vault = link.value?.vault;
  if (vault === undefined || !vscode.workspace.isTrusted) return [];
  const { program, args, environment } = await machine.commandLine();
  const { version }: { readonly version: string } = context.extension.packageJSON;
  return [
    new vscode.McpStdioServerDefinition(
      t`Ravel: ${sanitizeLabel(basename(vault), 60)}`,
      program,
      [...args, 'mcp', '--vault', vault],
      { ...environment },
      version,
    ),
  ];
}
