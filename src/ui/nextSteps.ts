import { t } from '@vscode/l10n';
import { defined } from '../base/defined.ts';

/** A button beside a message, and the command behind it. */
export interface NextAction {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** A message with buttons. */
export interface Notice {
  readonly tone: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly actions: readonly NextAction[];
}

/** What to do after something failed, in the editor's words and not in those of the command line. */
export interface NextStep {
  /** A whole sentence. */
  readonly help: string;
  readonly actions: readonly NextAction[];
}

const createVault = { title: t('Create Vault…'), command: 'ravel.createVault' };
const anotherPlace = { title: t('Choose Another Folder…'), command: 'ravel.createVault' };
const openVault = { title: t('Open Vault…'), command: 'ravel.openVault' };
const runDemo = { title: t('Run the Demo'), command: 'ravel.runDemo' };
const adoptAnother = { title: t('Choose Another Folder…'), command: 'ravel.adoptProject' };
const connectClaudeCode = { title: t('Connect Claude Code'), command: 'ravel.connectClaudeCode' };
const showPlans = { title: t('Show Plans'), command: 'ravel.plans.focus' };
const runDoctor = { title: t('Run Doctor'), command: 'ravel.runDoctor' };
const reload = { title: t('Reload Window'), command: 'workbench.action.reloadWindow' };

function openPage(title: string, address: string): NextAction {
  return { title, command: 'ravel.openPage', arguments: [address] };
}

/** Text for a person to look at and send off; nothing is run by itself. */
export function typeInTerminal(title: string, text: string, folder?: string): NextAction {
  return { title, command: 'ravel.typeInTerminal', arguments: [{ text, ...defined({ folder }) }] };
}

type StepOf = (subject: string) => NextStep;

function step(help: string, ...actions: readonly NextAction[]): StepOf {
  return () => ({ help, actions });
}

/** By error code; the codes that are not here have their own help, and no button but the log's. */
const steps: Readonly<Record<string, StepOf>> = {
  'git/missing': step(
    t('Install git, then reload the window so that it is found.'),
    openPage(t('Get Git'), 'https://git-scm.com/downloads'),
    reload,
  ),
  'git/notARepository': (folder) => ({
    help: t(
      'Every change is kept as a commit, so a project needs a repository: make one there, or choose another folder.',
    ),
    actions: [typeInTerminal(t('Run git init in Terminal'), 'git init', folder), adoptAnother],
  }),
  'git/noIdentity': step(
    t('Commits are made in your name, so git needs your name and email address.'),
    typeInTerminal(
      t('Set Identity in Terminal'),
      'git config --global user.name "Your Name" && git config --global user.email you@example.org',
    ),
  ),
  'git/detachedHead': step(t('Check out a branch: commits on a detached HEAD are easily lost.'), {
    title: t('Check Out a Branch…'),
    command: 'git.checkout',
  }),
  'vault/exists': (folder) => ({
    help: t('Open it if it is a vault. Otherwise choose a folder that is empty or does not exist yet.'),
    actions: [{ ...openVault, title: t('Open It'), arguments: [folder] }, anotherPlace],
  }),
  'vault/none': step(t('A vault is a folder with a ravel.toml: open one, or create one.'), openVault, createVault),
  'vault/newerSchema': step(t('Update Ravel: this vault was written by a newer version and is left unchanged.'), {
    title: t('Check for Updates'),
    command: 'workbench.extensions.action.checkForUpdates',
  }),
  'vault/unreadable': step(
    t('Its ravel.toml must contain one [vault] table. Fix it, or open another vault.'),
    openVault,
  ),
  'project/exists': step(t('There is nothing left to do. The project is listed under Plans.'), showPlans),
  'project/inVault': step(t('Choose a project outside the vault.'), adoptAnother),
  'project/missing': step(t('Choose a folder that exists.'), adoptAnother),
  'project/noRootPlan': step(t('Move that folder away, or choose another project.'), adoptAnother),
  'project/badLink': step(t('Run the doctor to see the cause.'), runDoctor),
  'plan/exists': step(t('Choose another name.'), { title: t('Choose Another Name…'), command: 'ravel.createPlan' }),
  'plan/nothingReady': step(t('Give the plan a task, or finish the tasks that the blocked ones wait for.'), {
    title: t('Add Task…'),
    command: 'ravel.addTask',
  }),
  'harness/missing': step(t('Let Ravel look for it, or run the demo without a model.'), connectClaudeCode, runDemo),
  'harness/notExecutable': step(t('Let Ravel look for it, or choose another file.'), connectClaudeCode),
  'harness/noScenario': step(t('The scripted harness plays a scenario; the demo comes with one.'), runDemo),
  'disk/denied': step(t('Choose a folder that you can write to, or change its permissions.')),
  'disk/full': step(t('Free some space and try again. No file was left half-written.')),
  'ui/noVault': step(t('Create one, open yours, or run the demo in a temporary one.'), createVault, openVault, runDemo),
  'ui/noPlan': step(t('Adopt a project. This creates its first plan.'), {
    title: t('Adopt Project…'),
    command: 'ravel.adoptProject',
  }),
  'ui/untrusted': step(t('Trust this window to let Ravel run in it.'), {
    title: t('Manage Workspace Trust'),
    command: 'workbench.trust.manage',
  }),
  'base/internal': step(t('This is a defect in Ravel. The log has the details.'), runDoctor),
};

/** What to do about a failure, or undefined if only its own help is known. */
export function nextStepOf({
  code,
  subject,
}: {
  readonly code: string;
  readonly subject: string;
}): NextStep | undefined {
  return steps[code]?.(subject);
}
