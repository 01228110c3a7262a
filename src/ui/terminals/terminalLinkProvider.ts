import { isAbsolute, join, sep } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { staysInside } from '../runner/filePlaces.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import type { OpenTerminals } from './openTerminals.ts';
import { type FoundLink, type LinkTarget, linksIn } from './terminalLinks.ts';

interface RavelLink extends vscode.TerminalLink {
  readonly target: LinkTarget;
  readonly plan: string;
  readonly file?: vscode.Uri;
}

/** Links of our own terminals: files of the project, and what the vault knows by name. */
export function createLinkProvider(ui: UiContext, terminals: OpenTerminals): vscode.TerminalLinkProvider<RavelLink> {
  return {
    async provideTerminalLinks({ line, terminal }) {
      const ours = terminals.of(terminal);
      if (ours === undefined) return [];
      const { plan, cwd } = ours.info;
      const { model } = ui;
      const tasks = await taskIds(ui, plan, line);
      const found = linksIn(line, {
        hasPlan: (id) => model.plan(id) !== undefined,
        hasTask: (id) => tasks.has(id),
        hasApproval: (id) => model.approvals.some(({ approval }) => approval === id),
      });
      const links = await Promise.all(found.map((one) => toLink(ui, one, { plan, cwd })));
      return links.filter((link) => link !== undefined);
    },
    handleTerminalLink: ({ target, plan, file }) => follow(target, plan, file),
  };
}

/** Only a line that could hold the id of a task is worth a question. */
async function taskIds({ link, log }: UiContext, plan: string, line: string): Promise<ReadonlySet<string>> {
  const api = link.value?.api;
  if (api === undefined || !/[a-z0-9]-[a-z0-9]/.test(line)) return new Set();
  try {
    const { result } = await api.request('state', { plan, verb: 'backlog/list', args: {} });
    const { tasks = [] } = result as { readonly tasks?: readonly { readonly id: string }[] };
    return new Set(tasks.map(({ id }) => id));
  } catch (error) {
    log.debug(`the tasks of ${plan} could not be listed: ${String(error)}`);
    return new Set();
  }
}

async function toLink(
  { machine }: UiContext,
  { start, length, target }: FoundLink,
  { plan, cwd }: { readonly plan: string; readonly cwd: string },
): Promise<RavelLink | undefined> {
  const base = { startIndex: start, length, target, plan, tooltip: tooltipOf(target) };
  if (target.kind !== 'file') return base;
  const path = isAbsolute(target.path) ? join(target.path) : join(cwd, target.path);
  // A text that a program printed must not open files outside of the project.
  if (!path.startsWith(cwd + sep) || !(await staysInside(path, [cwd], machine.realPath))) return undefined;
  const file = vscode.Uri.file(path);
  try {
    const { type } = await vscode.workspace.fs.stat(file);
    return (type & vscode.FileType.File) === 0 ? undefined : { ...base, file };
  } catch {
    // There is no such file, so this is not a link.
    return undefined;
  }
}

function tooltipOf(target: LinkTarget): string {
  switch (target.kind) {
    case 'file':
      return t`Open ${sanitizeLabel(target.path)}`;
    case 'plan':
      return t`Open the plan ${target.plan}`;
    case 'task':
      return t`Open the backlog with ${sanitizeLabel(target.task)}`;
    case 'approval':
      return t('Open the question in the Inbox');
    case 'session':
      return t('Open the session');
  }
}

async function follow(target: LinkTarget, plan: string, file: vscode.Uri | undefined): Promise<void> {
  const { executeCommand } = vscode.commands;
  switch (target.kind) {
    case 'file': {
      if (file === undefined) return;
      const line = Math.max(0, (target.line ?? 1) - 1);
      const at = new vscode.Position(line, Math.max(0, (target.column ?? 1) - 1));
      await vscode.window.showTextDocument(file, { selection: new vscode.Range(at, at), preview: true });
      return;
    }
    case 'plan':
      await executeCommand('ravel.openPlan', target.plan);
      return;
    case 'task':
      await executeCommand('ravel.openPlan', plan);
      return;
    case 'approval':
      await executeCommand('ravel.openApproval', target.approval);
      return;
    case 'session':
      await executeCommand('ravel.openSession', target.session, plan);
      return;
  }
}
