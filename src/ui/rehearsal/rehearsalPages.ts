import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { RehearsalReport } from '../../model/rehearsal.ts';
import { patchOfFile, rehearsalPage } from './rehearsalPage.ts';

const scheme = 'ravel-rehearsal';
/** Rehearsals that the window keeps; a page of an older one says that it is gone. */
const keptMax = 20;

/** What rehearsals would have changed, as documents that are read and not written; each file leads to its changes. */
export class RehearsalPages implements Disposable {
  readonly #reports = new Map<string, RehearsalReport>();
  readonly #registered: Disposable;
  #count = 0;

  constructor() {
    this.#registered = disposeAll([
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: (uri) => this.#textOf(uri),
      }),
      vscode.languages.registerDocumentLinkProvider(
        { scheme },
        { provideDocumentLinks: ({ uri }) => this.#linksOf(uri) },
      ),
    ]);
  }

  async show(report: RehearsalReport): Promise<void> {
    const name = String(++this.#count);
    this.#reports.set(name, report);
    const [oldest] = this.#reports.keys();
    if (this.#reports.size > keptMax && oldest !== undefined) this.#reports.delete(oldest);
    const uri = vscode.Uri.from({ scheme, path: `/${name}/Rehearsal.md` });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#registered.dispose();
  }

  /** The path of a changed file is the query of its page, which no name of a file can be mistaken for. */
  #textOf({ path, query }: vscode.Uri): string {
    const report = this.#reportOf(path);
    if (report === undefined) return t('# This rehearsal is gone\n\nRun “Ravel: Rehearse Plan” again.\n');
    if (query === '') return rehearsalPage(report).text;
    return (
      patchOfFile(report.patch, query) ?? t('The changes of this file are not shown: they are too long, or no text.\n')
    );
  }

  #linksOf({ path, query }: vscode.Uri): vscode.DocumentLink[] {
    const report = this.#reportOf(path);
    if (report === undefined || query !== '') return [];
    return rehearsalPage(report).links.map(({ line, start, end, path: file }) => {
      const name = file.split('/').at(-1) ?? file;
      const target = vscode.Uri.from({ scheme, path: `/${path.split('/')[1] ?? ''}/${name}.diff`, query: file });
      const link = new vscode.DocumentLink(new vscode.Range(line, start, line, end), target);
      link.tooltip = t('Open the changes');
      return link;
    });
  }

  #reportOf(path: string): RehearsalReport | undefined {
    return this.#reports.get(path.split('/')[1] ?? '');
  }
}
