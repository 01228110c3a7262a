import * as vscode from 'vscode';
import type { Range } from '../../base/errors.ts';
import type { DocumentTarget, TextEdit } from '../../model/document.ts';

export function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

export function toTextEdits(edits: readonly TextEdit[]): vscode.TextEdit[] {
  return edits.map(({ range, text }) => vscode.TextEdit.replace(toRange(range), text));
}

/** Where a name leads to; the beginning of a file that is named as a whole. */
export function toLocation({ file, range }: DocumentTarget): vscode.Location {
  return new vscode.Location(vscode.Uri.file(file), range === undefined ? new vscode.Position(0, 0) : toRange(range));
}
