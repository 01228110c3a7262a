import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { importPlan } from '../../src/imports/importPlan.ts';
import { backlogSchema } from '../../src/model/backlog.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import { createPlan } from '../../src/vault/planCreation.ts';
import { verifyVault } from '../../src/vault/verify.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { readYaml } from '../../src/yaml/yaml.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { diskChanges, failingDisk, traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder, type VaultFolder } from '../support/vaultFolder.ts';

const fixtures = fileURLToPath(new URL('../fixtures/plans', import.meta.url));

let vault: VaultFolder;
let root: string;
let source: string;

beforeEach(async () => {
  vault = await makeVaultFolder(['Demo']);
  root = join(vault.folder, 'Demo/ravel/project-root');
  source = join(vault.folder, 'Demo/LLM_STATE/core');
  cpSync(join(fixtures, 'yaml'), source, { recursive: true });
});

interface Given {
  readonly id?: string;
  readonly from?: string;
  readonly description?: string;
  readonly disk?: Disk;
  readonly dryRun?: boolean;
  readonly suffix?: string;
  readonly makeWay?: () => Promise<void>;
}

function run({ id = 'Demo/project-root/core', from = source, ...given }: Given = {}) {
  const defaults = { disk: nodeDisk, description: 'The core of the shop', dryRun: false, suffix: '0a1b' };
  // A person may type something that is not an id; that must be an error, too.
  return importPlan({ ...defaults, ...given, layout: vault.layout, source: from, id: id as QualifiedId });
}

/** The number of plans in the vault and the codes of its errors. */
async function verified(): Promise<{ plans: number; errors: string[] }> {
  const { plans, diagnostics } = await verifyVault(nodeDisk, vault.layout);
  return { plans, errors: diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code) };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(vault.folder, path)), { recursive: true });
  writeFileSync(join(vault.folder, path), text);
}

describe('importPlan', () => {
  test.each(['yaml', 'markdown', 'bare'])('makes a valid plan from a plan in %s', async (form) => {
    const report = await run({ from: join(fixtures, form) });
    expect(report).toMatchObject({ plan: 'Demo/project-root/core', dryRun: false });
    expect(report.tasks).toBeGreaterThan(1);
    expect(await verified()).toEqual({ plans: 2, errors: [] });
  });

  test('calls makeWay once, right before it creates a child plan', async () => {
    const made: boolean[] = [];
    const makeWay = async () => void made.push(existsSync(join(root, 'core')));
    await run({ makeWay, dryRun: true });
    await failureOf(() => run({ makeWay, from: join(fixtures, 'none') }));
    await run({ makeWay, id: 'Demo/project-root' });
    expect(made).toEqual([]);
    await run({ makeWay });
    await failureOf(() => run({ makeWay }));
    expect(made).toEqual([false]);
  });

  test('copies, and leaves the source folder unchanged', async () => {
    const before = listTree(source);
    await run();
    expect(listTree(source)).toEqual(before);
    for (const name of ['backlog.yaml', 'memory.yaml', 'session-log.yaml', 'latest-session.yaml', 'phase.md']) {
      expect(readFileSync(join(root, 'core', name))).toEqual(readFileSync(join(source, name)));
    }
  });

  test('reports every file it made', async () => {
    write('Demo/LLM_STATE/core/notes/deep/a.txt', 'a\n');
    const { files } = await run();
    const made = listTree(join(root, 'core')).filter((line) => !line.endsWith('/'));
    const paths = made.filter((line) => /^[\w./-]+: /.test(line)).map((line) => line.slice(0, line.indexOf(': ')));
    expect(files.map(({ path }) => path).sort()).toEqual(paths.sort());
  });

  test('keeps the permissions of a script', async () => {
    write('Demo/LLM_STATE/core/pre-work.sh', 'true\n');
    chmodSync(join(source, 'pre-work.sh'), 0o755);
    await run();
    expect(statSync(join(root, 'core/pre-work.sh')).mode & 0o777).toBe(0o755);
  });

  test('copies the target of a symlink', async () => {
    rmSync(join(source, 'memory.yaml'));
    write('Demo/LLM_STATE/core/kept/memory.yaml', 'entries: []\n');
    symlinkSync('kept/memory.yaml', join(source, 'memory.yaml'));
    await run();
    expect(listTree(join(root, 'core'))).toContain('memory.yaml: entries: []\n');
  });

  test('creates parent folders', async () => {
    await run({ id: 'Demo/project-root/services/core' });
    expect(await verified()).toEqual({ plans: 2, errors: [] });
  });

  test('makes a plan from a memory alone', async () => {
    write('old/memory.md', '## A\n\na\n');
    expect(await run({ from: join(vault.folder, 'old') })).toMatchObject({ tasks: 0, entries: 1 });
    expect(await verified()).toEqual({ plans: 2, errors: [] });
  });

  test('changes nothing in a dry run, but reports the same', async () => {
    const before = listTree(vault.folder);
    const dry = await run({ dryRun: true });
    expect(listTree(vault.folder)).toEqual(before);
    expect({ ...(await run()), dryRun: true }).toEqual(dry);
  });

  test('imports ten megabytes of Markdown backlog with its dependencies', { timeout: 120_000 }, async () => {
    const count = 26_000;
    const task = (n: number) =>
      `### Task ${n}\n\n- **Status:** not_started\n- **Dependencies:** Task ${n - 1}\n- **Description:** ${'word '.repeat(70).trim()}\n\n`;
    const text = `# Backlog\n\n${Array.from({ length: count }, (_, n) => task(n)).join('')}`;
    expect(text.length).toBeGreaterThan(10 * 1024 * 1024);
    write('old/backlog.md', text);
    const { tasks, diagnostics } = await run({ from: join(vault.folder, 'old') });
    expect(tasks).toBe(count);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const made = readFileSync(join(root, 'core/backlog.yaml'), 'utf8');
    const { value } = readYaml(backlogSchema, made, { file: 'backlog.yaml', subject: '' });
    expect(value?.tasks?.at(-1)).toMatchObject({ title: `Task ${count - 1}`, dependencies: [`task-${count - 2}`] });
  });
});

