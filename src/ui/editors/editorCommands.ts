import * as vscode from 'vscode';
import { firstLine, headline } from '../../base/text.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { CommandTable } from '../commands.ts';
import { rowSubject } from '../messages/backlogRows.ts';
import { plainChoice, plainLabel } from '../plainLabel.ts';
import type { PlanNode } from '../planForest.ts';
import { requireLink } from '../requireLink.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import type { Workplace } from '../workplace.ts';
import { showSides } from './sideTexts.ts';
import type { StateDocuments } from './stateDocuments.ts';

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
    async startTask(workplace, argument, task) {
      workplace.requireTrust();
      const fits = (node: PlanNode) => node.row === undefined || node.row.counts.ready + node.row.counts.inProgress > 0;
      const shown = rowSubject(argument);
      const plan = await choosePlan(workplace, shown?.plan ?? argument, {
        title: 'Start Task of Plan',
        fits,
        none: 'No plan has a ready task.',
      });
      if (plan === undefined) return undefined;
      const given = shown?.kind === 'task' ? shown.id : task;
      const id = typeof given === 'string' ? given : await chooseTask(workplace, plan);
      if (id === undefined || !(await isSaved(documents, workplace, plan))) return undefined;
      const phase = workplace.model.plan(plan)?.phase;
      if (phase !== undefined && phase !== 'work') return offerPhase(workplace, plan, phase);
      return vscode.commands.executeCommand('ravel.runPhase', plan, { phase: 'work', task: id });
    },

    async promoteReceived(workplace, argument, message) {
      workplace.requireTrust();
      const found = await chooseMessage(workplace, argument, message, 'Promote Received Message of Plan');
      if (found === undefined || !(await isSaved(documents, workplace, found.plan))) return undefined;
      const title = await workplace.prompter.input({
        title: 'Promote to a task',
        prompt: 'The work to do, in a few words',
        value: plainLabel(found.title, titleLengthMax),
        validateInput: notEmpty,
      });
      if (title === undefined) return undefined;
      const category = await workplace.prompter.input({
        title: 'Promote to a task',
        prompt: 'Its category',
        value: 'general',
        validateInput: notEmpty,
      });
      if (category === undefined) return undefined;
      return useVerb(workplace, found.plan, 'received/promote', { id: found.id, title, category });
    },

    async declineReceived(workplace, argument, message) {
      workplace.requireTrust();
      const found = await chooseMessage(workplace, argument, message, 'Decline Received Message of Plan');
      if (found === undefined || !(await isSaved(documents, workplace, found.plan))) return undefined;
      const reason = await workplace.prompter.input({
        title: 'Decline the message',
        prompt: 'The reason. The sender gets it, and it is recorded in the backlog.',
        validateInput: notEmpty,
      });
      if (reason === undefined) return undefined;
      return useVerb(workplace, found.plan, 'received/decline', { id: found.id, reason });
    },

    compareStaged,
  };
}

async function compareStaged(workplace: Workplace, argument: unknown): Promise<unknown> {
  const plan = await choosePlan(workplace, argument, {
    title: 'Compare Staged Changes of Plan',
    fits: ({ row }) => row?.running !== undefined || row?.waiting !== undefined,
    none: 'No session is running or waiting, so nothing is staged.',
  });
  if (plan === undefined) return undefined;
  const { session, sets } = await requireLink(workplace).api.request('changes', { plan });
  const staged = sets.find(({ kind }) => kind === 'staged');
  if (staged === undefined || staged.files.length === 0) {
    await workplace.prompter.info('The session has not changed any file of the plan.');
    return undefined;
  }
  const paths = staged.files.map(({ path, added = 0, removed = 0 }) => ({
    label: plainChoice(path),
    description: `+${added} −${removed}`,
    value: path,
  }));
  const only = paths.length === 1 ? paths[0]?.value : undefined;
  const path = only ?? (await workplace.prompter.pick(paths, { title: 'Compare Staged With Plan' }));
  if (path === undefined) return undefined;
  return showSides({ plan, session, set: staged.set, path }, `${plainLabel(path)} (plan ↔ staged)`);
}

