import { spawn } from 'node:child_process';
import { lstat, lutimes, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { walkFiles } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { findSessionFolders, isRemovable, removeSessionFolders } from '../../src/housekeeping/sessionFolders.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk } from '../support/tracingDisk.ts';

const dayMs = 86_400_000;
const nowMs = Date.parse('2026-06-01T00:00:00Z');
const processes = createProcesses(nodeDisk);

/** A ULID that ends in these letters. */
const id = (end: string) => end.padStart(26, '0');

class Runtime {
  readonly layout: VaultLayout;
  readonly #made = new Map<string, number>();

  constructor(root: string) {
    this.layout = new VaultLayout(root);
  }

  /** Writes a file below `runtime/` that was last changed `days` days ago. */
  async write(path: string, text: string | Buffer, days = 40): Promise<this> {
    const file = join(this.layout.runtime, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    this.#made.set(file, nowMs - days * dayMs);
    for (let at = dirname(file); at !== this.layout.runtime; at = dirname(at)) {
      this.#made.set(at, Math.max(this.#made.get(at) ?? 0, nowMs - days * dayMs));
    }
    for (const [made, changedMs] of this.#made) await utimes(made, changedMs / 1000, changedMs / 1000);
    return this;
  }

  ports(retention: { readonly days?: number; readonly mib?: number } = {}) {
    const settings = { ...defaultSettings, retention: { ...defaultSettings.retention, ...retention } };
    return { disk: nodeDisk, layout: this.layout, clock: new ManualClock(nowMs), processes, settings };
  }

  /** Checks the stale files, each as `path: fate`. */
  async check(expected: readonly string[], retention: { readonly days?: number; readonly mib?: number } = {}) {
    const found = await findSessionFolders(this.ports(retention));
    expect(found.map(({ path, fate }) => `${path}: ${fate}`)).toEqual(expected);
  }
}

async function makeRuntime(): Promise<Runtime> {
  return new Runtime(await makeTemporaryDirectory());
}

test('a vault that never ran anything has no old files', async () => (await makeRuntime()).check([]));

test('files are old after the configured number of days, and are listed oldest first', async () => {
  const runtime = await makeRuntime();
  await runtime.write(`sessions/${id('A')}/transcript.jsonl`, 'x', 31);
  await runtime.write(`staging/p/work-${id('B')}/backlog.yaml`, 'x', 33);
  await runtime.write(`interrupted/p/work-${id('C')}/deep/memory.yaml`, 'x', 32);
  await runtime.write(`sessions/${id('D')}/spool`, 'x', 29);
  const fates = (fate: string) => [
    `staging/p/work-${id('B')}: ${fate}`,
    `interrupted/p/work-${id('C')}: ${fate}`,
    `sessions/${id('A')}: ${fate}`,
  ];
  await runtime.check([...fates('old'), `sessions/${id('D')}: young`]);
  await runtime.check([...fates('young'), `sessions/${id('D')}: young`], { days: 100 });
});

test('one recently written file keeps its whole folder', async () => {
  const runtime = await makeRuntime();
  await runtime.write(`sessions/${id('A')}/prompt.md`, 'x', 90);
  await runtime.write(`sessions/${id('A')}/staged/spool`, 'x', 1);
  await runtime.check([`sessions/${id('A')}: young`]);
});

describe('a file of any age is needed by', () => {
  test.each<[string, string, string]>([
    ['a running phase', 'plans/p.yaml', `running:\n  session: ${id('A')}\n`],
    ['a waiting phase', 'plans/p.yaml', `waiting:\n  session: ${id('A')}\n`],
    ['an interrupted phase', 'plans/p.yaml', `interrupted:\n  session: ${id('A')}\n`],
    ['a work session that is analysed next', 'plans/p.yaml', `workSession: ${id('A')}\n`],
    ['a damaged run state', 'plans/p.yaml', `running: [${id('A')}\n\u0000`],
    ['an open approval', `approvals/${id('Q')}.yaml`, `session: ${id('A')}\n`],
    ['a grant', 'grants/p.jsonl', `{"session":"${id('A')}"}\n`],
    ['a question without an answer', `questions/p/${id('Q')}.json`, `{"session":"${id('A')}"}\n`],
    ['a message that is being sent', `sending/${id('Q')}.json`, `{"session":"${id('A')}"}\n`],
    ['a message whose receiver is looked for', `routing/${id('Q')}.json`, `{"session":"${id('A')}"}\n`],
  ])('%s', async (_name, file, text) => {
    const runtime = await makeRuntime();
    await runtime.write(`sessions/${id('A')}/spool`, 'x');
    await runtime.write(`staging/p/work-${id('A')}/backlog.yaml`, 'x', 39);
    await runtime.write(file, text);
    await runtime.check([`sessions/${id('A')}: needed`, `staging/p/work-${id('A')}: needed`]);
    await runtime.check([`sessions/${id('A')}: needed`, `staging/p/work-${id('A')}: needed`], { mib: 0.000001 });
  });

  test('a live session', async () => {
    const child = spawn('sleep', ['60'], { detached: true });
    onTestFinished(() => void child.kill('SIGKILL'));
    const identity = await processes.identify(child.pid ?? 0);
    const runtime = await makeRuntime();
    const limits = { timeMs: 1, outputBytes: 1, costUsd: 1, orphanMs: 1, orphanAfterStopMs: 1 };
    const record = { state: 'running', session: id('A'), plan: 'p', phase: 'work', harness: 'scripted', limits };
    const host = { ...record, startedAt: '2026-01-01T00:00:00.000Z', ...identity };
    await runtime.write(`sessions/${id('A')}/host.json`, JSON.stringify(host));
    await runtime.check([`sessions/${id('A')}: needed`]);
    await runtime.write(`sessions/${id('A')}/exit`, '0\n');
    await runtime.check([`sessions/${id('A')}: old`]);
  });
});

test('above the size limit the oldest files are surplus, except those of the last hour', async () => {
  const runtime = await makeRuntime();
  const half = Buffer.alloc(512 * 1024);
  await runtime.write(`sessions/${id('A')}/spool`, half, 9);
  await runtime.write(`sessions/${id('B')}/spool`, half, 8);
  await runtime.write(`sessions/${id('C')}/spool`, half, 7);
  await runtime.write(`sessions/${id('D')}/spool`, half, 0.01);
  const fates = (...of: string[]) => of.map((fate, n) => `sessions/${id('ABCD'[n] ?? '')}: ${fate}`);
  await runtime.check(fates('young', 'young', 'young', 'young'), { mib: 2 });
  await runtime.check(fates('surplus', 'surplus', 'young', 'young'), { mib: 1 });
  await runtime.check(fates('surplus', 'surplus', 'surplus', 'young'), { mib: 0.1 });
  await runtime.write('plans/p.yaml', `running:\n  session: ${id('A')}\n`, 0);
  await runtime.check(fates('needed', 'surplus', 'surplus', 'young'), { mib: 1 });
});

test('removal takes only what can go and does not follow links', async () => {
  const runtime = await makeRuntime();
  await runtime.write(`sessions/${id('A')}/spool`, 'x');
  await runtime.write(`sessions/${id('B')}/spool`, 'x', 1);
  await runtime.write('plans/p.yaml', 'cycle: 1\n');
  await runtime.write('elsewhere/file', 'x');
  const link = join(runtime.layout.runtime, `sessions/${id('A')}/link`);
  await symlink(join(runtime.layout.runtime, 'elsewhere'), link);
  await lutimes(link, 1, 1);
  await utimes(dirname(link), 1, 1);
  const ports = runtime.ports();
  await removeSessionFolders(ports, (await findSessionFolders(ports)).filter(isRemovable));
  expect(await walkFiles(nodeDisk, runtime.layout.runtime)).toEqual([
    'elsewhere/file',
    'plans/p.yaml',
    `sessions/${id('B')}/spool`,
  ]);
  await expect(lstat(dirname(link))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a file that cannot be removed stays, with the reason, and the next ones are removed', async () => {
  const runtime = await makeRuntime();
  for (const [end, days] of [
    ['A', 60],
    ['B', 50],
    ['C', 40],
  ] as const)
    await runtime.write(`sessions/${id(end)}/spool`, 'x', days);
  const matches = (name: string, path: string) => name === 'unlink' && path.includes(id('B'));
  const disk = failingDisk(nodeDisk, { code: 'EPERM', at: 1, forEver: true, matches });
  const going = (await findSessionFolders(runtime.ports())).filter(isRemovable);
  expect(await removeSessionFolders({ disk, layout: runtime.layout }, going)).toEqual([
    { path: `sessions/${id('B')}`, reason: expect.stringContaining('No permission') },
  ]);
  await runtime.check([`sessions/${id('B')}: old`]);
});

test('an unreadable folder is listed all the same, and so is everything after it', async () => {
  const runtime = await makeRuntime();
  await runtime.write(`sessions/${id('A')}/closed/spool`, 'x', 60);
  await runtime.write(`sessions/${id('B')}/spool`, 'x', 50);
  const matches = (name: string, path: string) => name === 'readDirectory' && path.endsWith('closed');
  const disk = failingDisk(nodeDisk, { code: 'EACCES', at: 1, forEver: true, matches });
  const found = await findSessionFolders({ ...runtime.ports(), disk });
  expect(found.map(({ path }) => path)).toEqual([`sessions/${id('A')}`, `sessions/${id('B')}`]);
});

test('a run state that is not UTF-8 still keeps the files that it names', async () => {
  const runtime = await makeRuntime();
  await runtime.write(`sessions/${id('A')}/spool`, 'x', 60);
  await runtime.write('plans/p.yaml', Buffer.from(`# caf\u{e9}\nsession: ${id('A')}\n`, 'latin1'));
  await runtime.check([`sessions/${id('A')}: needed`]);
});

test('the session that once added a task is not needed for that', async () => {
  const runtime = await makeRuntime();
  await runtime.write(`sessions/${id('A')}/spool`, 'x', 60);
  await runtime.write('plans/p.origins.jsonl', `{"by":"session","session":"${id('A')}","added":{"tasks":["t"]}}\n`);
  await runtime.check([`sessions/${id('A')}: old`]);
});

test('what is not recognised never goes, however old it is and however much there is', async () => {
  const runtime = await makeRuntime();
  await runtime.write('sessions/my notes/a.md', 'x', 90);
  await runtime.write(`sessions/${id('A')}/host.json`, '{"state":"of a later version"}', 80);
  await runtime.write(`staging/p/kept/${id('B')}`, 'x', 70);
  await runtime.write(`interrupted/p/unattributed-${id('C')}/memory.yaml`, 'x', 60);
  const rest = [
    `sessions/${id('A')}: unrecognised`,
    'staging/p/kept: unrecognised',
    `interrupted/p/unattributed-${id('C')}: old`,
  ];
  await runtime.check(['sessions/my notes: unrecognised', ...rest]);
  await runtime.check(['sessions/my notes: unrecognised', ...rest], { mib: 0.000001 });
});
