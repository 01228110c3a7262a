import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { UiContext } from '../uiContext.ts';
import { type ExpertEntry, expertEntries } from './expertRows.ts';
import { flatRows } from './flatRows.ts';
import { RowTree } from './rowTree.ts';

/** The view of the experts that the vault declares; a click opens the declaration. */
export function registerExpertsView({ model }: UiContext): Disposable {
  const read = () => expertEntries(model.experts).map(withClick);
  const tree = new RowTree(flatRows(read()));
  const view = vscode.window.createTreeView('ravel.experts', { treeDataProvider: tree });
  return disposeAll([
    tree,
    view,
    model.onDidChange(({ experts }) => {
      if (!experts) return;
      const entries = read();
      tree.show(
        flatRows(entries),
        entries.map(({ row }) => row.id),
      );
    }),
  ]);
}

function withClick({ file, row, ...rest }: ExpertEntry): ExpertEntry {
  if (file === undefined) return { row, ...rest };
  const click = { command: 'vscode.open', title: 'Open Declaration', arguments: [vscode.Uri.file(file)] };
  return { file, row: { ...row, command: click }, ...rest };
}
