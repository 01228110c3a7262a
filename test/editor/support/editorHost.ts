import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { emptyGallery, startHostProcess } from '../../../packaging/hostProcess.mjs';
import { hostParts, installHost } from '../../../packaging/installHost.mjs';
import { locateNative } from '../../../packaging/natives.mjs';
import { stageExtension, stageTerminals } from '../../../packaging/stage.mjs';
import { newsSettings } from '../../../src/ui/news/newsText.ts';
import { editorThemes } from './themes.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface HostOptions {
  /** Whether the editor's smoke-test driver is on: it runs suites inside the host, and shows no toasts and no dialogs. */
  readonly underTest?: boolean;
  /** Without it every folder is trusted. */
  readonly workspaceTrust?: boolean;
  /** The built one (unless told), none, or a package to install by its path. */
  readonly extension?: 'installed' | 'none' | { readonly package: string };
  /** Without the extensions of the editor that no test on a shared host uses, and that every window would load. */
  readonly fewExtensions?: boolean;
  /** Other extensions that do nothing but be there, by their ids. */
  readonly others?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface EditorHost {
  /** As `http://127.0.0.1:PORT`. */
  readonly address: string;
  /** The person's home there; everything that the host writes lies in it. */
  readonly home: string;
  readonly pid: number;
  /** What the extension logged so far, in all windows of this user. */
  extensionLog(): Promise<string>;
  /** Process ids of the extension hosts, one for each window of this user; SIGKILL to one of them is a crash. */
  extensionHosts(): Promise<number[]>;
  /** Ends the server and all it started, and removes its home; of a shared host, the windows of this user. */
  stop(): Promise<void>;
}

