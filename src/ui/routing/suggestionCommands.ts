import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { RequestParams, RequestResults } from '../../model/protocol.ts';
import type { SuggestionRow } from '../../model/requests/routing.ts';
import { ruleSentence } from '../../model/ruleText.ts';
import type { CommandTable, RunCommand } from '../commands.ts';
import { approvalOf } from '../inbox/approvalPages.ts';
import { statusMessageMs } from '../notify.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import type { RuleDocument } from './ruleDocument.ts';
import type { RulePreview } from './rulePreview.ts';
import type { RuleReview } from './ruleReview.ts';
import { nextOf } from './suggestionPlaces.ts';
import { suggestionTitle } from './suggestionText.ts';
import type { SuggestionThreads } from './suggestionThreads.ts';

export interface ReviewParts {
  readonly review: RuleReview;
  readonly document: RuleDocument;
  readonly threads: SuggestionThreads;
  readonly preview: RulePreview;
}

/** Commands that show suggested rules and decide about them. If another person was quicker, the error says who. */
export function suggestionCommands(parts: ReviewParts): CommandTable {
  const step = (by: 1 | -1): RunCommand => {
    return async (ui) => {
      const inOrder = await waiting(ui, parts);
      const row = nextOf(inOrder, parts.threads.opened ?? atCursor(parts)?.approval, by);
      return row === undefined ? undefined : show(parts, row);
    };
  };
  return {
    async reviewSuggestions(ui) {
      const [first] = await waiting(ui, parts);
      return first === undefined ? undefined : show(parts, first);
    },
    async reviewSuggestion(ui, argument) {
      const row = await choose(ui, parts, argument);
      return row === undefined ? undefined : show(parts, row);
    },
    nextSuggestion: step(1),
    previousSuggestion: step(-1),
    async previewSuggestion(ui, argument) {
      const row = await choose(ui, parts, argument);
      if (row === undefined) return undefined;
      parts.threads.close();
      await parts.preview.show(row.approval);
      return row.approval;
    },
    async acceptSuggestion(ui, argument) {
      ui.requireTrust();
      const row = await choose(ui, parts, argument);
      if (row === undefined || !(await isSaved(ui, parts))) return undefined;
      const override = await overrides(ui, row);
      return override === undefined ? undefined : decide(ui, parts, row, { decision: 'accept', ...override });
    },
    async rejectSuggestion(ui, argument) {
      ui.requireTrust();
      const row = await choose(ui, parts, argument);
      if (row === undefined) return undefined;
      const reason = await ui.prompter.input({
        title: t('Reject Suggested Rule'),
        prompt: t`Why not ${sanitizeLabel(ruleSentence(row.suggestion.rule), 120)}? The same rule is not suggested again (Enter for no reason).`,
        ignoreFocusOut: true,
      });
      if (reason === undefined) return undefined;
      const why = reason.trim();
      return decide(ui, parts, row, { decision: 'reject', ...(why !== '' && { reason: why }) });
    },
    async editSuggestion(ui, argument) {
      ui.requireTrust();
      const row = await choose(ui, parts, argument);
      if (row !== undefined) await vscode.commands.executeCommand('ravel.editApproval', row.approval);
      return row?.approval;
    },
    async saveRule(ui, argument) {
      ui.requireTrust();
      const document = formOf(argument);
      const row = parts.review.suggestion(document && formApproval(document.uri));
      if (document === undefined || row === undefined) {
        await ui.prompter.info(
          t('This document is not a rule that you are editing. Open one with “Ravel: Edit Suggested Rule”.'),
        );
        return undefined;
      }
      if (!(await isSaved(ui, parts))) return undefined;
      // What speaks against the suggestion may not speak against what became of it: its owner says.
      const decided = await decide(ui, parts, row, { decision: 'edit', text: document.getText() });
      await closeForm(document);
      return decided;
    },
    async cancelRule(_ui, argument) {
      const document = formOf(argument);
      if (document !== undefined && formApproval(document.uri) !== undefined) await closeForm(document);
    },
    async openRule(_ui, argument) {
      if (typeof argument !== 'string') return undefined;
      const { document } = parts;
      const lineOf = () => document.lines.find(({ id }) => id === argument)?.first;
      await document.show(() => lineOf() ?? 0);
      return lineOf();
    },
  };
}

/** Shows a suggestion at its place, with its thread open. */
async function show({ document, threads }: ReviewParts, row: SuggestionRow): Promise<string> {
  await document.show(() => threads.lineOf(row));
  threads.open(row);
  return row.approval;
}

async function waiting({ link, prompter }: UiContext, { review }: ReviewParts): Promise<readonly SuggestionRow[]> {
  requireLink({ link });
  await review.refresh();
  if (review.suggestions.length === 0) await prompter.info(t('There are no suggested rules.'));
  return review.suggestions;
}

