// Comes first: tables of texts are made while their modules load.
import './ui/loadTexts.ts';
import { randomBytes } from 'node:crypto';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { createDeferred } from './base/async.ts';
import { systemClock } from './base/clock.ts';
import { disposeAll } from './base/disposable.ts';
import { isRavelError } from './base/errors.ts';
import type { LibraryOptions, OpenOptions } from './library.ts';
import { failure } from './model/codes.ts';
import { protocolVersion } from './model/protocolVersion.ts';
import { ApiKey } from './ui/apiKey.ts';
import { createWindowNews } from './ui/news/newsPart.ts';
import { Observable } from './ui/observable.ts';
import { registerParts } from './ui/parts.ts';
import { editorPrompter } from './ui/prompter.ts';
import { RecentPlans } from './ui/recentPlans.ts';
import { ShownPages } from './ui/runner/shownPages.ts';
import { settingOverrides } from './ui/settings.ts';
import type { Machine, UiContext } from './ui/uiContext.ts';
import { type OpenedVault, type OpenVault, type VaultCloseReason, VaultLink } from './ui/vaultLink.ts';
import { VaultModel } from './ui/vaultModel.ts';
import { rememberVault } from './ui/vaults.ts';
import { type DaemonSetting, openModeOf, readingApi } from './ui/windowRole.ts';

/** What a test, or another extension, gets of this one. */
export interface RavelExtension {
  readonly ui: UiContext;
}

let closing: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): RavelExtension {
  const log = vscode.window.createOutputChannel('Ravel', { log: true });
  const onError = (error: unknown) => log.error(describeError(error));
  log.info(`Ravel ${String(context.extension.packageJSON.version)}`);
  const link = new Observable<VaultLink | undefined>(undefined, onError);
  const environment: Record<string, string | undefined> = { ...process.env };
  const apiKey = new ApiKey(context.secrets, environment, onError);
  const opener: OpenVault = async (vault, { mayOwn }) => {
    await apiKey.load();
    return openHere(vault, { log, environment, mayOwn, backgroundAfter: viewsReady(model) });
  };
  const model = new VaultModel({ link, clock: systemClock, onError });
  const show = async (vault: string | undefined) => {
    const before = link.value;
    const options = { open: opener, clock: systemClock, random, onError };
    const next = vault === undefined ? undefined : new VaultLink({ vault, ...options });
    link.set(next);
    next?.onDidChangeState((state) => log.info(`${next.vault}: ${state.kind}`));
    await before?.stop();
    await next?.connect();
  };
  const machine = createMachine({ log, environment });
  const shownPages = new ShownPages();
  const prompter = editorPrompter;
  const news = createWindowNews({ link, clock: systemClock, onError, context, machine, shownPages, prompter });
  const ui: UiContext = {
    link,
    model,
    async open(vault) {
      await rememberVault({ context }, vault);
      await show(vault);
    },
    show,
    requireTrust,
    context,
    log,
    onError,
    clock: systemClock,
    prompter,
    recentPlans: new RecentPlans(),
    news,
    shownPages,
    machine,
    apiKey,
    connectTerminal: async (socketPath) => (await import('./terminals/terminalClient.ts')).connectTerminal(socketPath),
  };
  // The log goes last: the parts that are disposed before it can still write to it.
  context.subscriptions.push(disposeAll([log, apiKey, link, model, news, registerParts(ui)]));
  closing = async () => link.value?.stop();
  return { ui };
}

export async function deactivate(): Promise<void> {
  await closing?.();
}

/** What is expected is told by its code and its words, all else with where it happened. */
function describeError(error: unknown): string {
  if (isRavelError(error) && error.code !== 'base/internal') return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw failure(
    'ui/untrusted',
    'workspace',
    t('This window is in Restricted Mode, in which Ravel only reads and runs nothing.'),
  );
}

/**
 * Opens a vault for this window: as its owner, or as a client of who owns it. In a workspace that is not trusted nothing
 * may run, so the vault is only looked at. The core is loaded here, at the first vault, and not with the extension.
 */
async function openHere(
  vault: string,
  { mayOwn, ...options }: Pick<OpenOptions, 'environment' | 'log' | 'backgroundAfter'> & { readonly mayOwn: boolean },
): Promise<OpenedVault> {
  const { tryOpenVault } = await import('./library.ts');
  const { isTrusted } = vscode.workspace;
  const configuration = vscode.workspace.getConfiguration('ravel', vscode.workspace.workspaceFolders?.[0]?.uri);
  const daemon = configuration.get<DaemonSetting>('daemon') ?? 'inWindow';
  const opened = await tryOpenVault({
    ...options,
    vault,
    mode: openModeOf({ isTrusted, daemon, mayOwn }),
    overrides: settingOverrides((name) => configuration.get(name)),
    drainMs,
    // The list of problems does, unless the person switched that off.
    verifiesItself: true,
    // This window shows the same in its notices and its inbox.
    isWatched: () => vscode.window.state.focused,
  });
  const { api, role, onDidClose, onDidDrop, shutdown } = opened;
  const base = {
    api,
    onDidDrop,
    onDidClose(listener: (reason: VaultCloseReason) => void) {
      onDidClose(() => listener('gone'));
      void shutdown.then(() => listener('dismissed'));
    },
    stop: () => opened.stop(),
  };
  switch (role) {
    case 'owner':
      return { ...base, state: { kind: 'owner' } };
    case 'local':
      return { ...base, api: readingApi(api), state: { kind: 'readOnly' } };
    case 'client': {
      const { pid } = await api.request('hello', { protocol: protocolVersion });
      return { ...base, state: { kind: 'client', pid, external: daemon === 'external' } };
    }
  }
}

/**
 * When the views have what they show, or cannot have it soon. What watches a large vault reads all its folders, and would
 * make the first tree wait.
 */
async function viewsReady(model: VaultModel): Promise<void> {
  const ready = createDeferred<void>();
  const waiting = model.onDidChange(() => {
    if (model.stage === 'ready') ready.resolve();
  });
  const timer = systemClock.schedule(viewsReadyMs, () => ready.resolve());
  if (model.stage === 'ready') ready.resolve();
  await ready.promise;
  waiting.dispose();
  timer.dispose();
}

/** How long the background work of an owner waits for the views at most, in milliseconds. */
const viewsReadyMs = 15_000;

/** The editor gives all extensions five seconds together; what is not drained by then is durable, and finished later. */
const drainMs = 1_000;

/** So that windows which lost the same owner do not all try at once. */
function random(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}

function createMachine(options: LibraryOptions): Machine {
  const load = () => import('./library.ts');
  return {
    makeVault: async (root, name) => (await load()).makeVault({ root, name, ...options }),
    makeDemo: async (folder) => (await load()).makeDemo({ folder, ...options }),
    removeDemos: async (folder) => (await load()).removeDemos({ folder, ...options }),
    rehearse: async (request) => (await load()).rehearsePlan({ ...request, ...options }),
    commandLine: async () => (await load()).commandLine(),
    vaultsOf: async (folders, known) => (await load()).vaultsOf({ folders, known, ...options }),
    lastVisit: async (vault) => (await load()).lastVisitOf({ vault, ...options }),
    startNeeds: async () => {
      const overrides = settingOverrides((name) => vscode.workspace.getConfiguration('ravel').get(name));
      return (await load()).startNeeds({ ...options, overrides });
    },
    quietHours: async () => (await load()).quietHoursOf(options),
    realPath: async (path) => (await load()).createPorts().disk.realPath(path),
    home: options.environment?.['HOME'] ?? options.environment?.['USERPROFILE'],
  };
}
