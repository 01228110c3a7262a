import { deepStrictEqual } from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension', () => {
  it('has a command for each that its manifest names', async () => {
    const extension = vscode.extensions.getExtension('ravel.ravel');
    if (extension === undefined) throw new Error('The extension is not there.');
    await extension.activate();
    const declared: { readonly command: string }[] = extension.packageJSON.contributes.commands;
    const present = new Set(await vscode.commands.getCommands(true));
    deepStrictEqual(
      declared.map(({ command }) => command).filter((command) => !present.has(command)),
      [],
    );
  });
});
