import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { firstLine, headline } from '../../base/text.ts';
import type { QualifiedId } from '../../model/id.ts';
import { commandUse } from '../../model/requests/policy.ts';
import type { CommandTable } from '../commands.ts';
import { rowSubject } from '../messages/backlogRows.ts';
import type { PlanNode } from '../planOutline.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { showSides } from './sideTexts.ts';
import type { StateDocuments } from './stateDocuments.ts';
import { toolExplanationText } from './toolExplanationText.ts';

/** Of a task. */
const titleLengthMax = 200;

/** What a state verb lists, as far as a choice shows it. */
interface Listed {
  readonly id: string;
  readonly title?: string;
  readonly reason?: string;
  readonly body?: string;
  readonly from?: string;
  readonly category?: string;
}

/** Commands above items of documents, and in the palette. */
export function editorCommands(documents: StateDocuments): CommandTable {
  return {
    async startTask(ui, argument, task) {
      ui.requireTrust();
      const fits = (node: PlanNode) => node.row === undefined || node.row.counts.ready + node.row.counts.inProgress > 0;
      const shown = rowSubject(argument);
      const plan = await choosePlan(ui, shown?.plan ?? argument, {
        title: t('Start Task of Plan'),
        fits,
        none: t('No plan has a ready task.'),
      });
      if (plan === undefined) return undefined;
      const given = shown?.kind === 'task' ? shown.id : task;
      const id = typeof given === 'string' ? given : await chooseTask(ui, plan);
      if (id === undefined || !(await isSaved(documents, ui, plan))) return undefined;
      const phase = ui.model.plan(plan)?.phase;
      if (phase !== undefined && phase !== 'work') return offerPhase(ui, plan, phase);
      return vscode.commands.executeCommand('ravel.runPhase', plan, { phase: 'work', task: id });
    },

    async tryCommand(ui, argument) {
      const title = t('Try Command on the Policy');
      const plan = await choosePlan(ui, argument, { title: t('Try Command on the Policy, in a Session of Plan') });
      if (plan === undefined) return undefined;
      const prompt = t('A command as a session would run it. It is judged, and not run.');
      const command = await ui.prompter.input({ title, prompt, validateInput: notEmpty });
      if (command === undefined) return undefined;
      const uses = [commandUse(command)];
      const { explained } = await requireLink(ui).api.request('explain_tools', { plan, uses });
      const [first] = explained;
      if (first === undefined) return undefined;
      const rule = first.rule;
      const openRule = t('Open Rule');
      const answer = await ui.prompter.info(toolExplanationText(first), ...(rule === undefined ? [] : [openRule]));
      if (answer !== openRule || rule === undefined) return undefined;
      const at = new vscode.Position((rule.line ?? 1) - 1, 0);
      return vscode.window.showTextDocument(vscode.Uri.file(rule.file), { selection: new vscode.Range(at, at) });
    },

    async promoteReceived(ui, argument, message) {
      ui.requireTrust();
      const found = await chooseMessage(ui, argument, message, t('Promote Received Message of Plan'));
      if (found === undefined || !(await isSaved(documents, ui, found.plan))) return undefined;
      const title = await ui.prompter.input({
        title: t('Promote to a task'),
        prompt: t('The work to do, in a few words'),
        value: sanitizeLabel(found.title, titleLengthMax),
        validateInput: notEmpty,
      });
      if (title === undefined) return undefined;
      const category = await ui.prompter.input({
        title: t('Promote to a task'),
        prompt: t('Its category'),
        value: 'general',
        validateInput: notEmpty,
      });
      if (category === undefined) return undefined;
      return useVerb(ui, found.plan, 'received/promote', { id: found.id, title, category });
    },

    async declineReceived(ui, argument, message) {
      ui.requireTrust();
      const found = await chooseMessage(ui, argument, message, t('Decline Received Message of Plan'));
      if (found === undefined || !(await isSaved(documents, ui, found.plan))) return undefined;
      const reason = await ui.prompter.input({
        title: t('Decline the message'),
        prompt: t('The reason. The sender gets it, and it is recorded in the backlog.'),
        validateInput: notEmpty,
      });
      if (reason === undefined) return undefined;
      return useVerb(ui, found.plan, 'received/decline', { id: found.id, reason });
    },

    compareStaged,
  };
}

