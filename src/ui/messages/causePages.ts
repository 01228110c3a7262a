import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { answerText, type CauseDocument, causeDocument } from './causeText.ts';

const causeScheme = 'ravel-why';
const answerScheme = 'ravel-answer';
const openCommand = 'ravel.openCause';

/** Traces and answers as documents that are read and not written; each line of a trace leads to what it names. */
export function registerCausePages(ui: UiContext): Disposable {
  const shown = new Map<string, CauseDocument>();
  return disposeAll([
    vscode.workspace.registerTextDocumentContentProvider(causeScheme, {
      async provideTextDocumentContent(uri) {
        const { subject, plan } = JSON.parse(uri.query) as { readonly subject: string; readonly plan?: string };
        const trace = await requireLink(ui).api.request('why', { subject, ...defined({ plan }) });
        const page = causeDocument(trace);
        shown.set(uri.toString(), page);
        return page.text;
      },
    }),
    vscode.workspace.registerTextDocumentContentProvider(answerScheme, {
      async provideTextDocumentContent(uri) {
        const query = uri.path.split('/')[1] ?? '';
        const { answer, pending } = await requireLink(ui).api.request('answer', { query });
        if (answer !== undefined) return answerText(answer);
        return pending === undefined ? t('This question has not been answered.\n') : `${pending.state}\n`;
      },
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => shown.delete(uri.toString())),
    vscode.languages.registerDocumentLinkProvider(
      { scheme: causeScheme },
      {
        provideDocumentLinks({ uri }) {
          return (shown.get(uri.toString())?.links ?? []).map(({ line, start, end, node, session }) => {
            const link = new vscode.DocumentLink(
              new vscode.Range(line, start, line, end),
              vscode.Uri.parse(`command:${openCommand}?${encodeURIComponent(JSON.stringify([node, session]))}`),
            );
            link.tooltip = t('Show it');
            return link;
          });
        },
      },
    ),
  ]);
}

/** Shows why something is there. The address holds what is asked, so that a window that comes back asks again. */
export async function showCauses(subject: string, plan: string | undefined): Promise<void> {
  const name = `Why ${subject.replaceAll(/[\\/:]/g, ' ')}.md`;
  const query = JSON.stringify({ subject, ...defined({ plan }) });
  await showPage(vscode.Uri.from({ scheme: causeScheme, path: `/${name}`, query }));
}

export async function showAnswer(query: string): Promise<void> {
  await showPage(vscode.Uri.from({ scheme: answerScheme, path: `/${query}/Answer.md` }));
}

async function showPage(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
