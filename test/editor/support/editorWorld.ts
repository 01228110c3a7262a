import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, inject, onTestFailed } from 'vitest';
import { fillDemoPlan, loadDemoPlan } from '../../../src/access/demoVault.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { openCore } from '../../support/openCore.ts';
import { makeWorldIn, type World, type WorldOptions } from '../../support/world.ts';
import { type EditorHost, type HostOptions, startEditorHost, useSharedHost } from './editorHost.ts';
import { EditorPage, startBrowser } from './editorPage.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface EditorWorldOptions {
  /**
   * What is in the world beside an empty vault: the project of `ravel demo` with its plan and its demo (unless told),
   * or a world of the test's own. `none` leaves the folder empty, without a vault.
   */
  readonly content?: 'demo' | 'none' | WorldOptions;
  /** Settings of the person, beside those of every test. */
  readonly settings?: HostOptions['settings'];
  /** A host of its own, for what the shared one cannot be. */
  readonly host?: Omit<HostOptions, 'settings'>;
  /** A host of another world, which stops it. */
  readonly on?: EditorHost;
  /** Size of the first window. */
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * One editor for a file of tests: a world in a folder and a browser, made before its first test and gone after its last,
 * and a host that goes on for the next file, unless the file wants one of its own. Call it once at the top of the file:
 *
 * ```ts
 * const editor = useEditorWorld();
 *
 * test('a plan shows its phase', async () => {
 *   const window = await editor.window();
 *   await window.activity('Ravel');
 *   await window.expand(window.treeItem(/^Project duration/));
 * });
 * ```
 *
 * `window()` is the same for all tests of the file, so each may begin where the one before ended; `anotherWindow()` is a
 * further page on the same vault. A test that fails leaves `test-results/failed-*.png` and prints the extension's log.
 */
export function useEditorWorld(options: EditorWorldOptions = {}): EditorWorld {
  const editor = new EditorWorld();
  beforeAll(() => editor.start(options));
  afterAll(() => editor.stop());
  beforeEach(({ task }) => onTestFailed(() => editor.report(task.name)));
  return editor;
}

export class EditorWorld {
  #directory: string | undefined;
  #world: World | undefined;
  #host: EditorHost | undefined;
  #browser: Browser | undefined;
  #folder = '';
  #size: EditorWorldOptions['size'];
  readonly #windows: EditorPage[] = [];

  async start({ content = 'demo', host, on, settings = {}, size }: EditorWorldOptions): Promise<void> {
    this.#directory = await realpath(await mkdtemp(join(tmpdir(), 'ravel-window-')));
    this.#size = size;
    [this.#host, this.#browser] = await Promise.all([
      host === undefined ? useSharedHost(on ?? (await sharedHost()), settings) : startEditorHost({ ...host, settings }),
      startBrowser(),
      this.#fill(this.#directory, content),
    ]);
  }

  async #fill(directory: string, content: Exclude<EditorWorldOptions['content'], undefined>): Promise<void> {
    if (content === 'none') {
      this.#folder = join(directory, 'folder');
      await mkdir(this.#folder);
    } else {
      this.#world = content === 'demo' ? await makeDemoWorld(directory) : await makeWorldIn(directory, content);
      this.#folder = this.#world.vault;
    }
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.#host?.stop();
    if (this.#directory !== undefined) await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Vault, project and plan; there is none if the content is `none`. */
  get world(): World {
    return present(this.#world);
  }

  get host(): EditorHost {
    return present(this.#host);
  }

  get browser(): Browser {
    return present(this.#browser);
  }

  /** The folder that windows open: the vault. */
  get folder(): string {
    return this.#folder;
  }

  /** The window of this file; opened when it is first asked for, and again after it was closed. */
  async window(): Promise<EditorPage> {
    const open = this.#windows.find(({ page }) => !page.isClosed());
    return open ?? this.newWindow();
  }

  /** A window in a browser profile of its own, as on another machine. */
  async newWindow(folder = this.#folder): Promise<EditorPage> {
    const window = await EditorPage.open(this.browser, { host: this.host, folder, ...this.#size });
    this.#windows.push(window);
    return window;
  }

  /** A further window of the same person on the same folder. */
  async anotherWindow(folder = this.#folder): Promise<EditorPage> {
    const window = await (await this.window()).another(folder);
    this.#windows.push(window);
    return window;
  }

  /** Leaves what a reader needs to see why a test failed. */
  async report(test: string): Promise<void> {
    const name = `failed-${test.replaceAll(/\W+/g, '-').slice(0, 60)}`;
    for (const [n, window] of this.#windows.entries()) {
      if (!window.page.isClosed()) await window.screenshot(n === 0 ? name : `${name}-${n + 1}`);
    }
    console.log((await this.#host?.extensionLog())?.slice(-20_000) ?? 'The host did not start.');
  }
}

async function sharedHost(): Promise<Pick<EditorHost, 'address' | 'home' | 'pid'>> {
  const answer = await fetch(`${inject('sharedHosts')}/${process.env['VITEST_POOL_ID']}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as EditorHost;
}

/** The project of `ravel demo` with its plan, in a vault whose harness plays the demo's scenario. */
async function makeDemoWorld(directory: string): Promise<World> {
  const scenario = join(root, 'demo', 'scenario.yaml');
  const given = await loadDemoPlan({ disk: nodeDisk, packageRoot: root });
  const world = await makeWorldIn(directory, {
    name: 'duration',
    files: await readFiles(join(root, 'demo', 'project')),
    settings: [
      '[run]\nharness = "scripted"',
      `[harnesses.scripted]\nscenario = ${JSON.stringify(scenario)}`,
      `[dream]\nheadroom-words = ${given['headroom-words']}\n`,
    ].join('\n'),
  });
  const core = await openCore(world, { role: 'local' });
  await fillDemoPlan(core.api, toQualifiedId(world.plan), given);
  await core.stop();
  await writeFile(world.scenario, await readFile(scenario));
  return world;
}

async function readFiles(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map(async (file) => [file.slice(directory.length + 1), await readFile(file, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The editor is there only while the tests of its file run.');
  return value;
}