async function compareStaged(ui: UiContext, argument: unknown): Promise<unknown> {
  const plan = await choosePlan(ui, argument, {
    title: t('Compare Staged Changes of Plan'),
    fits: ({ row }) => row?.running !== undefined || row?.waiting !== undefined,
    none: t('No session is running or waiting, so nothing is staged.'),
  });
  if (plan === undefined) return undefined;
  const { session, sets } = await requireLink(ui).api.request('changes', { plan });
  const staged = sets.find(({ kind }) => kind === 'staged');
  if (staged === undefined || staged.files.length === 0) {
    await ui.prompter.info(t('The session has not changed any file of the plan.'));
    return undefined;
  }
  const paths = staged.files.map(({ path, added = 0, removed = 0 }) => ({
    label: plainChoice(path),
    description: `+${added} −${removed}`,
    value: path,
  }));
  const only = paths.length === 1 ? paths[0]?.value : undefined;
  const path = only ?? (await ui.prompter.pick(paths, { title: t('Compare Staged With Plan') }));
  if (path === undefined) return undefined;
  return showSides({ plan, session, set: staged.set, path }, t`${sanitizeLabel(path)} (plan ↔ staged)`);
}

async function chooseTask(ui: UiContext, plan: QualifiedId): Promise<string | undefined> {
  const { tasks } = await listed(ui, plan, 'backlog/list', { ready: true });
  const choices = (tasks ?? []).map(({ id, title = '', category = '' }) => ({
    label: plainChoice(title),
    description: plainChoice(`${id} · ${category}`),
    value: id,
  }));
  if (choices.length > 0) return ui.prompter.pick(choices, { title: t('Start Task'), matchOnDescription: true });
  await ui.prompter.info(t('No task of this plan is ready.'));
  return undefined;
}

async function chooseMessage(
  ui: UiContext,
  argument: unknown,
  message: unknown,
  title: string,
): Promise<{ readonly plan: QualifiedId; readonly id: string; readonly title: string } | undefined> {
  const shown = rowSubject(argument);
  if (shown?.kind === 'received') return chooseMessage(ui, shown.plan, shown.id, title);
  const fits = ({ row }: PlanNode) => (row?.counts.received ?? 0) > 0;
  const plan = await choosePlan(ui, argument, { title, fits, none: t('No messages wait for triage.') });
  if (plan === undefined) return undefined;
  const { messages = [] } = await listed(ui, plan, 'received/list', {});
  const choices = messages.map(({ id, body = '', reason = '', from = '' }) => ({
    label: plainChoice(firstLine(body)),
    description: plainChoice(t`from ${from === 'person' ? 'a person' : from}`),
    detail: plainChoice(reason),
    value: { plan, id, title: headline(body, titleLengthMax) },
  }));
  if (typeof message === 'string') {
    return choices.find(({ value }) => value.id === message)?.value ?? { plan, id: message, title: '' };
  }
  if (choices.length > 0) return ui.prompter.pick(choices, { title: t('Received Messages') });
  await ui.prompter.info(t('No message of this plan waits for triage.'));
  return undefined;
}

async function listed(ui: UiContext, plan: QualifiedId, verb: string, args: Readonly<Record<string, unknown>>) {
  const { result } = await requireLink(ui).api.request('state', { plan, verb, args: { ...args } });
  return result as { readonly tasks?: readonly Listed[]; readonly messages?: readonly Listed[] };
}

async function useVerb(ui: UiContext, plan: QualifiedId, verb: string, args: Record<string, unknown>) {
  const { result, summary } = await requireLink(ui).api.request('state', { plan, verb, args });
  vscode.window.setStatusBarMessage(sanitizeLabel(summary), 8_000);
  return result;
}

/** What only an editor holds is not what a verb or a session would see. */
async function isSaved(documents: StateDocuments, { prompter }: UiContext, plan: QualifiedId): Promise<boolean> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || (await documents.inspect(document))?.plan !== plan) continue;
    const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
    const answer = await prompter.warn(
      t`${name} of ${sanitizeLabel(plan)} has unsaved changes.`,
      t('Save and Continue'),
    );
    if (answer === undefined || !(await document.save())) return false;
  }
  return true;
}

/** A task is started by the work phase alone; what comes before it is said and offered. */
async function offerPhase({ prompter }: UiContext, plan: QualifiedId, phase: string): Promise<unknown> {
  const message = t`A task is started by the work phase; the next phase of ${sanitizeLabel(plan)} is ${phase}.`;
  const answer = await prompter.info(message, t('Run Phase'), t('Open Plan'));
  if (answer === undefined) return undefined;
  return vscode.commands.executeCommand(answer === t('Run Phase') ? 'ravel.runPhase' : 'ravel.openPlan', plan);
}

function notEmpty(text: string): string | undefined {
  return text.trim() === '' ? t('Enter some text.') : undefined;
}
