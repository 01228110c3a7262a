import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { importPlan } from '../../src/imports/importPlan.ts';
import { backlogSchema, readyTasks } from '../../src/model/backlog.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { verifyVault } from '../../src/vault/verify.ts';
import { readYaml } from '../../src/yaml/yaml.ts';
import { testDataPath } from '../support/testData.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

/** Imports a real plan. Returns the folder that it came from, the folder that it went to and the report. */
async function importReal(name: string) {
  const vault = await makeVaultFolder(['app']);
  const { layout } = vault;
  // As diagnostics name it, even if the folder of the data is a link.
  const [source, id] = [await realpath(testDataPath(name)), toQualifiedId('app/project-root/core')];
  const about = { description: 'A real plan', dryRun: false, suffix: '0a1b' };
  const report = await importPlan({ disk: nodeDisk, layout, source, id, ...about });
  const { diagnostics } = await verifyVault(nodeDisk, layout);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { source, target: layout.plan(id), report };
}

test('importing a real plan in YAML keeps every file byte for byte', async () => {
  const { source, target, report } = await importReal('ravel-lite-core');
  expect(report.diagnostics).toEqual([]);
  for (const name of await readdir(source)) {
    expect(await readFile(join(target, name)), name).toEqual(await readFile(join(source, name)));
  }
});

test('importing a real plan in Markdown loses no word', async () => {
  const { source, target } = await importReal('markdown-plan');
  const made = [];
  for (const name of ['backlog.yaml', 'memory.yaml', 'session-log.yaml', 'plan-state.md']) {
    made.push(await readFile(join(target, name), 'utf8'));
  }
  const words = new Set(made.join('\n').match(/\w+/g));
  for (const name of await readdir(source)) {
    const original = await readFile(join(source, name));
    const kept = await readFile(join(target, 'imported', name)).catch(() => readFile(join(target, name)));
    expect(kept, name).toEqual(original);
    if (!['backlog.md', 'memory.md'].includes(name)) continue;
    // The import replaces these names of fields and tokens.
    const replaced = new Set(['Status', 'Dependencies', 'Description', 'Results', '_pending_', 'Log']);
    const lost = [...new Set(original.toString().match(/\w+/g))].filter((word) => !words.has(word));
    expect(lost.filter((word) => !replaced.has(word))).toEqual([]);
  }
});

test('importing a real plan in Markdown gives its tasks with their dependencies', async () => {
  const { source, target, report } = await importReal('markdown-plan');
  expect(report).toMatchObject({ tasks: 32, sessions: 0 });
  const unlinked = report.diagnostics.map(({ code, file, range }) => [code, file, (range?.start.line ?? -1) + 1]);
  expect(unlinked).toEqual([
    ['import/unclear', join(source, 'backlog.md'), 330],
    ['import/unclear', join(source, 'backlog.md'), 843],
  ]);
  const { tasks } = parse(await readFile(join(target, 'backlog.yaml'), 'utf8'));
  const [first, , , , rewrite, types] = tasks;
  expect(first).toMatchObject({
    category: 'spike',
    status: 'done',
    'dependencies-note': 'none (blocks everything else)',
  });
  expect(rewrite).toMatchObject({ status: 'not_started', dependencies: [] });
  expect(rewrite['dependencies-note']).toBe('(the three amendment tasks above, all now done)');
  expect(types).toMatchObject({ category: 'types' });
  expect(types.dependencies).toEqual(tasks.slice(0, 4).map(({ id }: { id: string }) => id));
});

const markdownPlans = [
  ['markdown-plan', 32, 24],
  ['mnemosyne/mnemosyne-orchestrator', 14, 75],
  ['mnemosyne/sub-A-global-store', 15, 13],
  ['mnemosyne/sub-E-ingestion', 27, 12],
  ['mnemosyne/sub-M-observability', 25, 31],
] as const;

