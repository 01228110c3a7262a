import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { localTime } from '../../base/localTime.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Target } from '../../model/namedTarget.ts';
import type { ReceiptRow } from '../../model/requests/receipts.ts';
import type { CommandTable } from '../commands.ts';
import { askTarget } from '../messages/askTarget.ts';
import { refuseEmpty } from '../prompter.ts';
import { codeBlock, plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import { receiptWords } from '../trees/expertRows.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { showKnowledgePage } from './knowledgePages.ts';
import { entryOfRow } from './knowledgeRows.ts';
import { openEntryFile, openEntryNamed } from './openEntry.ts';

/** Characters of a selection that a question can bring. */
const selectionLengthMax = 20_000;
/** Receipts in one list to choose from. */
const receiptsMax = 200;

/** Commands that ask experts, and that show their answers and the entries that these rest on. */
export const knowledgeCommands: CommandTable = {
  async askAboutSelection(ui) {
    ui.requireTrust();
    const editor = vscode.window.activeTextEditor;
    const selected = editor?.document.getText(editor.selection) ?? '';
    if (editor === undefined || selected.trim() === '') {
      await ui.prompter.info(t('Select the text that your question is about, and ask again.'));
      return undefined;
    }
    if (selected.length > selectionLengthMax) {
      await ui.prompter.info(
        t`The selection has ${selected.length} characters; a question can bring ${selectionLengthMax}. Select less, and ask again.`,
      );
      return undefined;
    }
    const target = await chooseExpert(ui);
    if (target === undefined) return undefined;
    const asked = await ui.prompter.input({
      ...{
        title: t('Ask About Selection'),
        prompt: t('The selected text goes with your question.'),
        validateInput: refuseEmpty,
      },
    });
    if (asked === undefined) return undefined;
    const { document } = editor;
    const block = codeBlock(selected, document.languageId);
    return askTarget(
      ui,
      target,
      `${asked}\n\nIt is about this part of ${sanitizeLabel(basename(document.fileName))}:\n\n${block}`,
    );
  },

  async openExpert(ui, argument) {
    requireLink(ui);
    const chosen = actorOf(argument) ?? (await chooseDeclared(ui));
    if (chosen === undefined) return undefined;
    await showKnowledgePage('expert', chosen, t`Expert ${chosen}`);
    return chosen;
  },

  async openReceipt(ui, id) {
    if (typeof id !== 'string') return undefined;
    requireLink(ui);
    await showKnowledgePage('receipt', id, t('Receipt'));
    return id;
  },

  /** Of an expert, of an entry, or of all answers. */
  async showReceipts(ui, argument, entry) {
    const { api } = requireLink(ui);
    const named = typeof entry === 'string' ? entry : entryOfRow(argument);
    const expert = typeof argument === 'string' && argument.startsWith('expert:') ? argument : undefined;
    const of = named === undefined ? (expert === undefined ? {} : { expert }) : { entry: named };
    const { receipts, total } = await api.request('receipts', { ...of, limit: receiptsMax });
    if (receipts.length === 0) {
      await ui.prompter.info(
        named === undefined ? t('No expert has answered yet.') : t('No answer rests on this entry.'),
      );
      return undefined;
    }
    const more = total > receipts.length ? t`, the newest ${receipts.length} of ${total}` : '';
    const id = await ui.prompter.pick(receipts.map(receiptChoice), {
      title: `${named === undefined ? t('Answers of Experts') : t('Answers That Rest on This Entry')}${more}`,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (id !== undefined) await showKnowledgePage('receipt', id, t('Receipt'));
    return id;
  },

  /** By its file, or by a name of it alone. */
  async openEntry(ui, file, entry) {
    if (typeof file === 'string') return openEntryFile(ui, file, entry);
    return typeof entry === 'string' ? openEntryNamed(ui, entry) : undefined;
  },
};

/** The id of the expert whose row a command was called on. */
function actorOf(argument: unknown): string | undefined {
  return typeof argument === 'string' && argument.startsWith('expert:') ? argument.slice('expert:'.length) : undefined;
}

async function chooseDeclared(ui: UiContext): Promise<string | undefined> {
  const choices = declaredChoices(ui.model);
  if (choices.length > 0) return ui.prompter.pick(choices, { title: t('Open Which Expert?'), matchOnDetail: true });
  await offerExperts(ui);
  return undefined;
}

function declaredChoices({ experts }: UiContext['model']) {
  return experts.rows.map(({ actor, declaration }) => ({
    label: plainChoice(expertName(actor)),
    detail: plainChoice(declaration.description),
    value: expertName(actor),
  }));
}

/** Says that there is none to choose, and offers to add one. */
async function offerExperts({ prompter }: UiContext): Promise<void> {
  const add = t('Add Expert…');
  const answer = await prompter.info(t('This vault has no experts yet. Six come with Ravel.'), add);
  if (answer === add) await vscode.commands.executeCommand('ravel.addExpert');
}

/** The experts of the vault, and that Ravel finds the right one. */
async function chooseExpert(ui: UiContext): Promise<Target | undefined> {
  const { model, prompter } = ui;
  const choices = declaredChoices(model).map((choice) => ({
    ...choice,
    value: { kind: 'expert', name: choice.value } as const,
  }));
  if (choices.length === 0) {
    await offerExperts(ui);
    return undefined;
  }
  const any = {
    label: t('Let Ravel decide'),
    detail: t('By rules and scores, then by a session'),
    value: { kind: 'auto' } as const,
  };
  return prompter.pick<Target>([...choices, any], { title: t('Ask Which Expert?'), matchOnDetail: true });
}

function expertName(actor: QualifiedId): string {
  return actor.replace(/^expert:/, '');
}

function receiptChoice({ id, at, expert, question, state, isSupported, cites }: ReceiptRow) {
  return {
    label: plainChoice(question),
    description: plainChoice(expert),
    detail: `${receiptWords({ state, isSupported, cites })}, ${plainChoice(localTime(at))}`,
    value: id,
  };
}