describe('importing onto the root plan', () => {
  test('replaces it if it is as adoption made it', async () => {
    await run({ id: 'Demo/project-root' });
    expect(readFileSync(join(root, 'backlog.yaml'))).toEqual(readFileSync(join(source, 'backlog.yaml')));
    expect(await verified()).toEqual({ plans: 1, errors: [] });
    expect(listTree(join(vault.folder, 'Demo/ravel')).filter((line) => line.startsWith('.project-root'))).toEqual([]);
  });

  test.each<[string, () => void, string]>([
    ['its marker is edited', () => write('Demo/ravel/project-root/plan-state.md', editedMarker), 'plan-state.md'],
    ['it has a task', () => write('Demo/ravel/project-root/backlog.yaml', 'tasks: [a]\n'), 'backlog.yaml'],
    ['it has a file of its own', () => write('Demo/ravel/project-root/notes.md', ''), 'notes.md'],
    ['it has a child', () => write('Demo/ravel/project-root/child/plan-state.md', editedMarker), 'child'],
  ])('is refused if %s', async (_name, change, named) => {
    change();
    const before = listTree(vault.folder);
    const problem = await failureOf(() => run({ id: 'Demo/project-root' }));
    expect(problem).toMatchObject({ code: 'plan/exists', message: expect.stringContaining(named) });
    expect(listTree(vault.folder)).toEqual(before);
  });
});

const editedMarker = '---\nschema-version: 1\ndescription: What Demo is for\n---\n\nMine.\n';

