import { t } from '@vscode/l10n';
import { isRecord } from '../../base/json.ts';
import { isQualifiedId, type QualifiedId } from '../../model/id.ts';
import type { Target } from '../../model/namedTarget.ts';
import type { CauseNode } from '../../model/requests/causality.ts';
import type { CommandTable } from '../commands.ts';
import { refuseEmpty } from '../prompter.ts';
import { plainChoice } from '../sanitizeLabel.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { askTarget } from './askTarget.ts';
import { rowSubject } from './backlogRows.ts';
import { showCauses } from './causePages.ts';
import { chooseTarget, dispatchDraft, draftOfTask } from './dispatchForm.ts';
import { openCause, openRecord } from './openCause.ts';
import { targetWords } from './targetChoices.ts';

/** Commands that hand something over, ask something, or say why something is there. */
export const messageCommands: CommandTable = {
  /** Of a task of a plan, to a plan whose row it was called on, or of whatever is written. */
  async dispatchTask(ui, argument, task) {
    ui.requireTrust();
    const row = rowSubject(argument);
    if (row?.kind === 'task') return dispatchDraft(ui, await draftOfTask(ui, row.plan, row.id));
    if (typeof argument === 'string' && isQualifiedId(argument)) {
      if (typeof task === 'string') return dispatchDraft(ui, await draftOfTask(ui, argument, task));
      return dispatchDraft(ui, { target: { kind: 'plan', name: argument } });
    }
    return dispatchDraft(ui, {});
  },

  async askQuestion(ui, argument) {
    ui.requireTrust();
    const target = askedActor(argument) ?? (await chooseTarget(ui, t('Ask a Question'), undefined));
    if (target === undefined) return undefined;
    const title = t`Question to ${targetWords(target)}`;
    const from =
      target.kind === 'expert' ? t('from the entries that fit the question') : t('from what the plan has learned');
    const prompt = t`A fresh session answers ${from}. It changes nothing.`;
    const question = await ui.prompter.input({ title, prompt, validateInput: refuseEmpty });
    if (question === undefined) return undefined;
    return askTarget(ui, target, question);
  },

  async why(ui, argument, id) {
    const subject = await whyOf(ui, argument, id);
    if (subject === undefined) return undefined;
    requireLink(ui);
    await showCauses(subject.name, subject.plan);
    return subject.name;
  },

  async openCause(ui, node, session) {
    if (!isNode(node)) return undefined;
    return openCause(ui, node, isNode(session) ? session : undefined);
  },

  async openRecord(ui, plan, _list, id) {
    if (typeof plan !== 'string' || typeof id !== 'string') return undefined;
    return openRecord(ui, plan, id);
  },
};

/** The plan or expert whose row a command was called on. */
function askedActor(argument: unknown): Target | undefined {
  if (typeof argument !== 'string') return undefined;
  if (argument.startsWith('expert:')) return { kind: 'expert', name: argument.slice('expert:'.length) };
  return isQualifiedId(argument) ? { kind: 'plan', name: argument } : undefined;
}

/** What is asked about: a row, a name, a record of a plan, or what a person picks. */
async function whyOf(
  ui: UiContext,
  argument: unknown,
  id: unknown,
): Promise<{ readonly name: string; readonly plan: string | undefined } | undefined> {
  const row = rowSubject(argument);
  if (row !== undefined) {
    return row.kind === 'task'
      ? { name: `task:${row.id}`, plan: row.plan }
      : { name: `message:${row.id}`, plan: row.plan };
  }
  if (typeof argument === 'string' && isQualifiedId(argument)) {
    return typeof id === 'string' ? { name: id, plan: argument } : pickTask(ui, argument);
  }
  if (typeof argument === 'string') return { name: argument, plan: undefined };
  const plan = await choosePlan(ui, undefined, { title: t('Explain Why It Is Here: Plan') });
  return plan === undefined ? undefined : pickTask(ui, plan);
}

async function pickTask(ui: UiContext, plan: QualifiedId) {
  const { result } = await requireLink(ui).api.request('state', { plan, verb: 'backlog/list', args: {} });
  const tasks = isRecord(result) && Array.isArray(result['tasks']) ? result['tasks'].filter(isTask) : [];
  const choices = tasks.map(({ id, title }) => ({
    label: plainChoice(title),
    description: plainChoice(id),
    value: { name: `task:${id}`, plan },
  }));
  if (choices.length > 0) return ui.prompter.pick(choices, { title: t('Explain Why It Is Here: Task') });
  await ui.prompter.info(t('This plan has no task yet.'));
  return undefined;
}

function isTask(value: unknown): value is { readonly id: string; readonly title: string } {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['title'] === 'string';
}

function isNode(value: unknown): value is CauseNode {
  return isRecord(value) && typeof value['kind'] === 'string' && typeof value['id'] === 'string';
}
