import { relative, sep } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { isRavelError } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import type { EventType } from '../../model/event.ts';
import { isUlid, type Ulid } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import { onVaultEvent } from '../linkEvents.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { expertDocument } from './expertText.ts';
import { exploreDocument, exploredPart } from './exploreText.ts';
import { learnedDocument } from './learnedText.ts';
import type { Page, PageTarget } from './page.ts';
import { receiptDocument } from './receiptText.ts';

/** A kind of page that is read and not written. */
interface PageKind {
  /** In place of one that cannot be read. */
  readonly lost: string;
  read(api: Api, id: string, vault: string): Promise<Page>;
  /** An open page is read again after these. */
  readonly outdatedBy: readonly EventType[];
}

const scheme = 'ravel-knowledge';

const kinds = {
  receipt: {
    lost: t('This receipt cannot be shown'),
    async read(api, id) {
      const { receipt, places } = await api.request('receipt', { id });
      return receiptDocument(receipt, { places, change: await api.request('compare_receipt', { id }) });
    },
    outdatedBy: ['knowledge.changed', 'vault.changed'],
  },
  expert: {
    lost: t('This expert cannot be shown'),
    async read(api, id, vault) {
      const page = await api.request('expert', { expert: id });
      return expertDocument(page, relative(vault, page.file).split(sep).join('/'));
    },
    outdatedBy: [
      ...(['knowledge.changed', 'knowledge.gap', 'vault.changed', 'message.handled'] as const),
      ...(['query.answered', 'query.clarification', 'query.replied'] as const),
    ],
  },
  learned: {
    lost: t('What this cycle taught cannot be shown'),
    async read(api, id) {
      return learnedDocument(await api.request('ingestion', { id: toUlid(id) }));
    },
    outdatedBy: ['knowledge.candidate', 'knowledge.step'],
  },
  explore: {
    lost: t('This part of the knowledge cannot be shown'),
    async read(api, id) {
      const part = decodeURIComponent(id);
      return exploreDocument(await api.request('explore_knowledge', exploredPart(part)), part);
    },
    outdatedBy: ['knowledge.changed', 'knowledge.gap', 'query.answered'],
  },
} as const satisfies Readonly<Record<string, PageKind>>;

type PageName = keyof typeof kinds;

/** Pages about the knowledge of a vault; each stretch that leads somewhere is a link. */
export function registerKnowledgePages(ui: UiContext): Disposable {
  const shown = new Map<string, Page>();
  const changes = new vscode.EventEmitter<vscode.Uri>();
  return disposeAll([
    changes,
    onVaultEvent(ui, ({ type }) => {
      for (const address of shown.keys()) {
        const uri = vscode.Uri.parse(address);
        const outdatedBy: readonly EventType[] = pageOf(uri)?.kind.outdatedBy ?? [];
        if (outdatedBy.includes(type)) changes.fire(uri);
      }
    }),
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      async provideTextDocumentContent(uri) {
        const page = pageOf(uri);
        if (page === undefined) return '';
        const { api, vault } = requireLink(ui);
        try {
          const document = await page.kind.read(api, page.id, vault);
          shown.set(uri.toString(), document);
          return document.text;
        } catch (error) {
          if (!isRavelError(error)) throw error;
          shown.set(uri.toString(), { text: '', links: [] });
          return `# ${page.kind.lost}\n\n${sanitizeLabel(error.diagnostic.message, 1000)}\n`;
        }
      },
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => shown.delete(uri.toString())),
    vscode.languages.registerDocumentLinkProvider(
      { scheme },
      {
        provideDocumentLinks({ uri }) {
          const vault = ui.link.value?.vault;
          if (vault === undefined) return [];
          return (shown.get(uri.toString())?.links ?? []).map(({ line, start, end, tooltip, to }) => {
            const link = new vscode.DocumentLink(new vscode.Range(line, start, line, end), uriOf(to, vault));
            link.tooltip = tooltip;
            return link;
          });
        },
      },
    ),
  ]);
}

/** Shows a page. Its address names what is shown, so that a window that comes back asks for it again. */
export async function showKnowledgePage(name: PageName, id: string, title: string): Promise<void> {
  const path = `/${name}/${id}/${title.replaceAll(/[\\/:]/g, ' ')}.md`;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path }));
  await vscode.window.showTextDocument(document, { preview: true });
}

function pageOf({ path }: vscode.Uri): { readonly kind: PageKind; readonly id: string } | undefined {
  const [, name = '', id = ''] = path.split('/');
  return Object.hasOwn(kinds, name) ? { kind: kinds[name as PageName], id } : undefined;
}

function uriOf(to: PageTarget, vault: string): vscode.Uri {
  if ('file' in to) return vscode.Uri.joinPath(vscode.Uri.file(vault), ...to.file.split('/'));
  return vscode.Uri.parse(`command:${to.command}?${encodeURIComponent(JSON.stringify(to.arguments))}`);
}

function toUlid(id: string): Ulid {
  if (isUlid(id)) return id;
  throw failure('knowledge/unknownIngestion', id, t`There is no record ${id} of what a plan learned.`);
}