describe('an import is refused, and nothing is changed, because of', () => {
  test.each<[string, Given, () => void, string, string]>([
    ['a bad description', { description: 'tbd' }, () => {}, 'plan/badDescription', 'placeholder'],
    ['a bad id', { id: 'Demo/core' }, () => {}, 'plan/badId', 'project-root'],
    ['an id that names a file', { id: 'Demo/project-root/memory.yaml' }, () => {}, 'plan/badId', 'has the name'],
    ['an unknown project', { id: 'Other/project-root/core' }, () => {}, 'plan/unknown', '"Other"'],
    ['an id with other case', { id: 'Demo/project-root/TAKEN' }, () => {}, 'plan/exists', 'only in case'],
    ['an existing plan', { id: 'Demo/project-root/taken' }, () => {}, 'plan/exists', 'already'],
    ['a target folder that is not empty', {}, () => write('Demo/ravel/project-root/core/a', ''), 'plan/exists', '"a"'],
    [
      'a file in place of the target',
      {},
      () => write('Demo/ravel/project-root/core', ''),
      'plan/exists',
      'not a folder',
    ],
    ['a missing source folder', { from: '/nowhere/at/all' }, () => {}, 'project/missing', '/nowhere/at/all'],
    ['a relative source folder', { from: 'LLM_STATE/core' }, () => {}, 'project/missing', 'absolute'],
    [
      'a source that is not a plan',
      {},
      () => emptySource('a.txt'),
      'import/notAPlan',
      'none of phase.md, backlog.yaml, memory.yaml',
    ],
    ['an empty source folder', {}, () => emptySource(), 'import/notAPlan', 'none of'],
    [
      'a source that is a plan of Ravel already',
      {},
      () => write('Demo/LLM_STATE/core/plan-state.md', ''),
      'import/notAPlan',
      'already',
    ],
    ['a symlink out', {}, () => symlinkSync('/etc/hostname', join(source, 'x')), 'import/badSource', 'leads out'],
    ['broken YAML', {}, () => write('Demo/LLM_STATE/core/memory.yaml', 'entries: ['), 'yaml/syntax', 'Line 1'],
    [
      'several invalid tasks',
      {},
      () => write('Demo/LLM_STATE/core/backlog.yaml', badTasks),
      'yaml/schema',
      '1 more problem',
    ],
    [
      'two tasks with one id',
      {},
      () => write('Demo/LLM_STATE/core/backlog.yaml', twins),
      'yaml/duplicateId',
      'on line 6',
    ],
    ['a byte that is not UTF-8', {}, () => badByte('memory.yaml'), 'yaml/encoding', 'line 2'],
    ['a byte that is not UTF-8 in Markdown', {}, () => badByte('session-log.md'), 'yaml/encoding', 'line 2'],
    [
      'a file of more than 16 MiB',
      {},
      () => write('Demo/LLM_STATE/core/memory.yaml', large),
      'disk/tooLarge',
      '16 MiB',
    ],
  ])('%s', async (_name, given, change, code, message) => {
    await createPlan({
      disk: nodeDisk,
      layout: vault.layout,
      id: 'Demo/project-root/taken' as QualifiedId,
      description: 'd',
    });
    change();
    const before = listTree(vault.folder);
    const problem = await failureOf(() => run(given));
    expect(problem.code).toBe(code);
    expect(problem.message).toContain(message);
    expect(listTree(vault.folder)).toEqual(before);
  });

  test('a source folder that only contains a plan, which is named', async () => {
    expect(await failureOf(() => run({ from: dirname(source) }))).toMatchObject({
      code: 'import/notAPlan',
      help: 'Its folder core/ is a plan; name that one.',
    });
  });

  test('an invalid file, which is named with its line', async () => {
    write('Demo/LLM_STATE/core/backlog.yaml', 'tasks:\n- id: a\n  title: b\n');
    expect(await failureOf(() => run())).toMatchObject({
      file: join(source, 'backlog.yaml'),
      range: { start: { line: 1 } },
      message: expect.stringMatching(/^Nothing was imported\. Line 2|^Nothing was imported\. tasks\[0\]/),
    });
  });

  test.each<[string, () => string]>([
    ['a source that contains the target', () => vault.folder],
    ['a source that is the target, through a symlink', () => link(join(root, 'core'))],
  ])('%s', async (_name, from) => {
    const folder = from();
    write('phase.md', 'work');
    expect(await failureOf(() => run({ from: folder }))).toMatchObject({ code: 'import/badSource' });
  });
});

const badTasks = 'tasks:\n- {id: a, title: b, category: c, status: later}\n- {id: b, category: c, status: done}\n';
const twin = (title: string) => `- id: a\n  title: ${title}\n  category: c\n  status: done\n`;
const twins = `tasks:\n${twin('a')}${twin('b')}`;
const large = `entries: []\n#${'x'.repeat(17 * 1024 * 1024)}\n`;

function emptySource(...names: string[]): void {
  rmSync(source, { recursive: true });
  mkdirSync(source, { recursive: true });
  for (const name of names) writeFileSync(join(source, name), '');
}

function badByte(name: string): void {
  writeFileSync(join(source, name), Buffer.from([0x61, 0x0a, 0xff, 0x0a]));
}

