import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/base/errors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type PolicyPlace, PolicyStore } from '../../src/plans/policyStore.ts';
import { parsePolicyFile, policyRanges } from '../../src/vault/policyFile.ts';
import { growthOf } from '../support/growth.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { traceDisk } from '../support/tracingDisk.ts';

async function make() {
  const root = await makeTemporaryDirectory();
  const project = join(root, 'shop');
  const place: PolicyPlace = {
    ...{ id: 'shop/plan' as PolicyPlace['id'], directory: join(project, 'ravel', 'plan') },
    ...{ ravelDirectory: join(project, 'ravel'), projectDirectory: project },
  };
  await mkdir(place.directory, { recursive: true });
  const opened: string[] = [];
  const told: Diagnostic[] = [];
  const layout = { policy: join(root, 'policy.yaml'), settings: join(root, 'daemon.toml'), identity: join(root, 'id') };
  const disk = traceDisk(nodeDisk, (_n, name, path) => {
    if (name !== 'stampEach' && name !== 'realPath') opened.push(path);
  });
  const store = new PolicyStore({ disk, layout, home: root, onDiagnostic: (problem) => told.push(problem) });
  const ask = async (command: string, phase = 'work', model?: string) => {
    const asker = { actor: place.id, phase, ...(model !== undefined && { model }) };
    const { policy, policyProblem } = await store.forRequest(place, asker, project);
    const words = command.split(' ').map((text) => ({ text, isDynamic: false, isGlob: false }));
    return policyProblem ?? policy?.command(words)?.action;
  };
  const write = (file: string, text: string) => writeFile(file, text);
  return { store, place, layout, told, opened, ask, write, marker: join(place.directory, 'plan-state.md') };
}

test('5,000 rules of a file hold, each one, and no request reads the file again', { timeout: 60_000 }, async () => {
  const { ask, write, layout, opened, told, store, place } = await make();
  const rules = Array.from({ length: 5000 }, (_, n) => `  - id: r${n}\n    deny:\n      - "Bash(tool-${n} run *)"`);
  await write(layout.policy, `rules:\n${rules.join('\n')}\n`);
  const { pages } = await store.of(place);
  expect(pages[0]?.compiled?.rules).toHaveLength(5000);
  const before = opened.length;
  for (const n of [0, 1, 2499, 4998, 4999]) expect(await ask(`tool-${n} run all`)).toBe('deny');
  expect(await ask('tool-5000 run all')).toBeUndefined();
  expect(await ask('tool-4999 list')).toBeUndefined();
  expect(opened.slice(before)).toEqual([]);
  expect(told).toEqual([]);
});

test('a file too long for its form refuses every tool, and says how to write it', async () => {
  const { ask, write, layout } = await make();
  const rules = Array.from({ length: 5000 }, (_, n) => `  - {id: r${n}, deny: ["Bash(tool-${n} run *)"]}`);
  await write(layout.policy, `rules:\n${rules.join('\n')}\n`);
  expect(await ask('ls')).toMatch(/every tool is refused[\s\S]*Write it as `key: value` or `- value` on one line/);
});

test('a plan forbids and asks in the marker of its own, and what it allows is passed over with a warning', async () => {
  const { ask, write, layout, marker, told } = await make();
  await write(layout.policy, 'permissions:\n  allow: ["Bash(frob *)"]\n');
  await write(
    marker,
    '---\nstatus: active\npolicy:\n  permissions:\n    deny: ["Bash(frob --now)"]\n    allow: ["Bash(grok *)"]\n---\nText.\n',
  );
  expect(await ask('frob')).toBe('allow');
  expect(await ask('frob --now')).toBe('deny');
  expect(await ask('grok')).toBeUndefined();
  expect(told).toMatchObject([
    { code: 'policy/widens', severity: 'warning', file: marker, range: { start: { line: 5 } } },
  ]);
});

test('a plan whose policy cannot be read refuses every tool, and says which key is wrong', async () => {
  const { ask, write, marker } = await make();
  await write(marker, '---\npolicy:\n  permissions:\n    denny: []\n---\n');
  expect(await ask('ls')).toMatch(/every tool is refused until .*plan-state\.md:4 is repaired.*denny/s);
});

