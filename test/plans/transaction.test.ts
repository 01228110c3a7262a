import { existsSync, rmSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { sha256 } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type ReasoningPhase, reasoningPhases } from '../../src/model/phase.ts';
import { filesStaged } from '../../src/model/phaseFiles.ts';
import type { PlanFile } from '../../src/model/plan.ts';
import {
  changedHashes,
  hashFolder,
  loadBase,
  loadStaged,
  loadTransaction,
  stage,
  stagingPaths,
} from '../../src/plans/transaction.ts';
import { failureOf } from '../support/failureOf.ts';
import { makePlanWorld } from '../support/planServices.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { traceDisk } from '../support/tracingDisk.ts';

const everything: Record<PlanFile, string> = {
  'plan-state.md': '---\nschema-version: 1\ndescription: Greets people\n---\n',
  'phase.md': 'work\n',
  'backlog.yaml': 'tasks: []\n',
  'memory.yaml': 'entries: []\n',
  'session-log.yaml': 'sessions: []\n',
  'latest-session.yaml': 'id: x\n',
  'commits.yaml': 'commits: []\n',
  'dispatches.yaml': 'dispatches: []\n',
  'queries.yaml': 'queries: []\n',
  'dream-word-count': '0\n',
  'dream-baseline': '0123456789012345678901234567890123456789\n',
};

const about = (phase: ReasoningPhase) => ({ phase, harness: 'scripted' as const, startedAt: '2026-01-02T03:04:05Z' });

describe('staging', () => {
  test('holds exactly the files that the phase reads or writes, as a base and as a working copy', async () => {
    const { services, plan, layout } = await makePlanWorld({ plan: everything });
    for (const phase of reasoningPhases) {
      const session = services.newUlid();
      const { paths, base } = await stage(nodeDisk, layout, { plan, session, ...about(phase) });
      const expected = filesStaged(phase).toSorted();
      for (const texts of [base, await loadBase(nodeDisk, paths, phase), await loadStaged(nodeDisk, paths, phase)]) {
        expect([...texts.keys()].sort()).toEqual(expected);
      }
      const names = (await nodeDisk.readDirectory(paths.plan)).map(({ name }) => name).sort();
      expect(names, phase).toEqual(expected);
      expect(names).not.toContain('session-log.yaml');
      await writeFile(join(paths.plan, 'memory.yaml'), 'changed');
      expect(await readFile(join(paths.base, 'memory.yaml'), 'utf8').catch(() => '')).not.toBe('changed');
    }
  });

  test('records its plan, session, phase and task, and the hashes of the plan folder', async () => {
    const { services, plan, layout } = await makePlanWorld({ plan: { 'backlog.yaml': 'tasks: []\n' } });
    const session = services.newUlid();
    const { transaction, paths } = await stage(nodeDisk, layout, { plan, session, task: 'one', ...about('work') });
    expect(transaction).toMatchObject({ plan, session, task: 'one', ...about('work') });
    expect(transaction.folder['backlog.yaml']).toBe(sha256('tasks: []\n'));
    expect(await loadTransaction(nodeDisk, paths, plan)).toEqual(transaction);
  });

  test('writes transaction.json last, so that a half-made staging is not taken for a whole one', async () => {
    const written: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, path) => void (name === 'rename' && written.push(path)));
    const { services, plan, layout } = await makePlanWorld({ plan: everything });
    await stage(disk, layout, { plan, session: services.newUlid(), ...about('work') });
    expect(written.findIndex((path) => path.includes('transaction.json'))).toBe(written.length - 1);
    expect(written.length).toBeGreaterThan(4);
  });

  test('refuses to load a transaction whose staging folder is gone, and names the folder', async () => {
    const { services, plan, layout } = await makePlanWorld();
    const { paths } = await stage(nodeDisk, layout, { plan, session: services.newUlid(), ...about('work') });
    rmSync(paths.root, { recursive: true });
    const problem = await failureOf(() => loadTransaction(nodeDisk, paths, plan));
    expect(problem).toMatchObject({ code: 'plan/gone', subject: plan });
    expect(problem.message).toContain(paths.root);
  });

  test('has a distinct path for each part, all below its root', () => {
    const { root, ...paths } = stagingPaths('/staging');
    expect(new Set(Object.values(paths)).size).toBe(Object.keys(paths).length);
    for (const path of Object.values(paths)) expect(path.startsWith(`${root}/`)).toBe(true);
    expect(existsSync(root)).toBe(false);
  });
});

test('the hashes of a plan folder cover its own files and links, not children, rendered views, archives or temporary files', async () => {
  const folder = await makeTemporaryDirectory();
  await nodeDisk.makeDirectory(join(folder, 'child'));
  await writeFile(join(folder, 'child', 'backlog.yaml'), 'of a child');
  for (const name of ['backlog.yaml', 'backlog.md', 'memory.md', 'session-log.md', '.backlog.yaml.a1.tmp', 'note']) {
    await writeFile(join(folder, name), name);
  }
  await symlink('note', join(folder, 'link'));
  for (const name of ['backlog.2026-01.jsonl', 'session-log.2026-01-02.yaml', 'session-log.2026-01-02.2.yaml']) {
    await writeFile(join(folder, name), name);
  }
  await symlink('note', join(folder, 'session-log.2026-01-03.yaml'));
  expect(await hashFolder(nodeDisk, folder)).toEqual({
    'backlog.yaml': sha256('backlog.yaml'),
    note: sha256('note'),
    link: 'link:note',
    'session-log.2026-01-03.yaml': 'link:note',
  });
});

test('a file that is gone between the look at the folder and its reading has no hash', async () => {
  const folder = await makeTemporaryDirectory();
  await writeFile(join(folder, 'note'), 'note');
  const disk: Disk = {
    ...nodeDisk,
    readDirectory: async (path) => [...(await nodeDisk.readDirectory(path)), { name: '4913', kind: 'file' }],
  };
  expect(await hashFolder(disk, folder)).toEqual({ note: sha256('note') });
});

test('changed names are those whose hash differs between two looks, sorted', () => {
  const check = (before: Record<string, string>, after: Record<string, string>, expected: string[]) =>
    expect(changedHashes(before, after)).toEqual(expected);
  check({ a: '1' }, { a: '1' }, []);
  check({ b: '1', a: '1' }, { b: '2', a: '2' }, ['a', 'b']);
  check({ a: '1' }, {}, ['a']);
  check({}, { z: '1', a: '1' }, ['a', 'z']);
});
