import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { isCode } from '../../src/model/codes.ts';
import { StampedCache } from '../../src/vault/stampedCache.ts';
import { verifyVault } from '../../src/vault/verify.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder, type VaultFolder } from '../support/vaultFolder.ts';

let vault: VaultFolder;
const root = 'Demo/ravel/project-root';

beforeEach(async () => {
  vault = await makeVaultFolder(['Demo'], ['Demo/project-root/child']);
});

/** Checks `code severity subject line` of each diagnostic; each must also have a help text. */
async function check(expected: string[], plans = 2) {
  const result = await verifyVault(nodeDisk, vault.layout);
  const found = result.diagnostics.map(
    (one) => `${one.code} ${one.severity} ${one.subject.replace(vault.folder, '')} ${one.range?.start.line ?? '-'}`,
  );
  expect(found).toEqual(expected);
  expect(result.plans).toBe(plans);
  for (const one of result.diagnostics) {
    expect(isCode(one.code), one.code).toBe(true);
    expect(one.help, one.code).toMatch(/\.$/);
    expect(one.message.trim(), one.code).not.toBe('');
  }
  return result.diagnostics;
}

const task = (id: string, dependencies: string) =>
  `- id: ${id}\n  title: T\n  category: c\n  status: not_started\n  dependencies: ${dependencies}\n`;

describe('verifyVault of a valid vault', () => {
  test('has nothing to report', () => check([]));

  test('accepts every kind of state file', async () => {
    vault.write(
      `${root}/latest-session.yaml`,
      'id: s\ntimestamp: 2026-01-01T00:00:00Z\nphase: work\nbody: b\nclaims:\n- id: c1\n  text: t\n  evidence:\n  - path: a\n',
    );
    vault.write(
      `${root}/session-log.yaml`,
      'sessions:\n- id: s\n  timestamp: 2026-01-01T00:00:00Z\n  phase: work\n  body: b\n',
    );
    vault.write(`${root}/commits.yaml`, 'commits:\n- paths: [.]\n  message: m\n');
    vault.write(`${root}/dispatches.yaml`, 'dispatches:\n- target-plan: Demo/project-root\n  reason: r\n  body: b\n');
    vault.write(`${root}/queries.yaml`, 'queries: []\n');
    vault.write(`${root}/dream-word-count`, '12214');
    await check([]);
  });
});

describe('verifyVault of vault files', () => {
  test('without an identity looks at nothing else', async () => {
    vault.write('vault/daemon.toml', '[');
    rmSync(vault.layout.identity);
    await check(['vault/none error /vault -'], 0);
  });

  test('with a newer identity looks at nothing else', async () => {
    vault.write('vault/ravel.toml', '[vault]\nschema_version = 2\n');
    await check(['vault/newerSchema error /vault -'], 0);
  });

  test('reports settings, registry and links, and still checks the plans', async () => {
    vault.write('vault/daemon.toml', '[limits]\nsession-usd = "x"\n');
    vault.write('vault/projects.yaml', 'projects: 3\n');
    symlinkSync('/nowhere/ravel', vault.layout.project('Gone'));
    vault.write(`${root}/phase.md`, 'wrok');
    await check([
      'vault/badSettings error /vault/daemon.toml 1',
      'yaml/schema error /vault/projects.yaml 0',
      'project/badLink error projects/Gone -',
      'plan/badPhase error Demo/project-root 0',
    ]);
  });

  test('warns of a setting without effect', async () => {
    vault.write('vault/daemon.toml', 'colour = 1\n');
    await check(['vault/unknownSetting warning /vault/daemon.toml 0']);
  });
});