test('a rule for models goes by the model that the plan names for the phase, else by that of the session', async () => {
  const { ask, write, layout, marker } = await make();
  await write(layout.policy, 'rules:\n  - {id: small, deny: ["Bash(ls *)"], models: ["*haiku*"]}\n');
  expect(await ask('ls', 'work', 'claude-haiku-4')).toBe('deny');
  expect(await ask('ls', 'work', 'claude-opus-4')).toBeUndefined();
  await write(marker, '---\nmodels:\n  work: claude-opus-4\n  default: claude-haiku-4\n---\n');
  expect(await ask('ls', 'work', 'claude-haiku-4')).toBeUndefined();
  expect(await ask('ls', 'triage', 'claude-opus-4')).toBe('deny');
});

test('a policy that is a link protects where it leads too, and refuses every tool once that is gone', async () => {
  const { store, place, layout, ask, write } = await make();
  const file = join(place.projectDirectory, 'policy of the team.yaml');
  await write(file, 'permissions:\n  deny: ["Bash(docker *)"]\n');
  await symlink(file, layout.policy);
  expect(await ask('docker run')).toBe('deny');
  expect(await store.filesOf(place)).toEqual(expect.arrayContaining([layout.policy, file]));
  await rm(file);
  const next = new PolicyStore({ disk: nodeDisk, layout, home: place.directory, onDiagnostic: () => undefined });
  const asker = { actor: place.id, phase: 'work' };
  expect((await next.forRequest(place, asker, place.projectDirectory)).policyProblem).toMatch(
    /link that leads nowhere/,
  );
});

test('an unknown key is told at its own place, in a file and in the marker of a plan', async () => {
  const { ask, store, write, layout, marker, place } = await make();
  await write(layout.policy, 'rules:\n  - id: a\n    deny: ["Bash"]\n    denny: []\n    whhy: x\n');
  expect(await ask('ls')).toMatch(/until .*policy\.yaml:4 is repaired: rules\[0\]: the key "denny" is not known\.$/);
  expect(await store.sharedFaults([place])).toMatchObject([
    { code: 'policy/fileBroken', file: layout.policy, range: { start: { line: 3, character: 4 } } },
    { message: expect.stringContaining('"whhy"'), range: { start: { line: 4, character: 4 } } },
  ]);
  await write(marker, '---\nstatus: active\npolicy:\n  permissions:\n    denny: []\n---\n');
  expect(await store.planFaults(place)).toMatchObject([
    { range: { start: { line: 4, character: 4 }, end: { line: 4 } } },
  ]);
});

test('a project whose policy cannot be used is told once, however many plans it has, and what is only doubtful is not', async () => {
  const { store, write, layout, place } = await make();
  await write(layout.policy, 'permissions:\n  deny: ["Bash(git push *)"]\n');
  const file = join(place.ravelDirectory, 'policy.yaml');
  await write(file, 'permissions:\n  allow: ["Bash(ls *)"]\n');
  expect(await store.sharedFaults([place, place])).toEqual([]);
  await write(file, 'permissions: none\n');
  expect(await store.sharedFaults([place, place])).toMatchObject([
    { file, range: { start: { line: 0, character: 13 } } },
  ]);
});

test('a policy in flow form is read, and its lines are found, in a time that grows with its length alone', () => {
  const file = '/vault/policy.yaml';
  const read = (given: string) => {
    const text = given.slice(0, given.lastIndexOf('\n') + 1);
    const { content } = parsePolicyFile(text, file);
    expect(content).toBeDefined();
    return policyRanges(
      text,
      file,
      (content?.rules ?? []).map((_, at) => ['rules', at, 'deny', 0]),
    );
  };
  const shape = { before: 'rules:\n', unit: '  - {id: r\u0001, deny: ["Bash(tool-\u0001 run *)"]}\n' };
  expect(growthOf(read, shape, { length: 4096, enough: 24 })).toBeLessThan(24);
});
