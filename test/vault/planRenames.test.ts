import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { noteRename, type PlanRename, presentName } from '../../src/vault/planRenames.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

interface Case {
  readonly plans: readonly string[];
  readonly renames?: readonly PlanRename[];
  readonly asked: string;
  readonly name: string | undefined;
}

async function check({ plans, renames = [], asked, name }: Case): Promise<void> {
  const ports = { disk: nodeDisk, layout: new VaultLayout(await makeTemporaryDirectory()) };
  for (const plan of plans) {
    const marker = join(ports.layout.plan(toQualifiedId(plan)), 'plan-state.md');
    await mkdir(dirname(marker), { recursive: true });
    await writeFile(marker, '');
  }
  for (const one of renames) await noteRename(ports, one);
  expect(await presentName(ports, toQualifiedId(asked))).toBe(name);
}

const a = 'S/project-root/a';
const b = 'S/project-root/b';

test.each<[string, Case]>([
  ['one that is there is called what it is called', { plans: [a], renames: [{ from: a, to: b }], asked: a, name: a }],
  ['an expert has no place', { plans: [], asked: 'expert:rust', name: 'expert:rust' }],
  ['one that was renamed', { plans: [b], renames: [{ from: a, to: b }], asked: a, name: b }],
  ['one below it', { plans: [`${b}/x`], renames: [{ from: a, to: b }], asked: `${a}/x`, name: `${b}/x` }],
  ['one whose name begins alike', { plans: [b], renames: [{ from: a, to: b }], asked: `${a}x`, name: undefined }],
  [
    'one whose project was renamed after it',
    {
      plans: ['T/project-root/b'],
      renames: [
        { from: a, to: b },
        { from: 'S', to: 'T' },
      ],
      asked: a,
      name: 'T/project-root/b',
    },
  ],
  [
    'one that has its first name again',
    {
      plans: [a],
      renames: [
        { from: a, to: b },
        { from: b, to: a },
      ],
      asked: b,
      name: a,
    },
  ],
  ['one that was removed', { plans: [b], asked: a, name: undefined }],
  [
    'one that was removed after it was renamed',
    { plans: ['S/project-root'], renames: [{ from: a, to: b }], asked: a, name: undefined },
  ],
])('%s', (_name, given) => check(given));

test('one whose project is out of reach keeps its name, and one of a project that was taken out has none', async () => {
  const root = await makeTemporaryDirectory();
  const ports = { disk: nodeDisk, layout: new VaultLayout(join(root, 'vault')) };
  const plan = toQualifiedId(a);
  await mkdir(ports.layout.projects, { recursive: true });
  await nodeDisk.symlink(join(root, 'gone'), ports.layout.project('S'));
  expect(await presentName(ports, plan)).toBe(a);
  await rm(ports.layout.project('S'));
  expect(await presentName(ports, plan)).toBe(undefined);
});

test('noted again it is noted once, and a file that is none leads nowhere', async () => {
  const ports = { disk: nodeDisk, layout: new VaultLayout(await makeTemporaryDirectory()) };
  for (let times = 0; times < 2; times++) await noteRename(ports, { from: a, to: b });
  expect(JSON.parse((await nodeDisk.readFile(ports.layout.renames)).toString())).toEqual([{ from: a, to: b }]);
  await writeFile(ports.layout.renames, '[{"from":');
  expect(await presentName(ports, toQualifiedId(a))).toBe(undefined);
  await rename(ports.layout.renames, `${ports.layout.renames}.bad`);
  expect(await presentName(ports, toQualifiedId(a))).toBe(undefined);
});
