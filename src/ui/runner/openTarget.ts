import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { failure } from '../../model/codes.ts';
import { readTranscript } from '../../model/transcript.ts';
import type { AnswerSight, DiffSide, FilePlace, OpenTarget, SuggestionSight } from '../../model/webview.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { resolvePlace, staysInside } from './filePlaces.ts';
import type { ShownTexts } from './shownTexts.ts';
import { transcriptText } from './transcriptText.ts';

/** Opens what a page asks for: that of `plan`, or the one of routing, which is of none. */
export async function openTarget(
  ui: UiContext,
  texts: ShownTexts,
  plan: string | undefined,
  target: OpenTarget,
): Promise<unknown> {
  const { executeCommand } = vscode.commands;
  switch (target.kind) {
    case 'file':
      return openFile(await fileUri(ui, plan, target.place), target.place.line);
    case 'diff': {
      const side = (one: DiffSide) => ('text' in one ? texts.keep(target.path, one.text) : fileUri(ui, plan, one.file));
      const [before, after] = await Promise.all([side(target.before), side(target.after)]);
      return executeCommand('vscode.diff', before, after, target.title, { preview: true });
    }
    case 'text':
      return openFile(texts.keep(target.path, target.text));
    case 'plan':
      return executeCommand('ravel.openPlan', target.plan);
    case 'session':
      return executeCommand('ravel.openSession', target.session, target.plan, target.tab);
    case 'approval':
      return executeCommand('ravel.openApproval', target.approval);
    case 'reject':
      return executeCommand('ravel.rejectApproval', target.approval);
    case 'start':
      // Only the first page has such buttons, and opens them by itself.
      return undefined;
    case 'defer':
      return executeCommand('ravel.deferApproval', target.approval);
    case 'answer':
      return executeCommand(answerCommands[target.as], target.approval);
    case 'dismiss':
      return executeCommand('ravel.dismissPhase', plan);
    case 'rollBack':
      return executeCommand('ravel.rollBackPlan', plan, target.snapshot);
    case 'putBack':
      return executeCommand('ravel.putBackFiles', plan, { path: target.path, to: target.to });
    case 'suggestion':
      return executeCommand(sights[target.as], target.approval);
    case 'rule':
      return executeCommand('ravel.openRule', target.rule);
    case 'why':
      return executeCommand('ravel.why', target.about);
    case 'transcript': {
      const { api } = requireLink(ui);
      const events = await readTranscript((from) => api.request('transcript', { session: target.session, from }));
      return openFile(texts.keep(`${target.session}.md`, transcriptText(target.session, events)));
    }
    case 'link':
      return openLink(ui, target.url);
    case 'manual':
      return executeCommand('ravel.beginManualRun', plan);
    case 'terminal':
      return executeCommand('ravel.openWorkSession', plan);
  }
}

const answerCommands: Readonly<Record<AnswerSight, string>> = {
  text: 'ravel.editApproval',
  receiver: 'ravel.acceptApproval',
  sides: 'ravel.compareApproval',
  nearest: 'ravel.compareWithNearest',
  document: 'ravel.showApprovalPage',
  proposal: 'ravel.continueGoal',
};

const sights: Readonly<Record<SuggestionSight, string>> = {
  thread: 'ravel.reviewSuggestion',
  preview: 'ravel.previewSuggestion',
  form: 'ravel.editSuggestion',
};

async function fileUri(ui: UiContext, plan: string | undefined, place: FilePlace): Promise<vscode.Uri> {
  const { api, vault } = requireLink(ui);
  const ofPlan = plan === undefined ? undefined : await api.request('status', { plan });
  // A page of no plan has nothing but the vault.
  const { directory = vault, project = vault } = ofPlan ?? {};
  const path = resolvePlace(place, { plan: directory, project, vault });
  if (path !== undefined && (await isOurs(ui, path, [directory, project, vault]))) return vscode.Uri.file(path);
  throw failure('ui/outside', place.path, t`"${place.path}" is neither in the vault nor in the project.`);
}

/** A vault links to its projects, so what lies in another one of them is reached through it as well. */
async function isOurs(ui: UiContext, path: string, folders: readonly string[]): Promise<boolean> {
  const { machine } = ui;
  if (await staysInside(path, folders, machine.realPath)) return true;
  const { projects } = await requireLink(ui).api.request('projects', {});
  const others = projects.flatMap(({ path: other }) => other ?? []);
  return staysInside(path, others, machine.realPath);
}

async function openFile(uri: vscode.Uri, line?: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const at = line === undefined ? undefined : new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(document, {
    preview: true,
    ...(at === undefined ? {} : { selection: new vscode.Range(at, at) }),
  });
}

/** A text may call a link what it likes, so its address is shown first. */
async function openLink({ prompter }: UiContext, url: string): Promise<void> {
  const uri = vscode.Uri.parse(url, true);
  if (uri.scheme !== 'https' && uri.scheme !== 'http') return;
  if (await prompter.confirm(t`Open ${uri.authority}?`, uri.toString(), t('Open'))) await vscode.env.openExternal(uri);
}