test.each(markdownPlans)('no task of the real plan %s is ready before what it names', async (name, taskCount) => {
  const { source, target, report } = await importReal(name);
  const { value } = readYaml(backlogSchema, await readFile(join(target, 'backlog.yaml'), 'utf8'), {
    file: name,
    subject: name,
  });
  const tasks = value?.tasks ?? [];
  expect(tasks).toHaveLength(taskCount);
  const ready = new Set(readyTasks(tasks).map(({ title }) => title));
  const written = blocksOf(await readFile(join(source, 'backlog.md'), 'utf8'));
  const told = report.diagnostics.map(({ message }) => message).join('\n');
  for (const { title, status, dependencies } of written.filter((block) => ready.has(block.title))) {
    expect(status, title).toBe('not_started');
    const isKnown = written.filter((other) => namesIn(dependencies, other.title));
    expect(
      isKnown.filter((other) => !other.status.startsWith('done')),
      title,
    ).toEqual([]);
    // What names no task says of itself that it is met, and is told.
    if (isKnown.length > 0 || /^none\b/.test(dependencies)) continue;
    expect(dependencies, title).toMatch(/\((?:\*\*done|satisfied)|all now done/);
    expect(told).toContain(dependencies.slice(0, 20));
  }
  // Tasks that their numbers name are linked, whether or not they are done.
  for (const { title, dependencies } of written) {
    const numbers = /^none\b/.test(dependencies) ? [] : numbersIn(dependencies);
    const named = tasks.filter((task) => numbers.some((n) => task.title.startsWith(`Task ${n} `))).map(({ id }) => id);
    const task = tasks.find((one) => one.title === title);
    expect(task?.dependencies, title).toEqual(expect.arrayContaining(named));
  }
});

/** Title, status and dependencies of each task, read without any code of ours. */
function blocksOf(text: string) {
  return text.split(/^### /m).flatMap((block) => {
    const [, status] = /^- \*\*Status:\*\* (.*)$/m.exec(block) ?? [];
    const [, dependencies = ''] = /^- \*\*Dependencies:\*\* ([\s\S]*?)\n- \*\*/m.exec(block) ?? [];
    const title = (block.split('\n', 1)[0] ?? '').replace(/(?: `\[[^\]]*\]`)+$/, '');
    return status === undefined ? [] : [{ title, status, dependencies: dependencies.replace(/\s+/g, ' ') }];
  });
}

/** Whether a list names a task: by its title, by what stands before a dash in it, or by its number. */
function namesIn(dependencies: string, title: string): boolean {
  if (/^none\b/.test(dependencies)) return false;
  const [head = ''] = title.split(' — ');
  const number = /^Task (\d+)/.exec(title)?.[1];
  const isNumbered = number !== undefined && numbersIn(dependencies).includes(Number(number));
  return isNumbered || (number === undefined && dependencies.includes(head));
}

function numbersIn(dependencies: string): number[] {
  return [...dependencies.matchAll(/(?<!sub-\w )Tasks? (\d+)(?:[–-](\d+))?/g)].flatMap(([, from, to]) => {
    const [low, high] = [Number(from), Number(to ?? from)];
    return Array.from({ length: high - low + 1 }, (_, n) => low + n);
  });
}

test.each(markdownPlans)(
  'the memory of the real plan %s is an entry for each learning',
  async (name, _tasks, entries) => {
    const { source, target, report } = await importReal(name);
    expect(report.entries).toBe(entries);
    const made = parse(await readFile(join(target, 'memory.yaml'), 'utf8')).entries;
    const sections = (await readFile(join(source, 'memory.md'), 'utf8')).split(/^## /m).slice(1);
    for (const section of sections) {
      const [own = '', ...learnings] = section.split(/^### /m);
      const [title = '', ...below] = own.split('\n');
      for (const learning of learnings) {
        const entry = made.find((one: { title: string }) => one.title === learning.split('\n', 1)[0]);
        expect(entry, title).toMatchObject({ tags: [title] });
      }
      // What stands above the learnings of a section is an entry as well.
      if (below.join('').trim() !== '') expect(made).toContainEqual(expect.objectContaining({ title }));
    }
  },
);

test('importing a real plan a second time is refused, and under another name gives the same files', async () => {
  const source = testDataPath('mnemosyne/mnemosyne-orchestrator');
  const { layout } = await makeVaultFolder(['app']);
  const run = (name: string) => {
    const id = toQualifiedId(`app/project-root/${name}`);
    const about = { description: 'A real plan', dryRun: false, suffix: '0a1b' };
    return importPlan({ disk: nodeDisk, layout, source, id, ...about });
  };
  const { directory } = await run('one');
  await expect(run('one')).rejects.toMatchObject({ code: 'plan/exists' });
  const other = await run('two');
  for (const file of ['backlog.yaml', 'memory.yaml', 'session-log.yaml']) {
    const [first, second] = [directory, other.directory].map((folder) => readFile(join(folder, file), 'utf8'));
    expect(await second, file).toBe(await first);
  }
});
