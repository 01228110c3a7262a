import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { type PlanRename, presentName, recordRename } from '../../src/vault/planRenames.ts';
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
  for (const one of renames) await recordRename(ports, one);
  expect(await presentName(ports, toQualifiedId(asked))).toBe(name);
}

const a = 'S/project-root/a';
const b = 'S/project-root/b';

test.each<[string, Case]>([
  ['keeps the name of an existing plan', { plans: [a], renames: [{ from: a, to: b }], asked: a, name: a }],
  ['keeps the name of an expert', { plans: [], asked: 'expert:rust', name: 'expert:rust' }],
  ['follows a rename', { plans: [b], renames: [{ from: a, to: b }], asked: a, name: b }],
  [
    'follows the rename of a parent',
    { plans: [`${b}/x`], renames: [{ from: a, to: b }], asked: `${a}/x`, name: `${b}/x` },
  ],
  [
    'ignores a rename of a plan whose name only begins alike',
    { plans: [b], renames: [{ from: a, to: b }], asked: `${a}x`, name: undefined },
  ],
  [
    'follows a later rename of the project',
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
    'follows a rename back to the first name',
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
  ['finds no name for a removed plan', { plans: [b], asked: a, name: undefined }],
  [
    'finds no name for a plan removed after its rename',
    { plans: ['S/project-root'], renames: [{ from: a, to: b }], asked: a, name: undefined },
  ],
])('presentName %s', (_name, given) => check(given));

test('presentName keeps the name of a plan whose project is unreachable, and finds none if the project was removed', async () => {
  const root = await makeTemporaryDirectory();
  const ports = { disk: nodeDisk, layout: new VaultLayout(join(root, 'vault')) };
  const plan = toQualifiedId(a);
  await mkdir(ports.layout.projects, { recursive: true });
  await nodeDisk.symlink(join(root, 'gone'), ports.layout.project('S'));
  expect(await presentName(ports, plan)).toBe(a);
  await rm(ports.layout.project('S'));
  expect(await presentName(ports, plan)).toBe(undefined);
});

test('recordRename notes a rename once, and an unreadable file counts as no renames', async () => {
  const ports = { disk: nodeDisk, layout: new VaultLayout(await makeTemporaryDirectory()) };
  for (let times = 0; times < 2; times++) await recordRename(ports, { from: a, to: b });
  expect(JSON.parse((await nodeDisk.readFile(ports.layout.renames)).toString())).toEqual([{ from: a, to: b }]);
  await writeFile(ports.layout.renames, '[{"from":');
  expect(await presentName(ports, toQualifiedId(a))).toBe(undefined);
  await rename(ports.layout.renames, `${ports.layout.renames}.bad`);
  expect(await presentName(ports, toQualifiedId(a))).toBe(undefined);
});