describe('verifyVault of plans', () => {
  test('reports misplaced plans and links that lead out', async () => {
    mkdirSync(join(vault.folder, root, 'child/project-root'));
    vault.write('Demo/ravel/knowledge/plan-state.md', '');
    symlinkSync(vault.folder, join(vault.folder, root, 'out'));
    await check([
      'project/planInKnowledge error Demo/knowledge/plan-state.md -',
      'project/nestedRoot error Demo/project-root/child/project-root -',
      'project/linkOut error Demo/project-root/out -',
    ]);
  });

  test('reports a dependency cycle at the line of its first task', async () => {
    vault.write(`${root}/child/backlog.yaml`, `tasks:\n${task('z', '[]')}${task('a', '[b]')}${task('b', '["a", z]')}`);
    const [cycle] = await check(['state/dependencyCycle error Demo/project-root/child 6']);
    expect(cycle?.message).toBe('The dependencies form a cycle: a → b → a.');
    expect(cycle?.file).toBe(join(vault.layout.projects, 'Demo/project-root/child/backlog.yaml'));
  });

  test('warns of an unknown dependency at its task', async () => {
    vault.write(
      `${root}/backlog.yaml`,
      `tasks:\n${task('a', '[gone, a-b]')}${task('"a-b"', '[more]')}`.replaceAll('\n', '\r\n'),
    );
    const [first] = await check([
      'state/unknownDependency warning Demo/project-root 1',
      'state/unknownDependency warning Demo/project-root 6',
    ]);
    expect(first?.message).toContain('"gone"');
    expect(first?.message).not.toContain('"a-b"');
  });

  test.each([
    ['backlog.yaml', `tasks:\n${task('a', '[]')}${task('a', '[]')}`, 'yaml/duplicateId error Demo/project-root 6'],
    [
      'session-log.yaml',
      'sessions:\n- id: s\n  timestamp: t\n  phase: work\n',
      'yaml/schema error Demo/project-root 1',
    ],
    ['session-log.yaml', 'sessions: [', 'yaml/syntax error Demo/project-root 0'],
    ['latest-session.yaml', 'timestamp: t\nphase: work\nbody: b\n', 'yaml/schema error Demo/project-root 0'],
    [
      'latest-session.yaml',
      'id: s\ntimestamp: t\nphase: w\nbody: b\nclaims:\n- id: c\n  text: t\n  verdict: sure\n',
      'yaml/schema error Demo/project-root 7',
    ],
    ['commits.yaml', 'commits:\n- paths: []\n  message: m\n', 'yaml/schema error Demo/project-root 1'],
    ['dispatches.yaml', 'dispatches:\n- reason: r\n  target: auto\n', 'yaml/schema error Demo/project-root 1'],
    ['queries.yaml', 'queries: no\n', 'yaml/schema error Demo/project-root 0'],
    ['dream-word-count', 'many', 'yaml/schema error Demo/project-root 0'],
    ['dream-word-count', '', 'yaml/schema error Demo/project-root 0'],
    ['dream-word-count', '-3', 'yaml/schema error Demo/project-root 0'],
    ['phase.md', 'nothing', 'plan/badPhase error Demo/project-root 0'],
    [
      'plan-state.md',
      '---\nschema-version: 1\ndescription: tbd\n---\n',
      'plan/badDescription error Demo/project-root 2',
    ],
  ])('refuses %s with the text %j', async (file, text, expected) => {
    vault.write(`${root}/${file}`, text);
    await check([expected]);
  });

  test('reports each unreadable file', async () => {
    for (const name of ['session-log.yaml', 'dream-word-count'])
      vault.write(`${root}/${name}`, Buffer.from([0x61, 0xff]));
    rmSync(join(vault.folder, root, 'backlog.yaml'));
    await check([
      'plan/missingFile error Demo/project-root -',
      'yaml/encoding error Demo/project-root 0',
      'yaml/encoding error Demo/project-root 0',
    ]);
  });

  test('checks each of 21 plans', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `Demo/project-root/p${n}`);
    vault = await makeVaultFolder(['Demo'], names);
    for (const name of names) vault.write(`${name.replace('Demo/', 'Demo/ravel/')}/phase.md`, 'x');
    await check(
      names.sort().map((name) => `plan/badPhase error ${name} 0`),
      21,
    );
  });
});

describe('verifyVault with a cache', () => {
  let text = '';

  beforeEach(() => {
    text = '';
  });

  /** One run as after a restart, a day after the files were written. */
  async function again() {
    const cache = StampedCache.parse(text, '1');
    const read: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (name === 'readEach' && path.startsWith(join(vault.folder, 'Demo'))) read.push(path);
    });
    const result = await verifyVault(disk, vault.layout, { cache, wallMs: () => Date.now() + 86_400_000 });
    expect(result).toEqual(await verifyVault(nodeDisk, vault.layout));
    text = cache.format('1');
    return { read, codes: result.diagnostics.map(({ code }) => code) };
  }

  test('reads no plan twice, and reports the same', async () => {
    vault.write(`${root}/phase.md`, 'x');
    expect(await again()).toMatchObject({ read: { length: 12 }, codes: ['plan/badPhase'] });
    expect(await again()).toEqual({ read: [], codes: ['plan/badPhase'] });
  });

  test('reads a plan again if one of its files changed, appeared or disappeared', async () => {
    await again();
    vault.write(`${root}/phase.md`, 'WORK');
    expect((await again()).codes).toEqual(['plan/badPhase']);
    vault.write(`${root}/phase.md`, 'work');
    expect((await again()).codes).toEqual([]);
    vault.write(`${root}/queries.yaml`, 'queries: [\n');
    expect((await again()).codes).toEqual(['yaml/syntax']);
    rmSync(join(vault.folder, root, 'queries.yaml'));
    rmSync(join(vault.folder, root, 'memory.yaml'));
    expect((await again()).codes).toEqual(['plan/missingFile']);
    expect((await again()).read).toEqual([]);
  });

  test('always checks the folder structure', async () => {
    await again();
    mkdirSync(join(vault.folder, root, 'x/project-root'), { recursive: true });
    expect((await again()).codes).toEqual(['project/nestedRoot']);
  });
});

test('verifyVault reports its progress', async () => {
  const told: number[][] = [];
  await verifyVault(nodeDisk, vault.layout, { onProgress: (...counts) => told.push(counts) });
  expect(told).toEqual([[2, 2]]);
});
