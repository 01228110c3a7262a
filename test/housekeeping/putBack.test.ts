import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { toSystemPath } from '../../src/base/fileNames.ts';
import { ensureDirectory } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createGit } from '../../src/git/git.ts';
import { inspectForCommits } from '../../src/git/repository.ts';
import { putBackSource } from '../../src/housekeeping/snapshots/putBack.ts';
import type { Ulid } from '../../src/model/id.ts';
import { copyDirty } from '../../src/plans/commits/leftSource.ts';
import { endUnfinished } from '../../src/plans/phases/phaseEnd.ts';
import { takeWorkBaseline } from '../../src/plans/phases/preflight.ts';
import { updateRunState } from '../../src/vault/runState.ts';
import { failureOf } from '../support/failureOf.ts';
import { makePlanWorld, type PlanWorld } from '../support/planServices.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { diskChanges, systemError, traceDisk } from '../support/tracingDisk.ts';

/** A name that is not valid UTF-8, as `decodeName` has it. */
const oddName = 'odd \udcff "name"\n.txt';

const source = {
  'kept.txt': 'kept\n',
  'changed.txt': 'old\n',
  'removed/deep/file.txt': 'was here\n',
  'tool.sh': '#!/bin/sh\n',
  'became-folder': 'a file\n',
  'became-file/inside.txt': 'in a folder\n',
  'mine.txt': 'committed\n',
};

interface Ended {
  readonly world: PlanWorld;
  readonly session: string;
  readonly at: (path: string) => string | Buffer;
  readonly put: (
    asked?: { readonly paths?: readonly string[]; readonly to?: 'before' | 'after' },
    disk?: Disk,
  ) => ReturnType<typeof putBackSource>;
}

/** A project in which a work session did `work` after a person had changed `mine.txt` and added `own.txt`, and failed. */
async function makeEnded(work: (project: string) => void, more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const world = await makePlanWorld({ source: { ...source, ...more } });
  const { services, location, project, plan } = world;
  symlinkSync('kept.txt', join(project, 'link'));
  await world.git('add', '--all');
  await world.git('commit', '--quiet', '--message=A link');
  writeFileSync(join(project, 'mine.txt'), 'a person wrote this\n');
  writeFileSync(join(project, 'own.txt'), 'and added this\n');
  const session = services.newUlid();
  const baseline = await takeWorkBaseline(services, location, await inspectForCommits(services.git, project));
  expect(await copyDirty(services, location, session, baseline.dirty)).toBe(true);
  await ensureDirectory(nodeDisk, services.layout.plans);
  await updateRunState(services, plan, (old) => ({
    ...old,
    workSession: session,
    baselines: { work: { ...baseline, copies: session } },
    running: { phase: 'work', step: 'session', session, startedAt: '2026-11-01T00:00:00Z' },
  }));
  work(project);
  await updateRunState(services, plan, ({ running: _running, ...old }) => old);
  await endUnfinished(services, { plan, phase: 'work', session }, { end: 'failed', reason: 'it crashed' });
  return {
    world,
    session,
    at: (path) => toSystemPath(join(project, path)),
    put: ({ paths, to = 'before' } = {}, disk = nodeDisk) => {
      const environment = { PATH: process.env['PATH'] ?? '', HOME: world.folder, GIT_CONFIG_NOSYSTEM: '1' };
      const git = createGit({ environment, clock: services.clock, disk: nodeDisk });
      const locks = {
        withPlan: <T>(_plan: unknown, _signal: unknown, run: (stop: AbortSignal) => Promise<T>) =>
          run(new AbortController().signal),
      };
      const trees = { withTree: <T>(_location: unknown, _phase: unknown, run: () => Promise<T>) => run() };
      const asked = { to, ...(paths !== undefined && { paths: [...paths] }) };
      return putBackSource({ services: { ...services, git, disk }, locks, trees }, location, asked);
    },
  };
}

function everyChange(project: string): void {
  writeFileSync(join(project, 'changed.txt'), 'new\n');
  rmSync(join(project, 'removed'), { recursive: true });
  chmodSync(join(project, 'tool.sh'), 0o755);
  unlinkSync(join(project, 'link'));
  symlinkSync('/etc/passwd', join(project, 'link'));
  mkdirSync(join(project, 'added/deep'), { recursive: true });
  writeFileSync(join(project, 'added/deep/new.txt'), 'new\n');
  writeFileSync(toSystemPath(join(project, oddName)), 'new\n');
  unlinkSync(join(project, 'became-folder'));
  mkdirSync(join(project, 'became-folder'));
  writeFileSync(join(project, 'became-folder/inside.txt'), 'new\n');
  rmSync(join(project, 'became-file'), { recursive: true });
  writeFileSync(join(project, 'became-file'), 'new\n');
  writeFileSync(join(project, 'mine.txt'), 'the session wrote over it\n');
  unlinkSync(join(project, 'own.txt'));
}

