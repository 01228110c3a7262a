import { basename, dirname, join } from 'node:path';
import type { CorePort, CoreRole } from '../../src/access/ports.ts';
import { systemClock } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Interrupt, Ports, SecretsPort } from '../../src/cli/ports.ts';
import { failure } from '../../src/model/codes.ts';
import type { Api } from '../../src/model/protocol.ts';
import type { SecretRow } from '../../src/model/secretState.ts';
import { freshSocketPath } from '../server/socket.ts';
import { createFakeApi, type FakeApi, type FakeHandlers } from '../support/fakeApi.ts';

export interface FakePorts extends Ports {
  /** What was written, in order. */
  readonly written: { stdout: string; stderr: string };
  /** What the core's side was asked for. */
  readonly asked: string[];
  /** What the person was asked at the terminal. */
  readonly questions: string[];
  readonly api: FakeApi;
  interrupt(signal: Interrupt): void;
  /** Resolves once standard output holds `text`. */
  printed(text: string): Promise<void>;
}

export interface FakeOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTty?: boolean;
  /** Of the terminal; 80 without it. */
  readonly columns?: number;
  readonly stdin?: string;
  /** What a person types, line by line. */
  readonly answers?: readonly string[];
  readonly core?: Partial<CorePort>;
  /** What the person does to the files in their editor; without it no editor is named. */
  /** Takes a text as a pager does; without it there is none. */
  readonly pages?: (text: string) => boolean;
  /** What went wrong with a notification; without it there is no way to send one. */
  readonly notified?: readonly string[];
  /** What `ravel secrets list` finds. */
  readonly secrets?: readonly SecretRow[];
  readonly edit?: (files: readonly string[]) => Promise<number>;
}

/** The outside world of the command line with a core that a test answers for. */
export async function createFakePorts(handlers: FakeHandlers, options: FakeOptions = {}): Promise<FakePorts> {
  const { isTty = false, columns = 80, stdin = '', environment = {} } = options;
  const api = createFakeApi(handlers);
  const written = { stdout: '', stderr: '' };
  const asked: string[] = [];
  const questions: string[] = [];
  const answers = [...(options.answers ?? [])];
  const listeners = new Set<(signal: Interrupt) => void>();
  const looks = new Set<() => void>();
  const socketPath = await freshSocketPath();
  const output = (name: keyof typeof written) => ({
    isTty,
    columns,
    write: (text: string) => {
      written[name] += text;
      for (const look of [...looks]) look();
    },
  });
  return {
    written,
    asked,
    questions,
    api,
    environment,
    workingDirectory: '/here',
    temporaryDirectory: '/tmp',
    packageRoot: '/package',
    version: '1.2.3',
    nodeVersion: '20.19.0',
    stdin: {
      isTty,
      readAll: async () => stdin,
      async ask(question) {
        questions.push(question);
        return answers.shift();
      },
      askHidden: async (prompt) => {
        written.stderr += prompt;
        return answers.shift();
      },
    },
    stdout: output('stdout'),
    stderr: output('stderr'),
    clock: systemClock,
    disk: nodeDisk,
    log: silentLogger,
    sendTestNotification: async () => options.notified,
    secrets: fakeSecrets(options.secrets ?? [], asked),
    core: {
      findVault: async (flag) => flag ?? '/vault',
      findOwner: async () => undefined,
      open: async (vault, role) => openFake(api, { vault, role, socketPath, asked }),
      sessionAround: async () => undefined,
      identify: async () => ({ kind: 'other' }),
      createVault: async (root, name) => {
        asked.push(`create ${root} as ${name}`);
      },
      git: async () => '',
      staleRehearsals: async () => [],
      removeStaleRehearsals: async () => [],
      prepareRehearsal: async () => Promise.reject(new Error('nothing is copied here')),
      ...options.core,
    },
    onInterrupt(listener) {
      listeners.add(listener);
      return toDisposable(() => listeners.delete(listener));
    },
    async runEditor(files, editor) {
      const by = editor === undefined ? '' : ` with ${editor}`;
      asked.push(`edit ${files.map((file) => basename(file)).join(' ')}${by}`);
      if (options.edit === undefined) throw failure('cli/noEditor', 'EDITOR', 'no editor');
      return options.edit(files);
    },
    async runPager(text) {
      asked.push(`page ${text.split('\n').length - 1} lines`);
      return options.pages?.(text) ?? false;
    },
    interrupt(signal) {
      for (const listener of [...listeners]) listener(signal);
    },
    printed(text) {
      return new Promise((resolve) => {
        const look = () => {
          if (!written.stdout.includes(text)) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      });
    },
  };
}

function fakeSecrets(rows: readonly SecretRow[], asked: string[]): SecretsPort {
  const find = (name: string) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw failure('secrets/unknown', name, `no ${name}`);
    return row;
  };
  return {
    list: async () => rows,
    where: async (name) => find(name),
    async set({ name, value, store }) {
      asked.push(`keep ${value.length} characters as ${name}${store === undefined ? '' : ` in ${store}`}`);
      return find(name);
    },
    async remove(name) {
      asked.push(`remove ${name}`);
      return find(name);
    },
  };
}

interface Opening {
  readonly vault: string;
  readonly role: CoreRole;
  readonly socketPath: string;
  readonly asked: string[];
}

function openFake(api: Api, { vault, role, socketPath, asked }: Opening) {
  asked.push(`open ${vault} as ${role}`);
  return {
    api,
    socketPath,
    sessionSocketPath: join(dirname(socketPath), 'tools', 's'),
    stop: async () => {
      asked.push('stop');
    },
  };
}

/** Lines of a `--json` output. */
export function jsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
