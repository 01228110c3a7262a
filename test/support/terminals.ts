import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { TerminalLauncher } from '../../src/harness/terminalLauncher.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { settingsSchema } from '../../src/model/settings.ts';
import type { TerminalClient, TerminalExit, TerminalInfo } from '../../src/model/terminal.ts';
import { connectTerminal } from '../../src/terminals/terminalClient.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

const entryFile = resolve(import.meta.dirname, '../../dist/ravel.mjs');

export interface TerminalWorld {
  readonly root: string;
  readonly launcher: TerminalLauncher;
  /** A shell of its own: `script` is what it runs. It is ended when the test is finished. */
  start(script: string): Promise<TerminalInfo>;
}

/** A place with terminals of the built command line, and no owner of the vault. Call it inside a test. */
export async function makeTerminalWorld(
  options: { readonly settings?: object; readonly directory?: string; readonly entryFile?: string } = {},
): Promise<TerminalWorld> {
  const root = await makeTemporaryDirectory();
  const directory = join(root, options.directory ?? 'terminals');
  const shell = join(root, 'shell');
  const launcher = new TerminalLauncher({
    disk: nodeDisk,
    clock: systemClock,
    processes: createProcesses(nodeDisk),
    environment: { PATH: process.env['PATH'], HOME: root, SHELL: shell, LC_ALL: 'C.UTF-8', VSCODE_IPC_HOOK: 'none' },
    settings: settingsSchema.parse(options.settings ?? {}),
    entry: { program: process.execPath, args: [options.entryFile ?? entryFile] },
    vault: root,
    directory,
    chooseSocketPath: (preferred) => preferred,
  });
  const newUlid = createUlids(systemClock);
  return {
    root,
    launcher,
    async start(script) {
      await mkdir(root, { recursive: true });
      await writeFile(shell, `#!/bin/bash\n${script}\n`);
      await chmod(shell, 0o755);
      const size = { columns: 80, rows: 24 };
      const terminal = newUlid() as Ulid;
      const plan = toQualifiedId('Demo/project-root');
      const info = await launcher.startShell({ terminal, plan, cwd: root, title: 'Shell', size });
      onTestFinished(() => launcher.close(info.terminal).then(() => undefined));
      return info;
    },
  };
}

/** What a client was told, and how to wait for it. */
export interface Watched {
  readonly client: TerminalClient;
  readonly text: () => string;
  readonly next: () => number;
  /** Resolves once the text so far matches. */
  seen(pattern: RegExp | string): Promise<void>;
  readonly exit: Promise<TerminalExit>;
  readonly lost: Promise<void>;
}

/** Connects to a terminal and listens from `from`, or from the oldest that is kept. */
export async function watchTerminal(info: TerminalInfo, from?: number): Promise<Watched> {
  const client = await connectTerminal(info.socketPath);
  onTestFinished(() => client.dispose());
  const waiting = new Set<(shown?: string) => void>();
  const exit = createDeferred<TerminalExit>();
  const lost = createDeferred<void>();
  let text = '';
  // To look through all of a flood at each of its pieces would take for ever.
  let tail = '';
  let next = from ?? 0;
  client.onData((piece, upTo) => {
    text += piece;
    tail = (tail + piece).slice(-100_000);
    next = upTo;
    for (const look of [...waiting]) look();
  });
  client.onExit(exit.resolve);
  client.onLost(() => lost.resolve());
  client.attach(from);
  return {
    client,
    text: () => text,
    next: () => next,
    exit: exit.promise,
    lost: lost.promise,
    seen(pattern) {
      return new Promise((resolveSeen) => {
        const look = (shown = tail) => {
          if (typeof pattern === 'string' ? !shown.includes(pattern) : !pattern.test(shown)) return;
          waiting.delete(look);
          resolveSeen();
        };
        waiting.add(look);
        look(text);
      });
    },
  };
}

/** Whether a process lives, and is no zombie. */
export function isAlive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