const allPaths = [
  'added/deep/new.txt',
  'became-file',
  'became-file/inside.txt',
  'became-folder',
  'became-folder/inside.txt',
  'changed.txt',
  'link',
  'mine.txt',
  oddName,
  'own.txt',
  'removed/deep/file.txt',
  'tool.sh',
];

/** Every file and link below a folder but those of git and the plans: its kind, whether it can be run, and what is in it. */
function treeOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (at: string): void => {
    for (const entry of readdirSync(toSystemPath(join(folder, at)), { withFileTypes: true, encoding: 'buffer' })) {
      const path = join(at, entry.name.toString('latin1'));
      if (at === '' && ['.git', 'ravel'].includes(path)) continue;
      const file = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
      const stat = lstatSync(file);
      if (stat.isDirectory()) {
        found[`${path}/`] = 'folder';
        visit(path);
      } else if (stat.isSymbolicLink()) found[path] = `link to ${readlinkSync(file)}`;
      else found[path] = `${(stat.mode & 0o111) === 0 ? 'file' : 'program'} ${readFileSync(file, 'utf8')}`;
    }
  };
  visit('');
  return found;
}

describe('putting back what an unfinished work session changed', { timeout: 120_000 }, () => {
  test('gives every path its earlier content, kind and mode, and undoes it again', async () => {
    let before = {};
    const { world, put } = await makeEnded((project) => {
      before = treeOf(project);
      everyChange(project);
    });
    const left = treeOf(world.project);
    expect(left).not.toEqual(before);
    expect(await put()).toMatchObject({ done: [...allPaths].sort(), already: [], refused: [] });
    expect(treeOf(world.project)).toEqual(before);
    expect(await put()).toMatchObject({ done: [], already: allPaths, refused: [] });
    expect(await put({ to: 'after' })).toMatchObject({ done: [...allPaths].sort(), refused: [] });
    expect(treeOf(world.project)).toEqual(left);
    expect(await put()).toMatchObject({ refused: [] });
    expect(treeOf(world.project)).toEqual(before);
  });

  test('takes single files, and names what the session had not changed', async () => {
    const { world, put } = await makeEnded(everyChange);
    expect(await put({ paths: ['changed.txt', 'kept.txt', '../outside.txt', '.git/config'] })).toMatchObject({
      done: ['changed.txt'],
      refused: [
        { path: 'kept.txt', why: expect.stringContaining('not among') },
        { path: '../outside.txt', why: expect.stringContaining('not among') },
        { path: '.git/config', why: expect.stringContaining('not among') },
      ],
    });
    expect(readFileSync(join(world.project, 'changed.txt'), 'utf8')).toBe('old\n');
    expect(readFileSync(join(world.project, 'mine.txt'), 'utf8')).toBe('the session wrote over it\n');
  });

  test('a file that a person changed since is never overwritten, in either direction', async () => {
    const { world, put } = await makeEnded(everyChange);
    const write = (path: string) => writeFileSync(join(world.project, path), 'a person again\n');
    const text = (path: string) => readFileSync(join(world.project, path), 'utf8');
    write('changed.txt');
    write('added/deep/new.txt');
    mkdirSync(join(world.project, 'removed/deep'), { recursive: true });
    write('removed/deep/file.txt');
    const { refused } = await put();
    expect(refused.map(({ path, why }) => [path, why])).toEqual(
      ['added/deep/new.txt', 'changed.txt', 'removed/deep/file.txt'].map((path) => [
        path,
        'it was changed after the session had ended',
      ]),
    );
    for (const { path } of refused) expect(text(path)).toBe('a person again\n');
    write('mine.txt');
    expect((await put({ to: 'after', paths: ['mine.txt'] })).refused).toEqual([
      { path: 'mine.txt', why: 'it was changed after it had been put back' },
    ]);
    expect(text('mine.txt')).toBe('a person again\n');
  });

  test('what a person saves at the last moment stays', async () => {
    const { world, put } = await makeEnded((project) => {
      writeFileSync(join(project, 'changed.txt'), 'new\n');
      writeFileSync(join(project, 'added.txt'), 'new\n');
    });
    for (const path of ['changed.txt', 'added.txt']) {
      const file = join(world.project, path);
      const saving = traceDisk(nodeDisk, (_n, operation, at) => {
        const isLast = operation === (path === 'added.txt' ? 'unlink' : 'rename');
        if (isLast && (at === file || at.includes('.ravel-put.'))) writeFileSync(file, 'saved by a person\n');
      });
      expect(await put({ paths: [path] }, saving)).toMatchObject({ done: [], refused: [{ path }] });
      expect(readFileSync(file, 'utf8')).toBe('saved by a person\n');
    }
    expect(readdirSync(world.project).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a file behind a folder that became a link is refused, and what the link leads to stays', async () => {
    const { world, put } = await makeEnded((project) => {
      writeFileSync(join(project, 'removed/deep/file.txt'), 'new\n');
      mkdirSync(join(project, 'added'));
      writeFileSync(join(project, 'added/new.txt'), 'new\n');
    });
    const outside = await makeTemporaryDirectory();
    mkdirSync(join(outside, 'deep'));
    writeFileSync(join(outside, 'deep/file.txt'), 'new\n');
    writeFileSync(join(outside, 'new.txt'), 'new\n');
    for (const [folder, target] of [
      ['removed', outside],
      ['added', outside],
    ] as const) {
      renameSync(join(world.project, folder), join(world.project, `${folder}-moved`));
      symlinkSync(target, join(world.project, folder));
    }
    expect(await put()).toMatchObject({
      done: [],
      // Of the project, nothing is there any more.
      already: ['added/new.txt'],
      refused: [{ path: 'removed/deep/file.txt' }],
    });
    expect(treeOf(outside)).toEqual({ 'deep/': 'folder', 'deep/file.txt': 'file new\n', 'new.txt': 'file new\n' });
  });

  test('a folder that is swapped for a link before any step of the disk leads nothing out of the project', async () => {
    const { world, put } = await makeEnded((project) => {
      writeFileSync(join(project, 'removed/deep/file.txt'), 'new\n');
      mkdirSync(join(project, 'removed/more'));
      writeFileSync(join(project, 'removed/more/new.txt'), 'new\n');
      rmSync(join(project, 'became-file'), { recursive: true });
    });
    const folder = join(world.project, 'removed');
    const outside = await makeTemporaryDirectory();
    const fill = () => {
      rmSync(outside, { recursive: true, force: true });
      for (const name of ['deep', 'more']) mkdirSync(join(outside, name), { recursive: true });
      writeFileSync(join(outside, 'deep/file.txt'), 'new\n');
      writeFileSync(join(outside, 'more/new.txt'), 'new\n');
    };
    let swaps = 0;
    for (let at = 1; ; at++) {
      fill();
      const expected = treeOf(outside);
      let count = 0;
      const swapping = traceDisk(nodeDisk, (_n, _operation, path) => {
        if (!path.startsWith(`${folder}/`) || ++count !== at) return;
        renameSync(folder, `${folder}-moved`);
        symlinkSync(outside, folder);
        swaps++;
      });
      await put({}, swapping);
      expect(treeOf(outside), `swapped before operation ${at}`).toEqual(expected);
      if (count < at) break;
      unlinkSync(folder);
      renameSync(`${folder}-moved`, folder);
      // As the session left it, whatever was put back by then.
      expect((await put({ to: 'after' })).refused).toEqual([]);
    }
    expect(swaps).toBeGreaterThan(20);
  });

  test('a call that is cut short before any change of the disk loses nothing, and the next one goes on', async () => {
    let before = {};
    const { world, put } = await makeEnded((project) => {
      before = treeOf(project);
      everyChange(project);
    });
    const left = treeOf(world.project);
    const { 'own.txt': _own, ...contents } = { ...left };
    let stopped = 0;
    for (let at = 1; ; at++) {
      let changes = 0;
      // Nothing happens any more from there on, as if the process were gone.
      const stopping = traceDisk(nodeDisk, (_n, operation) => {
        if (diskChanges.has(operation) && ++changes >= at) throw systemError('EIO');
      });
      const cut = await put({}, stopping).then(
        ({ refused }) => refused.length > 0,
        () => true,
      );
      expect((await put()).refused, `stopped before change ${at}`).toEqual([]);
      expect(treeOf(world.project), `stopped before change ${at}`).toEqual(before);
      expect((await put({ to: 'after' })).refused).toEqual([]);
      expect(treeOf(world.project), `and undone, at ${at}`).toEqual(left);
      if (!cut) break;
      stopped++;
    }
    expect(Object.keys(contents).length).toBeGreaterThan(8);
    expect(stopped).toBeGreaterThan(40);
  });

  test('a full disk is told for each file, and what the session left stays whole', async () => {
    const { world, put } = await makeEnded(everyChange);
    const left = treeOf(world.project);
    const full = traceDisk(nodeDisk, (_n, operation, path) => {
      if (operation === 'open' && path.endsWith('.tmp')) throw systemError('ENOSPC');
    });
    const { done, refused } = await put({ paths: ['changed.txt', 'mine.txt'] }, full);
    expect(done).toEqual([]);
    expect(refused.map(({ why }) => why)).toEqual(Array(2).fill(expect.stringContaining('The disk is full')));
    expect(treeOf(world.project)).toEqual(left);
  });

  test('line ends are those of the working tree, and files behind a filter of git are left to git', async () => {
    const { world, put } = await makeEnded((project) => {
      writeFileSync(join(project, '.gitattributes'), '*.txt eol=crlf\n*.bin filter=lfs\n');
      writeFileSync(join(project, 'changed.txt'), 'new\r\n');
      writeFileSync(join(project, 'new.bin'), 'new\n');
    });
    expect(await put({ paths: ['changed.txt', 'new.bin'] })).toMatchObject({ done: ['changed.txt', 'new.bin'] });
    expect(readFileSync(join(world.project, 'changed.txt'), 'utf8')).toBe('old\r\n');
    writeFileSync(join(world.project, '.gitattributes'), 'changed.txt filter=lfs\n');
    expect((await put({ to: 'after', paths: ['changed.txt'] })).refused).toEqual([
      { path: 'changed.txt', why: expect.stringContaining('through a filter') },
    ]);
  });

  test('line ends are those of the attributes as they were, in both directions, wherever those are', async () => {
    let before = {};
    const { world, put } = await makeEnded(
      (project) => {
        before = treeOf(project);
        const write = (path: string, text: string) => writeFileSync(join(project, path), text);
        rmSync(join(project, 'removed'), { recursive: true });
        write('.gitattributes', '*.txt eol=crlf\n');
        write('changed.txt', 'new\r\n');
        write('removed', 'a file in the place of attributes\n');
        mkdirSync(join(project, 'added'));
        write('added/.gitattributes', '* -text\n');
        unlinkSync(join(project, 'became-folder'));
        mkdirSync(join(project, 'became-folder'));
        write('became-folder/.gitattributes', '* -text\n');
        write('became-folder/inside.txt', 'new\n');
      },
      { 'removed/.gitattributes': '*.txt eol=crlf\n', 'removed/deep/file.txt': 'was here\r\n' },
    );
    const left = treeOf(world.project);
    for (let time = 0; time < 2; time++) {
      expect((await put()).refused).toEqual([]);
      expect(treeOf(world.project)).toEqual(before);
      expect((await put({ to: 'after' })).refused).toEqual([]);
      expect(treeOf(world.project)).toEqual(left);
    }
  });

  test('files beyond those that are recorded are counted, unless single ones are put back', async () => {
    const { world, session, put } = await makeEnded(everyChange);
    const record = join(world.services.layout.sourceOf(world.plan, session as Ulid), 'left.json');
    writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), more: 7 }));
    expect(await put({ paths: ['changed.txt'] })).toMatchObject({ more: 0 });
    expect(await put()).toMatchObject({ more: 7 });
  });

  test('without a record, or for another session, nothing is put back', async () => {
    const { world, session, put } = await makeEnded(everyChange);
    const left = treeOf(world.project);
    await updateRunState(world.services, world.plan, (old) => ({ ...old, workSession: world.services.newUlid() }));
    expect(await failureOf(() => put())).toMatchObject({ code: 'source/notRecorded' });
    rmSync(world.services.layout.sourceOf(world.plan, session as Ulid), { recursive: true });
    await updateRunState(world.services, world.plan, (old) => ({ ...old, workSession: session as Ulid }));
    expect(await failureOf(() => put())).toMatchObject({ code: 'source/notRecorded' });
    expect(treeOf(world.project)).toEqual(left);
  });
});
