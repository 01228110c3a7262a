import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatCount } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import { isUlid, type QualifiedId } from '../../model/id.ts';
import { handedInBytesMax } from '../../model/planProposal.ts';
import type { RequestParams } from '../../model/protocol.ts';
import type { ProposedResult } from '../../model/requests/goals.ts';
import { cancellable } from '../cancellation.ts';
import type { Choice } from '../choice.ts';
import type { CommandTable } from '../commands.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { planOf } from './arguments.ts';
import { goalMessage } from './names.ts';
import { pickPlan } from './questions.ts';

export const goalCommands: CommandTable = {
  planGoal,
  /** For the page of a question, whose answer lets a session propose. */
  async continueGoal(ui, answered) {
    ui.requireTrust();
    return typeof answered === 'string' && isUlid(answered) ? proposeWithAnswer(ui, answered) : undefined;
  },
};

type Way = 'goal' | 'file' | 'empty';

const ways = (): readonly Choice<Way>[] => [
  {
    label: t('Describe a Goal…'),
    detail: t('A session that can only read looks at the project and proposes plans and tasks.'),
    value: 'goal',
  },
  {
    label: t('Read a List or Issues From a File…'),
    detail: t('A Markdown list, a proposal as YAML, or issues as JSON. No model is used.'),
    value: 'file',
  },
  {
    label: t('Write Plans Yourself'),
    detail: t('An empty proposal, on the same page. No model is used.'),
    value: 'empty',
  },
];

/** Asks for a plan and what the plans are to come from, and opens what is proposed or asked. */
async function planGoal(ui: UiContext, given: unknown): Promise<string | undefined> {
  requireLink(ui);
  ui.requireTrust();
  const title = t('Create Plans From a Goal');
  const under = planOf(given) ?? (await pickPlan(ui, title, t('Which project or plan is the goal for?')));
  if (under === undefined) return undefined;
  const asked = t`New plans for ${sanitizeLabel(under)}`;
  const way = await ui.prompter.pick(ways(), { title: asked, placeHolder: t('What should the plans come from?') });
  if (way === 'goal') return proposeForGoal(ui, under);
  if (way === 'file') return proposeFile(ui, under);
  return way && proposeByHand(ui, { under });
}

async function proposeForGoal(ui: UiContext, under: QualifiedId): Promise<string | undefined> {
  const goal = await ui.prompter.input({
    title: t`A goal for ${sanitizeLabel(under)}`,
    prompt: t('What is to be true in the end, in a sentence or a few'),
    placeHolder: t('People can search the shop by colour and size.'),
    ignoreFocusOut: true,
    validateInput: goalMessage,
  });
  return goal === undefined ? undefined : propose(ui, { under, goal: goal.trim() });
}

async function proposeFile(ui: UiContext, under: QualifiedId): Promise<string | undefined> {
  const file = await ui.prompter.file({
    title: t`A file with a list or issues for ${sanitizeLabel(under)}`,
    openLabel: t('Propose Plans'),
    filters: {
      [t('Lists and issues')]: ['md', 'markdown', 'txt', 'yaml', 'yml', 'json'],
      [t('All files')]: ['*'],
    },
  });
  if (file === undefined) return undefined;
  const source = file.path.split('/').at(-1) ?? file.path;
  return proposeByHand(ui, { under, text: await readFile(file, under, source), source });
}

/** A file that is too large is refused before it is read. */
async function readFile(file: vscode.Uri, under: QualifiedId, source: string): Promise<string> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > handedInBytesMax) {
    const message = t`${source} has more than ${formatCount(handedInBytesMax)} bytes.`;
    throw failure('goal/badText', under, message, { help: t('Choose a file with a part of it.') });
  }
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

async function proposeByHand(ui: UiContext, params: RequestParams<'propose_plans'>): Promise<string> {
  const { api } = requireLink(ui);
  return openProposed(await api.request('propose_plans', params));
}

/** Lets a new session propose with the answers to a question, and opens the proposal. */
export function proposeWithAnswer(ui: UiContext, answered: string): Promise<string> {
  return propose(ui, { answered });
}

/** A session can take minutes, so the person sees that it goes on and can end it. */
async function propose(ui: UiContext, params: RequestParams<'plan_goal'>): Promise<string> {
  const { api } = requireLink(ui);
  const proposed = await vscode.window.withProgress<ProposedResult>(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('A session looks at the project; nothing is written before you accept'),
      cancellable: true,
    },
    (_progress, token) => cancellable(token, (signal) => api.request('plan_goal', params, signal)),
  );
  return openProposed(proposed);
}

async function openProposed({ approval }: ProposedResult): Promise<string> {
  await vscode.commands.executeCommand('ravel.openApproval', approval);
  return approval;
}
