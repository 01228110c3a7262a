import { basename } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import { isRavelError, RavelError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import { projectOf, type QualifiedId } from '../../model/id.ts';
import type { InspectedProject } from '../../model/requests/vault.ts';
import type { Choice } from '../choice.ts';
import type { CommandTable } from '../commands.ts';
import { notify } from '../notify.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink, type VaultLink } from '../vaultLink.ts';
import { pathOf } from './arguments.ts';
import { projectNameMessage } from './names.ts';
import { addTaskTo, planGoalFor } from './planCreationCommands.ts';
import { askDescription, askPlanName, pickPlan } from './questions.ts';

export const projectCommands: CommandTable = { adoptProject, importPlan };

/** Asks for a folder and for what it is about, and has the vault adopt it. */
async function adoptProject(ui: UiContext, given: unknown): Promise<QualifiedId | undefined> {
  const link = requireLink(ui);
  ui.requireTrust();
  const folder = pathOf(given) ?? (await askProject(ui, link));
  if (folder === undefined) return undefined;
  const inspected = await link.api.request('inspect_project', { project: folder });
  if (inspected.adoptedAs !== undefined) {
    throw failure(
      'project/exists',
      inspected.adoptedAs,
      t`This project is already adopted, as "${inspected.adoptedAs}".`,
    );
  }
  // A name can be given; everything else has to be put right first.
  const problem = inspected.diagnostics.find(({ severity, code }) => severity === 'error' && code !== 'plan/badId');
  if (problem !== undefined) throw new RavelError(problem);
  const about = await askAbout(ui, inspected);
  if (about === undefined) return undefined;
  const plan = await adopt(ui, link, { project: inspected.project, ...about });
  if (plan === undefined) return undefined;
  const [warning] = inspected.diagnostics.filter(({ severity }) => severity === 'warning');
  offerNext(ui, plan, warning?.message);
  return plan;
}

/** The folders of this window that could be adopted, and any other. */
async function askProject({ prompter }: UiContext, link: VaultLink): Promise<string | undefined> {
  const offered: InspectedProject[] = [];
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    // A folder that cannot be looked into is not offered; who chooses it by hand is told why.
    const inspected = await link.api.request('inspect_project', { project: uri.fsPath }).catch(() => undefined);
    if (inspected !== undefined && inspected.adoptedAs === undefined && inspected.diagnostics.length === 0)
      offered.push(inspected);
  }
  const other = { label: t('Choose Another Folder…'), value: undefined };
  const choices: Choice<string | undefined>[] = offered.map(({ name, project }) => ({
    label: plainChoice(name),
    description: sanitizeLabel(project),
    value: project,
  }));
  if (choices.length > 0) {
    const picked = await prompter.pick(
      [...choices, other].map((choice) => ({ ...choice, value: choice })),
      { title: t('Adopt Project'), placeHolder: t('Choose the project to adopt') },
    );
    if (picked === undefined || picked.value !== undefined) return picked?.value;
  }
  const folder = await prompter.folder({
    title: t('Choose the project folder, in a git repository'),
    openLabel: t('Adopt'),
  });
  return folder?.fsPath;
}

async function askAbout(
  ui: UiContext,
  inspected: InspectedProject,
): Promise<{ readonly description?: string; readonly name?: string } | undefined> {
  let name: string | undefined;
  if (inspected.diagnostics.some(({ code }) => code === 'plan/badId')) {
    name = await askProjectName(ui, inspected.name, undefined);
    if (name === undefined) return undefined;
  }
  const named = defined({ name });
  if (inspected.hasRootPlan) return named;
  const description = await askDescription(
    ui,
    t`What is ${sanitizeLabel(name ?? inspected.name)} for? (its lasting scope)`,
  );
  return description === undefined ? undefined : { ...named, description };
}

/** Adopts; if another project has the name, asks for another one. */
async function adopt(
  ui: UiContext,
  { api }: VaultLink,
  params: { readonly project: string; readonly description?: string; readonly name?: string },
): Promise<QualifiedId | undefined> {
  for (let name = params.name; ; ) {
    try {
      return (await api.request('adopt', { ...params, ...defined({ name }) })).plan;
    } catch (error) {
      if (!isRavelError(error, 'project/exists')) throw error;
      name = await askProjectName(ui, name ?? basename(params.project), error.message);
      if (name === undefined) return undefined;
    }
  }
}

function askProjectName(
  { prompter }: UiContext,
  before: string,
  problem: string | undefined,
): Promise<string | undefined> {
  return prompter.input({
    title: t('Adopt Project'),
    prompt: problem ?? t('The name of the project in this vault'),
    value: before,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === before ? t('Enter another name. This one cannot be used.') : projectNameMessage(text),
  });
}

function offerNext(ui: UiContext, plan: QualifiedId, warning: string | undefined): void {
  const sentences = [t`The vault has adopted ${sanitizeLabel(projectOf(plan))}.`, warning].filter(
    (part) => part !== undefined,
  );
  notify(ui, { tone: 'info', message: sentences.join(' '), actions: [planGoalFor(plan), addTaskTo(plan)] });
}

/** Takes in a plan of an older program: shows what would be made of it, then makes it. */
async function importPlan(ui: UiContext): Promise<QualifiedId | undefined> {
  const link = requireLink(ui);
  ui.requireTrust();
  const { prompter } = ui;
  const folder = await prompter.folder({
    title: t('Choose the folder that contains phase.md and the backlog'),
    openLabel: t('Import'),
  });
  if (folder === undefined) return undefined;
  const parent = await pickPlan(ui, t('Import Plan'), t('Which plan is its parent?'));
  if (parent === undefined) return undefined;
  const name = await askPlanName(ui, parent, basename(folder.fsPath));
  if (name === undefined) return undefined;
  const description = await askDescription(ui, t`What is ${sanitizeLabel(name)} for? (its lasting scope)`);
  if (description === undefined) return undefined;
  const params = { directory: folder.fsPath, plan: `${parent}/${name}`, description };
  const draft = await link.api.request('import', { ...params, dryRun: true });
  const counts = [
    counted(draft.tasks, t('{0} task'), t('{0} tasks')),
    counted(draft.entries, t('{0} memory entry'), t('{0} memory entries')),
    counted(draft.sessions, t('{0} session'), t('{0} sessions')),
  ].join(', ');
  const remarks = draft.diagnostics.slice(0, 5).map(({ message }) => `• ${sanitizeLabel(message)}`);
  const detail = [t`It contains ${counts}. The folder itself does not change.`, ...remarks].join('\n');
  if (!(await prompter.confirm(t`Import ${sanitizeLabel(params.plan)}?`, detail, t('Import')))) return undefined;
  const { plan } = await link.api.request('import', params);
  await vscode.commands.executeCommand('ravel.openPlan', plan);
  return plan;
}