/** Starts a VS Code whose extension host runs here and whose window is a page; with an environment of its own. */
export async function startEditorHost(options: HostOptions = {}): Promise<EditorHost> {
  installHost();
  const home = await mkdtemp(join(tmpdir(), 'ravel-editor-'));
  const userData = join(home, 'user-data');
  const extensions = join(home, 'extensions');
  await mkdir(join(userData, 'User'), { recursive: true });
  await mkdir(join(userData, 'logs'));
  await mkdir(extensions, { recursive: true });
  await writeSettings(home, options.settings);
  const folders = ['--user-data-dir', userData, '--extensions-dir', extensions];
  const { extension = 'installed' } = options;
  if (extension === 'installed') await installExtension(extensions);
  else if (extension !== 'none') await installPackage(extension.package, folders, hostEnvironment(home));
  for (const id of options.others ?? []) await pretendExtension(extensions, id);
  await installThemeKeys(extensions);
  const server = await startHostProcess({
    ...{ userData, extensions },
    args: [
      ...(options.fewExtensions ? ['--builtin-extensions-dir', await linkUsedExtensions(home)] : []),
      // In seconds: so long an extension host lives on after its window was closed or loaded again.
      ...['--reconnection-grace-time', '3'],
      ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
      // Between two programs of one machine it costs more than it saves.
      ...['--vscode-option', 'disable-websocket-compression'],
      ...(options.underTest ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    ],
    env: { ...hostEnvironment(home), ...options.environment },
  });
  const { address, pid } = server;
  return {
    ...{ address, home, pid },
    extensionLog: async () => readLogs(await logsIn(home)),
    extensionHosts: () => extensionHostsOf(pid),
    async stop() {
      await server.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * The host that this worker shares with the files before and after, for a file that needs no other one. It has the given
 * settings, and knows of its windows only those that open from now on.
 */
export async function useSharedHost(
  started: Pick<EditorHost, 'address' | 'home' | 'pid'>,
  settings: HostOptions['settings'],
): Promise<EditorHost> {
  const { home, pid } = started;
  await writeSettings(home, settings);
  await rm(join(home, 'user-data', 'User', 'keybindings.json'), { force: true });
  const earlier = { hosts: new Set(await extensionHostsOf(pid)), logs: new Set(await logsIn(home)) };
  const ours = async () => (await extensionHostsOf(pid)).filter((one) => !earlier.hosts.has(one));
  return {
    ...started,
    extensionLog: async () => readLogs((await logsIn(home)).filter((log) => !earlier.logs.has(log))),
    extensionHosts: ours,
    async stop() {
      // Otherwise they live on for a while and write into a vault that is being removed.
      for (const host of await ours()) endProcess(host);
    },
  };
}

/** The settings of the person: quiet ones, and what a test wants of its own. */
async function writeSettings(home: string, settings: HostOptions['settings']): Promise<void> {
  await writeFile(join(home, 'user-data', 'User', 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }));
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const themeCommand = 'ravelTests.setTheme';

/** Nothing that moves, asks or fetches of its own accord. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  // They would come over what a test clicks.
  ...Object.fromEntries(newsSettings.map((name) => [`ravel.notifications.${name}`, false])),
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.commandCenter.enabled': false,
  // The theme is what a test says, and not what the machine prefers.
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
  'workbench.colorTheme': editorThemes.dark.setting,
  // Its key works while a terminal has the keyboard.
  'terminal.integrated.commandsToSkipShell': [themeCommand],
  'security.workspace.trust.banner': 'never',
  // Nothing of ours is in the editor's own chat, which takes a sixth of the time of a window.
  'chat.disableAIFeatures': true,
  // A click on the icon of a container that a reloaded window is just showing does not hide it.
  'workbench.activityBar.iconClickBehavior': 'focus',
  // A terminal or a page that takes the keyboard when it has loaded closes no question.
  'workbench.quickOpen.closeOnFocusLost': false,
  // In a browser the editor saves by itself unless it is told not to.
  'files.autoSave': 'off',
};

/** Debuggers, accounts, language servers and searchers of tasks: half a second of each window, and no part of a test. */
const unusedExtensions = new Set([
  ...[
    'copilot',
    'debug-auto-launch',
    'debug-server-ready',
    'emmet',
    'github',
    'github-authentication',
    'grunt',
    'gulp',
  ],
  ...['jake', 'microsoft-authentication', 'ms-vscode.js-debug', 'ms-vscode.js-debug-companion'],
  ...['ms-vscode.vscode-js-profile-table', 'npm', 'php-language-features', 'tunnel-forwarding'],
  ...['css-language-features', 'html-language-features', 'typescript-language-features'],
]);

/** A folder with links to the editor's own extensions, but for those that no test uses. */
async function linkUsedExtensions(home: string): Promise<string> {
  const folder = join(home, 'builtin-extensions');
  await mkdir(folder);
  const own = await readdir(hostParts.extensions, { withFileTypes: true });
  for (const { name } of own.filter((entry) => entry.isDirectory() && !unusedExtensions.has(entry.name))) {
    await symlink(join(hostParts.extensions, name), join(folder, name));
  }
  return folder;
}

/** The built extension as an installed one lies in the editor's folder: what its package holds, and nothing else. */
async function installExtension(extensions: string): Promise<void> {
  const manifest: { publisher: string; name: string; version: string } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const directory = join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  await stageExtension(directory, { built: join(root, 'dist') });
  await stageTerminals(directory, await locateNative(`${process.platform}-${process.arch}`));
}

/** Puts an extension into the editor's folder, and gives its place there. Without a manifest of its own it does nothing. */
async function pretendExtension(extensions: string, id: string, own: Record<string, unknown> = {}): Promise<string> {
  const [publisher, name] = id.split('.');
  const directory = join(extensions, `${id}-1.0.0`);
  await mkdir(directory);
  const manifest = { publisher, name, version: '1.0.0', engines: { vscode: '^1.101.0' }, ...own };
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
  return directory;
}

/** An extension of the tests' own: a key for each theme. The pickers of the palette take four times as long. */
async function installThemeKeys(extensions: string): Promise<void> {
  const themes = Object.values(editorThemes);
  const directory = await pretendExtension(extensions, 'ravel-tests.themes', {
    main: 'main.cjs',
    activationEvents: [`onCommand:${themeCommand}`],
    capabilities: { untrustedWorkspaces: { supported: true } },
    contributes: { keybindings: themes.map(({ key, setting }) => ({ command: themeCommand, key, args: setting })) },
  });
  await writeFile(
    join(directory, 'main.cjs'),
    `const { commands, workspace } = require('vscode');
exports.activate = () => commands.registerCommand('${themeCommand}', (theme) =>
  workspace.getConfiguration('workbench').update('colorTheme', theme, true));
`,
  );
}

/** Installs a package by the editor's own command. */
async function installPackage(file: string, args: readonly string[], env: Record<string, string>): Promise<void> {
  await promisify(execFile)(hostParts.node, [hostParts.codeServer, ...args, '--install-extension', file], {
    env: { ...env, ...emptyGallery },
  });
}

/** The same for everyone who runs the tests: of their own environment only the path and the language. */
function hostEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    PATH: [dirname(hostParts.node), process.env['PATH'] ?? ''].join(':'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    USER: 'ravel',
    SHELL: '/bin/bash',
    TMPDIR: tmpdir(),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'Robin',
    GIT_AUTHOR_EMAIL: 'robin@example.org',
    GIT_COMMITTER_NAME: 'Robin',
    GIT_COMMITTER_EMAIL: 'robin@example.org',
  };
}

/** The files of the log channel of the extension, of each window that there was. */
async function logsIn(home: string): Promise<string[]> {
  const directory = join(home, 'user-data', 'logs');
  const names = await readdir(directory, { recursive: true });
  return names.filter((name) => name.endsWith('Ravel.log')).map((name) => join(directory, name));
}

async function readLogs(files: readonly string[]): Promise<string> {
  return (await Promise.all(files.toSorted().map((file) => readFile(file, 'utf8')))).join('');
}

/** Processes below this one that run extensions; each window has its own. */
async function extensionHostsOf(server: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const rows = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return args === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const below = new Set([server]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const { pid, parent } of rows) if (below.has(parent)) below.add(pid);
  }
  return rows.filter(({ pid, args }) => below.has(pid) && args.includes('--type=extensionHost')).map(({ pid }) => pid);
}
