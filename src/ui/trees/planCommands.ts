import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { capitalized, counted } from '../../base/text.ts';
import { projectOf, type QualifiedId, qualifiedIdProblem } from '../../model/id.ts';
import type { ArchiveRow } from '../../model/requests/archives.ts';
import { cancellable } from '../cancellation.ts';
import type { Choice } from '../choice.ts';
import type { CommandTable } from '../commands.ts';
import { refuseEmpty } from '../prompter.ts';
import { plainChoice } from '../sanitizeLabel.ts';
import { sendFromWindow } from '../sendFromWindow.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { choosePlan } from './choosePlan.ts';
import { isProjectRoot, planName } from './planRows.ts';

/** Commands about a plan that run nothing. */
export const planCommands: CommandTable = {
  async sendNote(ui, argument) {
    ui.requireTrust();
    const plan = await choosePlan(ui, argument, { title: t('Send Note to Plan') });
    if (plan === undefined) return undefined;
    const runs = ui.model.plan(plan)?.row?.running !== undefined;
    const prompt = runs
      ? t('The running session gets the note with its next step.')
      : t('The next session of the plan gets it.');
    const text = await ui.prompter.input({
      title: t`Note to ${planName(plan)}`,
      prompt,
      validateInput: refuseEmpty,
    });
    if (text === undefined) return undefined;
    const { api } = requireLink(ui);
    return sendFromWindow(ui, (id) => api.request('send', { id, to: plan, type: 'note', text }));
  },

  async renamePlan(ui, argument) {
    ui.requireTrust();
    const { api } = requireLink(ui);
    const plan = await choosePlan(ui, argument, { title: t('Rename Plan') });
    if (plan === undefined) return undefined;
    if (isProjectRoot(plan)) return renameProject(ui, projectOf(plan));
    const to = await ui.prompter.input({
      title: t('Rename Plan'),
      prompt: t('The full name, in the same project. Plans below it move with it.'),
      value: plan,
      valueSelection: [plan.lastIndexOf('/') + 1, plan.length],
      validateInput: (text) => renameProblem(plan, text.trim()),
    });
    if (to === undefined) return undefined;
    const renamed = await api.request('rename', { plan, to: to.trim() });
    await warnOf(ui, renamed.diagnostics);
    return renamed;
  },

  async removePlan(ui, argument) {
    ui.requireTrust();
    const { api } = requireLink(ui);
    const plan = await choosePlan(ui, argument, { title: t('Remove Plan') });
    if (plan === undefined) return undefined;
    if (isProjectRoot(plan)) return removeProject(ui, projectOf(plan));
    const below = ui.model.plan(plan)?.children.length ?? 0;
    const detail = t`The plan goes into the archive of the vault${below > 0 ? t(', with all plans below it') : ''}, and can be restored from there.`;
    if (!(await ui.prompter.confirm(t`Remove ${planName(plan)}?`, detail, t('Remove')))) return undefined;
    const removed = await api.request('remove', { plan, ...(below > 0 && { withChildren: true }) });
    await warnOf(ui, removed.diagnostics);
    return removed;
  },

  async restorePlan(ui) {
    ui.requireTrust();
    const { api } = requireLink(ui);
    const { archives } = await api.request('archives', {});
    if (archives.length === 0) {
      await ui.prompter.info(t('The archive of this vault is empty.'));
      return undefined;
    }
    const archive = await ui.prompter.pick(archives.map(archiveChoice), { title: t('Restore From Archive') });
    return archive === undefined ? undefined : api.request('restore', { archive });
  },

  async openPlanFolder(ui, argument) {
    const directory = await directoryOf(ui, argument, t('Open Folder of Plan'));
    if (directory !== undefined)
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.joinPath(directory, 'plan-state.md'));
    return directory;
  },

  async revealPlanInExplorer(ui, argument) {
    const directory = await directoryOf(ui, argument, t('Reveal Plan in Explorer'));
    if (directory === undefined) return undefined;
    const isInWorkspace = vscode.workspace.getWorkspaceFolder(directory) !== undefined;
    // The explorer shows the folders of the window alone; others are shown by the system's own.
    await vscode.commands.executeCommand(isInWorkspace ? 'revealInExplorer' : 'revealFileInOS', directory);
    return directory;
  },

  async copyPlanId(ui, argument) {
    const plan = await choosePlan(ui, argument, { title: t('Copy Plan ID') });
    if (plan !== undefined) await vscode.env.clipboard.writeText(plan);
    return plan;
  },

  async verifyVault(ui) {
    const { api } = requireLink(ui);
    const title = t('Checking every file of the vault');
    const { plans, diagnostics } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_progress, token) => cancellable(token, (signal) => api.request('verify', {}, signal)),
    );
    const found =
      diagnostics.length === 0
        ? t('no problems found')
        : t`${counted(diagnostics.length, t('{0} problem'), t('{0} problems'))} found`;
    const message = t`${counted(plans, t('{0} plan'), t('{0} plans'))} checked: ${found}.`;
    const answer =
      diagnostics.length === 0 ? await ui.prompter.info(message) : await ui.prompter.warn(message, t('Show Problems'));
    if (answer !== undefined) await vscode.commands.executeCommand('workbench.actions.view.problems');
    return diagnostics.length;
  },

  async refreshViews({ model }) {
    await model.refresh();
  },
};

function renameProblem(plan: QualifiedId, to: string): string | undefined {
  if (to === plan) return t('This is already its name.');
  const problem = qualifiedIdProblem(to);
  if (problem !== undefined) return `${capitalized(problem)}.`;
  return to.startsWith(`${projectOf(plan)}/`) ? undefined : t('A plan stays in its project.');
}

async function renameProject(ui: UiContext, project: string): Promise<unknown> {
  const to = await ui.prompter.input({
    title: t('Rename Project'),
    prompt: t('The new name. The name of its folder does not change.'),
    value: project,
    validateInput: (text) =>
      text.trim() === '' || text.includes('/') ? t('A project has a name without slashes.') : undefined,
  });
  if (to === undefined || to.trim() === project) return undefined;
  const renamed = await requireLink(ui).api.request('rename_project', { project, to: to.trim() });
  await warnOf(ui, renamed.diagnostics);
  return renamed;
}

async function removeProject({ link, prompter }: UiContext, project: string): Promise<unknown> {
  const detail = t('Only the vault forgets it. Its folder and its plans stay as they are, and you can adopt it again.');
  if (!(await prompter.confirm(t`Remove the project ${project} from this vault?`, detail, t('Remove'))))
    return undefined;
  return requireLink({ link }).api.request('remove_project', { project });
}

async function warnOf({ prompter }: UiContext, diagnostics: readonly { readonly message: string }[]): Promise<void> {
  const [first, ...others] = diagnostics;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : t` And ${others.length} more; run “Ravel: Verify Vault” to see them.`;
  await prompter.warn(`${first.message}${more}`);
}

function archiveChoice({ archive, of, kind, plans, at }: ArchiveRow): Choice<string> {
  const count = kind === 'plan' && plans.length > 1 ? t` with ${plans.length - 1} below it` : '';
  return {
    label: plainChoice(`${of}${count}`),
    description: t`${kind}, removed ${plainChoice(at, 40)}`,
    value: archive,
  };
}

async function directoryOf(ui: UiContext, argument: unknown, title: string): Promise<vscode.Uri | undefined> {
  const plan = await choosePlan(ui, argument, { title });
  if (plan === undefined) return undefined;
  const { directory } = await requireLink(ui).api.request('status', { plan });
  return vscode.Uri.file(directory);
}