async function chooseTask(workplace: Workplace, plan: QualifiedId): Promise<string | undefined> {
  const { tasks } = await listed(workplace, plan, 'backlog/list', { ready: true });
  const choices = (tasks ?? []).map(({ id, title = '', category = '' }) => ({
    label: plainChoice(title),
    description: plainChoice(`${id} · ${category}`),
    value: id,
  }));
  if (choices.length > 0) return workplace.prompter.pick(choices, { title: 'Start Task', matchOnDescription: true });
  await workplace.prompter.info('No task of this plan is ready.');
  return undefined;
}

async function chooseMessage(
  workplace: Workplace,
  argument: unknown,
  message: unknown,
  title: string,
): Promise<{ readonly plan: QualifiedId; readonly id: string; readonly title: string } | undefined> {
  const shown = rowSubject(argument);
  if (shown?.kind === 'received') return chooseMessage(workplace, shown.plan, shown.id, title);
  const fits = ({ row }: PlanNode) => (row?.counts.received ?? 0) > 0;
  const plan = await choosePlan(workplace, argument, { title, fits, none: 'No messages wait for triage.' });
  if (plan === undefined) return undefined;
  const { messages = [] } = await listed(workplace, plan, 'received/list', {});
  const choices = messages.map(({ id, body = '', reason = '', from = '' }) => ({
    label: plainChoice(firstLine(body)),
    description: plainChoice(`from ${from === 'person' ? 'a person' : from}`),
    detail: plainChoice(reason),
    value: { plan, id, title: headline(body, titleLengthMax) },
  }));
  if (typeof message === 'string') {
    return choices.find(({ value }) => value.id === message)?.value ?? { plan, id: message, title: '' };
  }
  if (choices.length > 0) return workplace.prompter.pick(choices, { title: 'Received Messages' });
  await workplace.prompter.info('No message of this plan waits for triage.');
  return undefined;
}

async function listed(workplace: Workplace, plan: QualifiedId, verb: string, args: Readonly<Record<string, unknown>>) {
  const { result } = await requireLink(workplace).api.request('state', { plan, verb, args: { ...args } });
  return result as { readonly tasks?: readonly Listed[]; readonly messages?: readonly Listed[] };
}

async function useVerb(workplace: Workplace, plan: QualifiedId, verb: string, args: Record<string, unknown>) {
  const { result, summary } = await requireLink(workplace).api.request('state', { plan, verb, args });
  vscode.window.setStatusBarMessage(plainLabel(summary), 8_000);
  return result;
}

/** What only an editor holds is not what a verb or a session would see. */
async function isSaved(documents: StateDocuments, { prompter }: Workplace, plan: QualifiedId): Promise<boolean> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || (await documents.look(document))?.plan !== plan) continue;
    const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
    const answer = await prompter.warn(`${name} of ${plainLabel(plan)} has unsaved changes.`, 'Save and Continue');
    if (answer === undefined || !(await document.save())) return false;
  }
  return true;
}

/** A task is started by the work phase alone; what comes before it is said and offered. */
async function offerPhase({ prompter }: Workplace, plan: QualifiedId, phase: string): Promise<unknown> {
  const message = `A task is started by the work phase; the next phase of ${plainLabel(plan)} is ${phase}.`;
  const answer = await prompter.info(message, 'Run Phase', 'Open Plan');
  if (answer === undefined) return undefined;
  return vscode.commands.executeCommand(answer === 'Run Phase' ? 'ravel.runPhase' : 'ravel.openPlan', plan);
}

function notEmpty(text: string): string | undefined {
  return text.trim() === '' ? 'Enter some text.' : undefined;
}