/**
 * The suggestion that a command is about: of a thread, an approval or a document; else the one that is open, or stands at
 * the cursor; else the one that a person picks.
 */
async function choose(ui: UiContext, parts: ReviewParts, argument: unknown): Promise<SuggestionRow | undefined> {
  const { review, threads, preview } = parts;
  const ofThread = threads.suggestionOf(isRecord(argument) && 'thread' in argument ? argument['thread'] : argument);
  if (ofThread !== undefined) return ofThread;
  const active = vscode.window.activeTextEditor?.document.uri;
  const uri = argument instanceof vscode.Uri ? argument : active;
  const named =
    typeof argument === 'string'
      ? argument.replace(/^approval:/, '')
      : uri && (preview.suggestionOf(uri) ?? approvalOf(uri));
  if (named !== undefined) return review.suggestion(named) ?? gone(ui, review, named);
  const here = atCursor(parts);
  if (here !== undefined) return here;
  const rows = await waiting(ui, parts);
  if (rows.length <= 1) return rows[0];
  const choices = rows.map((row) => ({
    label: plainChoice(ruleSentence(row.suggestion.rule)),
    detail: plainChoice(suggestionTitle(row)),
    value: row,
  }));
  return ui.prompter.pick(choices, { title: t('Which Suggested Rule?'), matchOnDetail: true });
}

/** Another person has decided it meanwhile, or it was never there: the error of the owner says which. */
async function gone(ui: UiContext, review: RuleReview, approval: string): Promise<SuggestionRow | undefined> {
  await review.refresh();
  const row = review.suggestion(approval);
  if (row === undefined) await requireLink(ui).api.request('approval', { approval });
  return row;
}

/** In `routing.yaml`: the one whose thread is open at the cursor, or else the first that stands there. */
function atCursor({ review, document, threads }: ReviewParts): SuggestionRow | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !document.isShownIn(editor.document)) return undefined;
  const { line } = editor.selection.active;
  const here = review.suggestions.filter((row) => Math.abs(threads.lineOf(row) - line) <= 1);
  const opened = review.suggestion(threads.opened);
  return here.find((row) => row === opened) ?? here[0] ?? opened;
}

/** What only an editor holds would be in the way of what is written. */
async function isSaved({ prompter }: UiContext, { document }: ReviewParts): Promise<boolean> {
  const shown = document.document;
  if (shown === undefined || !shown.isDirty) return true;
  const answer = await prompter.warn(t('routing.yaml has unsaved changes.'), t('Save and Continue'));
  return answer !== undefined && shown.save();
}

/** Whether to go on although something speaks against the rule; undefined if the person does not want to. */
async function overrides(
  { prompter }: UiContext,
  { objections, backTest }: SuggestionRow,
): Promise<{ readonly override?: true } | undefined> {
  if (objections.length === 0) return {};
  const went = backTest.disagreements
    .slice(0, 5)
    .map(({ to, excerpt }) => t`went to ${sanitizeLabel(to)}: ${sanitizeLabel(excerpt, 120)}`);
  const detail = [...objections.map((objection) => sanitizeLabel(objection, 300)), ...went].join('\n');
  return (await prompter.confirm(t('Accept this rule in spite of the objections?'), detail, t('Accept Anyway')))
    ? { override: true }
    : undefined;
}

async function decide(
  ui: UiContext,
  { review, preview }: ReviewParts,
  { approval, contentHash }: SuggestionRow,
  answer: Pick<RequestParams<'decide'>, 'decision' | 'text' | 'reason' | 'override'>,
): Promise<RequestResults['decide']> {
  const { api } = requireLink(ui);
  // The history, or the text, is another one than when the person was asked: they are asked once more.
  const onRefusal = async (error: unknown) => {
    if (!isRavelError(error, 'rule/contradicted') || answer.override === true) throw error;
    const really = await ui.prompter.confirm(t('Accept this rule anyway?'), messageOf(error), t('Accept Anyway'));
    if (!really) throw new vscode.CancellationError();
    return api.request('decide', { approval, contentHash, ...answer, override: true });
  };
  const decided = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Applying your decision about the rule') },
    () => api.request('decide', { approval, contentHash, ...answer }).catch(onRefusal),
  );
  await preview.close(approval);
  await review.refresh();
  ui.log.info(decided.did);
  vscode.window.setStatusBarMessage(sanitizeLabel(decided.did), statusMessageMs);
  return decided;
}

/** The suggestion that is edited in a document. */
function formApproval(uri: vscode.Uri): string | undefined {
  return uri.scheme === 'untitled' ? approvalOf(uri) : undefined;
}

function formOf(argument: unknown): vscode.TextDocument | undefined {
  const active = vscode.window.activeTextEditor?.document;
  if (!(argument instanceof vscode.Uri)) return active;
  const address = argument.toString();
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address);
}

async function closeForm(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