function link(target: string): string {
  mkdirSync(target);
  symlinkSync(target, join(vault.folder, 'link'));
  return join(vault.folder, 'link');
}

describe('an import stopped at any disk change', () => {
  test.each([
    ['Demo/project-root/a/core', 2],
    ['Demo/project-root', 1],
  ])('leaves %s whole or unchanged, and is completed by the same import', async (id, plans) => {
    const start = join(vault.folder, 'start');
    cpSync(join(vault.folder, 'Demo'), start, { recursive: true });
    cpSync(join(fixtures, 'bare'), join(vault.folder, 'bare'), { recursive: true });
    const from = join(vault.folder, 'bare');
    const folder = vault.layout.plan(id as QualifiedId);
    const before = existsSync(folder) ? listTree(folder) : undefined;
    let steps = 0;
    const counting = traceDisk(nodeDisk, (_, name) => {
      if (diskChanges.has(name)) steps++;
    });
    await run({ id, from, disk: counting });
    const whole = listTree(join(vault.folder, 'Demo'));
    const imported = listTree(folder);
    for (let at = 1; at <= steps; at++) {
      rmSync(join(vault.folder, 'Demo'), { recursive: true });
      cpSync(start, join(vault.folder, 'Demo'), { recursive: true });
      let changes = 0;
      const disk = traceDisk(nodeDisk, (_, name) => {
        if (diskChanges.has(name)) changes++;
        // Once stopped, not even the clean-up works.
        if (changes >= at) throw Object.assign(new Error('stopped'), { code: 'EIO' });
      });
      await expect(run({ id, from, disk, suffix: `${at}x` })).rejects.toThrow();
      const found = (await walkVault(nodeDisk, vault.layout)).plans.map((plan) => plan.id as string);
      if (found.includes(id)) expect([before, imported]).toContainEqual(listTree(folder));
      await run({ id, from }).catch(async (error: unknown) => {
        // The last change is the sync after the rename: by then the plan exists.
        if (!found.includes(id)) throw error;
      });
      expect(listTree(join(vault.folder, 'Demo'))).toEqual(whole);
      expect(await verified()).toEqual({ plans, errors: [] });
    }
    expect(steps).toBeGreaterThan(40);
  });

  test('leaves no folder behind if the disk is full', async () => {
    const before = listTree(vault.folder);
    const disk = failingDisk(nodeDisk, {
      code: 'ENOSPC',
      at: 8,
      matches: (name) => name === 'file.write',
      forEver: true,
    });
    expect(await failureOf(() => run({ disk }))).toMatchObject({ code: 'disk/full' });
    expect(listTree(vault.folder)).toEqual(before);
  });
});

test('an import syncs the new plan before reporting it, and removes the old marker first', async () => {
  const changes: string[] = [];
  const disk = traceDisk(nodeDisk, (_, name, path) => {
    if (diskChanges.has(name)) changes.push(`${name} ${path}`);
  });
  await run({ id: 'Demo/project-root', disk });
  const removed = changes.indexOf(`unlink ${join(root, 'plan-state.md')}`);
  expect(changes.slice(0, removed).filter((change) => /^file\.sync .*\.plan-state\.md\./.test(change))).toHaveLength(1);
  expect(changes.slice(removed + 1, removed + 2)).toEqual([`syncDirectory ${root}`]);
  expect(changes.slice(-2)).toEqual([
    `rename ${join(dirname(root), '.project-root.0a1b.tmp')}`,
    `syncDirectory ${dirname(root)}`,
  ]);
});

test('an import does not overwrite a plan that appears at the last moment', async () => {
  const id = 'Demo/project-root/core' as QualifiedId;
  const disk: Disk = {
    ...nodeDisk,
    async rename(from, to) {
      const isLast = to.endsWith('/core');
      if (isLast) await createPlan({ disk: nodeDisk, layout: vault.layout, id, description: 'The other one' });
      return nodeDisk.rename(from, to);
    },
  };
  expect(await failureOf(() => run({ disk }))).toMatchObject({ code: 'plan/exists' });
  expect(readFileSync(join(root, 'core/plan-state.md'), 'utf8')).toContain('The other one');
  expect(await verified()).toEqual({ plans: 2, errors: [] });
});
