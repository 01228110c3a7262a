import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { isRavelError } from '../../base/errors.ts';
import type { Ulid } from '../../model/id.ts';
import type { ApprovalPage } from '../../model/requests/approvals.ts';
import { ContextKeys } from '../contextKeys.ts';
import { planName } from '../trees/planRows.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import {
  type ApprovalSides,
  answeredDocument,
  approvalDocument,
  approvalSides,
  deadLetterDocument,
} from './approvalText.ts';
import { nearestPath, nearestSides } from './nearestText.ts';

const approvalScheme = 'ravel-approval';
const deadLetterScheme = 'ravel-dead-letter';
const answerName = /^ravel-answer-([0-9A-HJKMNP-TV-Z]{26})\.(?:yaml|md)$/;

/** Questions and dead letters as documents that are read and not written. */
export class ApprovalPages implements Disposable {
  readonly #ui: UiContext;
  readonly #menus: ContextKeys;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: Disposable;
  /** What a person has before them: a decision holds for just that. */
  readonly #seen = new Map<string, ApprovalPage>();

  constructor(ui: UiContext) {
    this.#ui = ui;
    this.#menus = new ContextKeys(ui);
    const { model } = ui;
    this.#subscriptions = disposeAll([
      this.#changes,
      vscode.workspace.registerTextDocumentContentProvider(approvalScheme, {
        onDidChange: this.#changes.event,
        provideTextDocumentContent: (uri) => this.#approvalText(uri),
      }),
      vscode.workspace.registerTextDocumentContentProvider(deadLetterScheme, {
        onDidChange: this.#changes.event,
        provideTextDocumentContent: (uri) => this.#deadLetterText(uri),
      }),
      model.onDidChange(({ approvals, deadLetters }) => {
        if (approvals) this.#followApprovals();
        if (deadLetters) this.#emitChanged(deadLetterScheme);
      }),
    ]);
  }

  /** Shows both sides of a question next to each other; one that has no two sides as a text. */
  async compare(approval: string): Promise<void> {
    const page = await this.read(approval);
    const sides = approvalSides(page);
    if (sides === undefined) return this.showPage(approval);
    const [left, right] = [approvalUri(approval, 'left.md'), approvalUri(approval, 'right.md')];
    await vscode.commands.executeCommand('vscode.diff', left, right, sides.title, { preview: true });
  }

  /** Shows a learned statement beside the entry that is nearest to it; false if none is near. */
  async compareWithNearest(approval: string): Promise<boolean> {
    const sides = await this.#nearest(await this.read(approval));
    if (sides === undefined) return false;
    const [left, right] = [approvalUri(approval, 'nearest.md'), approvalUri(approval, 'learned.md')];
    await vscode.commands.executeCommand('vscode.diff', left, right, sides.title, { preview: true });
    return true;
  }

  /** Shows a question as a text to read. */
  async showPage(approval: string): Promise<void> {
    const page = await this.read(approval);
    await showDocument(approvalUri(approval, `Question of ${planName(page.plan).replaceAll('/', ' ')}.md`));
  }

  async showDeadLetter(letter: string): Promise<void> {
    await showDocument(vscode.Uri.from({ scheme: deadLetterScheme, path: `/${letter}/Dead letter.md` }));
  }

  /** The question as it stands now, which from here on is what the person has seen. */
  async read(approval: string): Promise<ApprovalPage> {
    const page = await requireLink(this.#ui).api.request('approval', { approval });
    this.#seen.set(approval, page);
    return page;
  }

  /** The question as the person has it before them. */
  async seen(approval: string): Promise<ApprovalPage> {
    return this.#seen.get(approval) ?? this.read(approval);
  }

  /** Opens a text to be written by the person, with which the question is answered. */
  async edit({ approval, form }: Pick<ApprovalPage, 'approval' | 'form'>): Promise<void> {
    const name = `ravel-answer-${approval}.${form === undefined ? 'md' : 'yaml'}`;
    const uri = vscode.Uri.from({ scheme: 'untitled', path: name });
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    // What an earlier try left there is the person's own writing, and they continue it.
    if (document.getText() === '' && form !== undefined) {
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), form));
    }
  }

  /** Closes what showed the question, since it is decided. */
  async close(approval: string): Promise<void> {
    this.#seen.delete(approval);
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    await vscode.window.tabGroups.close(
      tabs.filter((tab) => urisOf(tab).some((uri) => approvalOf(uri) === approval && uri.scheme === approvalScheme)),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #approvalText(uri: vscode.Uri): Promise<string> {
    const approval = approvalOf(uri);
    if (approval === undefined) return '';
    try {
      const page = await this.read(approval);
      if (uri.path.endsWith('/nearest.md')) return (await this.#nearest(page))?.left ?? '';
      if (uri.path.endsWith('/learned.md')) return (await this.#nearest(page))?.right ?? '';
      const sides = approvalSides(page);
      if (uri.path.endsWith('/left.md')) return sides?.left ?? '';
      if (uri.path.endsWith('/right.md')) return sides?.right ?? '';
      return approvalDocument(page);
    } catch (error) {
      // The message names who decided it meanwhile.
      if (isRavelError(error)) return answeredDocument(error.message);
      throw error;
    }
  }

  async #nearest(page: ApprovalPage): Promise<ApprovalSides | undefined> {
    const path = nearestPath(page);
    if (path === undefined) return undefined;
    const { api } = requireLink(this.#ui);
    try {
      return nearestSides(page, path, await api.request('entry', { entry: path }));
    } catch (error) {
      if (!isRavelError(error) || !error.code.startsWith('entry/')) throw error;
      return nearestSides(page, path, undefined);
    }
  }

  async #deadLetterText(uri: vscode.Uri): Promise<string> {
    const id = uri.path.split('/')[1];
    const { deadLetters } = await requireLink(this.#ui).api.request('dead_letters', {});
    const letter = deadLetters.find((one) => one.message === id);
    return letter === undefined
      ? t('# This message is gone\n\nIt was delivered or discarded.\n')
      : deadLetterDocument(letter);
  }

  #followApprovals(): void {
    const { approvals } = this.#ui.model;
    const foldersOf = (rows: typeof approvals) => rows.map(({ approval }) => `/${approval}`);
    this.#menus.set({
      'ravel.pendingApprovals': foldersOf(approvals),
      'ravel.editableApprovals': foldersOf(approvals.filter(({ decisions }) => decisions.includes('edit'))),
      'ravel.learnedStatements': foldersOf(approvals.filter(({ kind }) => kind === 'learned-statement')),
      'ravel.acceptableApprovals': foldersOf(approvals.filter(({ decisions }) => decisions.includes('accept'))),
    });
    const pending = new Set<string>(approvals.map(({ approval }) => approval));
    // Another person can have answered a question that is shown here.
    for (const approval of this.#seen.keys()) if (!pending.has(approval)) this.#seen.delete(approval);
    this.#emitChanged(approvalScheme);
  }

  #emitChanged(scheme: string): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) this.#changes.fire(uri);
  }
}

/** The question that a document is about: one that shows it, or one in which its answer is written. */
export function approvalOf(uri: vscode.Uri): Ulid | undefined {
  if (uri.scheme === approvalScheme) return uri.path.split('/')[1] as Ulid | undefined;
  if (uri.scheme !== 'untitled') return undefined;
  return answerName.exec(uri.path.split('/').at(-1) ?? '')?.[1] as Ulid | undefined;
}

export function deadLetterOf(uri: vscode.Uri): Ulid | undefined {
  return uri.scheme === deadLetterScheme ? (uri.path.split('/')[1] as Ulid | undefined) : undefined;
}

function approvalUri(approval: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: approvalScheme, path: `/${approval}/${name}` });
}

async function showDocument(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}

function urisOf({ input }: vscode.Tab): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}
