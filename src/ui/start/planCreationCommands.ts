import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { CommandTable } from '../commands.ts';
import type { NextAction } from '../nextSteps.ts';
import { notify } from '../notify.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink, type VaultLink } from '../vaultLink.ts';
import { planOf } from './arguments.ts';
import { categoryProblem, titleProblem } from './names.ts';
import { askDescription, askPlanName, pickPlan } from './questions.ts';

export const planCreationCommands: CommandTable = { createPlan, addTask };

/** Asks for the plan above, a name and a description, and makes the plan. */
async function createPlan(ui: UiContext, given: unknown): Promise<QualifiedId | undefined> {
  const link = requireLink(ui);
  ui.requireTrust();
  const parent = planOf(given) ?? (await pickPlan(ui, t('Create Plan'), t('Which plan is the parent of the new one?')));
  if (parent === undefined) return undefined;
  const name = await askPlanName(ui, parent, 'price-rounding');
  if (name === undefined) return undefined;
  const description = await askDescription(ui, t`What is ${sanitizeLabel(name)} for? (its lasting scope)`);
  if (description === undefined) return undefined;
  const { plan } = await link.api.request('create', { plan: `${parent}/${name}`, description });
  const message = t`The plan ${sanitizeLabel(name)} is created. Give it a task.`;
  notify(ui, { tone: 'info', message, actions: [addTaskTo(plan), planGoalFor(plan)] });
  return plan;
}

/** The button that leads on from a plan that has nothing to do yet. */
export function addTaskTo(plan: QualifiedId): NextAction {
  return { title: t('Add a Task…'), command: 'ravel.addTask', arguments: [plan] };
}

/** The button that leads on from a sentence, a list or an empty page to a plan with tasks. */
export function planGoalFor(plan: QualifiedId): NextAction {
  return { title: t('Plan From a Goal…'), command: 'ravel.planGoal', arguments: [plan] };
}

/** Asks for a title, a category and perhaps a description, and adds the task at the end of the backlog. */
async function addTask(ui: UiContext, given: unknown): Promise<string | undefined> {
  const link = requireLink(ui);
  ui.requireTrust();
  const { prompter } = ui;
  const plan = planOf(given) ?? (await pickPlan(ui, t('Add Task'), t('Which plan is the task for?')));
  if (plan === undefined) return undefined;
  const about = { title: t`Add a task to ${sanitizeLabel(plan)}`, ignoreFocusOut: true };
  const title = await prompter.input({
    ...about,
    prompt: t('The work to do'),
    placeHolder: t('Round prices half up'),
    validateInput: titleProblem,
  });
  if (title === undefined) return undefined;
  const category = await askCategory(ui, link, plan);
  if (category === undefined) return undefined;
  const description = await prompter.input({
    ...about,
    prompt: t('What must be true when it is done, in a few sentences (Enter for none)'),
  });
  if (description === undefined) return undefined;
  const args = { title: title.trim(), category, ...(description.trim() !== '' && { description }) };
  const { result, summary } = await link.api.request('state', { plan, verb: 'backlog/add', args });
  vscode.window.setStatusBarMessage(t`Ravel: ${sanitizeLabel(summary)}`, 5_000);
  return textAt(result, 'id');
}

/** One of the backlog's categories, or a new one. */
async function askCategory(
  { prompter }: UiContext,
  { api }: VaultLink,
  plan: QualifiedId,
): Promise<string | undefined> {
  const { result } = await api.request('state', { plan, verb: 'backlog/list', args: {} });
  const tasks = isRecord(result) && Array.isArray(result['tasks']) ? result['tasks'] : [];
  const known = new Set(tasks.flatMap((task: unknown) => textAt(task, 'category') ?? []));
  for (const usual of ['feature', 'bug', 'chore']) known.add(usual);
  const another = '';
  const choices = [...known].sort().map((category) => ({ label: plainChoice(category), value: category }));
  const picked = await prompter.pick([...choices, { label: t('Another Category…'), value: another }], {
    title: t('Add Task'),
    placeHolder: t('The kind of work'),
  });
  if (picked !== another) return picked;
  const typed = await prompter.input({
    title: t('Add Task'),
    prompt: t('The category'),
    validateInput: categoryProblem,
  });
  return typed?.trim();
}

/** What a verb answers is known to the core alone. */
function textAt(value: unknown, key: string): string | undefined {
  const text = isRecord(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}
