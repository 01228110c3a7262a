import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import { isQualifiedId, type QualifiedId } from '../../model/id.ts';
import type { CauseNode } from '../../model/requests/causality.ts';
import { cancellable } from '../cancellation.ts';
import type { CommandTable } from '../commands.ts';
import { plainChoice } from '../plainLabel.ts';
import { refuseEmpty } from '../prompter.ts';
import { requireLink } from '../requireLink.ts';
import { sendFromWindow } from '../sendFromWindow.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import type { Workplace } from '../workplace.ts';
import { rowSubject } from './backlogRows.ts';
import { showAnswer, showCauses } from './causePages.ts';
import { chooseTarget, dispatchDraft, draftOfTask, tellOutcome } from './dispatchForm.ts';
import { openCause, openRecord } from './openCause.ts';
import { targetWords } from './targetChoices.ts';

/** How long a question is waited for; what is answered later is kept, and told by the view. */
const answerSeconds = 600;

/** Commands that hand something over, ask something, or say why something is there. */
export const messageCommands: CommandTable = {
  /** Of a task of a plan, to a plan whose row it was called on, or of whatever is written. */
  async dispatchTask(workplace, argument, task) {
    workplace.requireTrust();
    const row = rowSubject(argument);
    if (row?.kind === 'task') return dispatchDraft(workplace, await draftOfTask(workplace, row.plan, row.id));
    if (typeof argument === 'string' && isQualifiedId(argument)) {
      if (typeof task === 'string') return dispatchDraft(workplace, await draftOfTask(workplace, argument, task));
      return dispatchDraft(workplace, { target: { 'target-plan': argument } });
    }
    return dispatchDraft(workplace, {});
  },

  async askQuestion(workplace, argument) {
    workplace.requireTrust();
    const given = typeof argument === 'string' && isQualifiedId(argument) ? { 'target-plan': argument } : undefined;
    const target = given ?? (await chooseTarget(workplace, 'Ask a Question', undefined));
    if (target === undefined) return undefined;
    const title = `Question to ${targetWords(target)}`;
    const prompt = 'A fresh session answers from what the plan has learned. It changes nothing.';
    const question = await workplace.prompter.input({ title, prompt, validateInput: refuseEmpty });
    if (question === undefined) return undefined;
    const { api } = requireLink(workplace);
    const asked = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `${title}: waiting for the answer`, cancellable: true },
      (_progress, token) =>
        cancellable(token, (signal) =>
          sendFromWindow(workplace, (id) =>
            api.request('ask', { ...target, id, question, 'wait-seconds': answerSeconds }, signal),
          ),
        ),
    );
    if (asked.answer !== undefined) await showAnswer(asked.query);
    else await tellOutcome(workplace, asked.outcome, title);
    return asked;
  },

  async why(workplace, argument, id) {
    const subject = await whyOf(workplace, argument, id);
    if (subject === undefined) return undefined;
    requireLink(workplace);
    await showCauses(subject.name, subject.plan);
    return subject.name;
  },

  async openCause(workplace, node, session) {
    if (!isNode(node)) return undefined;
    return openCause(workplace, node, isNode(session) ? session : undefined);
  },

  async openRecord(workplace, plan, _list, id) {
    if (typeof plan !== 'string' || typeof id !== 'string') return undefined;
    return openRecord(workplace, plan, id);
  },
};

/** What is asked about: a row, a name, a record of a plan, or what a person picks. */
async function whyOf(
  workplace: Workplace,
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
    return typeof id === 'string' ? { name: id, plan: argument } : pickTask(workplace, argument);
  }
  if (typeof argument === 'string') return { name: argument, plan: undefined };
  const plan = await choosePlan(workplace, undefined, { title: 'Explain Why It Is Here: Plan' });
  return plan === undefined ? undefined : pickTask(workplace, plan);
}

async function pickTask(workplace: Workplace, plan: QualifiedId) {
  const { result } = await requireLink(workplace).api.request('state', { plan, verb: 'backlog/list', args: {} });
  const tasks = isRecord(result) && Array.isArray(result['tasks']) ? result['tasks'].filter(isTask) : [];
  const choices = tasks.map(({ id, title }) => ({
    label: plainChoice(title),
    description: plainChoice(id),
    value: { name: `task:${id}`, plan },
  }));
  if (choices.length > 0) return workplace.prompter.pick(choices, { title: 'Explain Why It Is Here: Task' });
  await workplace.prompter.info('This plan has no task yet.');
  return undefined;
}

function isTask(value: unknown): value is { readonly id: string; readonly title: string } {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['title'] === 'string';
}

function isNode(value: unknown): value is CauseNode {
  return isRecord(value) && typeof value['kind'] === 'string' && typeof value['id'] === 'string';
}
