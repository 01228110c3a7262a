import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { systemFolders } from '../../../src/harness/confinement/systemFolders.ts';
import { testNeeding } from '../../support/machine.ts';
import {
  makeSandboxWorld,
  runIn,
  type SandboxOptions,
  type SandboxRun,
  type SandboxWorld,
} from '../../support/sandboxWorld.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

/** Runs a command in the sandbox of a project; `place` sees the folder that everything of the test lies in. */
async function check(
  command: string,
  options: Omit<SandboxOptions, 'place'> & {
    readonly place?: (root: string) => SandboxOptions['place'];
    readonly programs?: readonly string[];
  } = {},
  given?: string,
): Promise<SandboxRun> {
  const root = given ?? (await makeTemporaryDirectory());
  const place = options.place?.(root);
  const world = makeSandboxWorld(root, { ...options, place: { secretFiles: [], trackedSecrets: [], ...place } });
  for (const path of options.programs ?? []) chmodSync(join(root, path), 0o755);
  return confine(world, command);
}

async function confine(world: SandboxWorld, command: string): Promise<SandboxRun> {
  const found = await world.confiner.confine(world.place, new AbortController().signal);
  if (found.state !== 'confined') throw new Error(found.reason);
  return runIn({ ...world, project: world.place.project }, found.shell, command);
}

const beside = { 'other/notes.txt': 'CANARY\n', 'notes.txt': 'CANARY\n' };

describe('a command in the sandbox sees nothing beside its project', () => {
  const read = 'cat ../notes.txt ../other/notes.txt; ls -A .. ; find .. -name notes.txt -exec cat {} +';

  testNeeding(needs, 'for a project outside of the system folders', async () => {
    const { output } = await check(read, { files: beside });
    expect(output).toContain('project');
    expect(output).not.toMatch(/CANARY|^(?:other|notes\.txt)$/m);
  });

  testNeeding(needs, 'for a project in a system folder', async () => {
    // Not the folder of all tests, where sockets of others come and go.
    const system = await makeTemporaryDirectory();
    const root = join(system, 'place');
    mkdirSync(root);
    const { output } = await check(read, { files: beside, systemFolders: [...systemFolders, system] }, root);
    expect(output).toContain('project');
    expect(output).not.toMatch(/CANARY|^(?:other|notes\.txt)$/m);
  });

  testNeeding(needs, 'and of its repository what lies around it', async () => {
    const { output } = await check('cat ../b.txt ../../notes.txt', {
      files: { ...beside, 'project/b.txt': 'b\n', 'project/part/a.txt': 'a\n' },
      place: (root) => ({ project: join(root, 'project/part'), ravelDirectory: join(root, 'project/part/ravel') }),
    });
    expect(output).toMatch(/^b\n.*No such file/);
  });

  testNeeding(needs, 'for working trees side by side in a bare repository', async () => {
    const root = await makeTemporaryDirectory();
    const world = makeSandboxWorld(root, { files: { 'project/.gitignore': 'notes.txt\n' } });
    const common = join(root, 'bare');
    world.git('clone', '--quiet', '--bare', '.', common);
    for (const name of ['one', 'two']) world.git('-C', common, 'worktree', 'add', '--quiet', '-b', name, name);
    writeFileSync(join(common, 'two/notes.txt'), 'CANARY\n');
    const project = join(common, 'one');
    const repository = { root: project, gitDirectory: join(common, 'worktrees/one'), commonDirectory: common };
    const ravelDirectory = join(project, 'ravel');
    const place = { ...world.place, project, ravelDirectory, repository, secretFiles: [], trackedSecrets: [] };
    const { output } = await confine({ ...world, place }, 'git log --format=%s; git status --porcelain; cat ../two/*');
    expect(output).toMatch(/^Begin\ncat: .*No such file.*\n$/);
  });

  testNeeding(needs, 'in any folder at the root that is none of the system', async () => {
    const root = await makeTemporaryDirectory();
    const { output } = await check('for one in /*/; do printf "%s\\n" "$one"; done; ls -A /home /root', {}, root);
    const way = root.split('/')[1] ?? '';
    const known = new Set([
      ...systemFolders.map((path) => path.split('/')[1]),
      'dev',
      'proc',
      'run',
      'tmp',
      'var',
      way,
    ]);
    const seen = output.split('\n').flatMap((line) => /^\/([^/]+)\/$/.exec(line)?.[1] ?? []);
    expect(seen).toEqual(expect.arrayContaining(['usr', 'etc']));
    // A link at the root stays, and leads to what is there.
    const links = readdirSync('/', { withFileTypes: true }).flatMap((entry) =>
      entry.isSymbolicLink() ? entry.name : [],
    );
    expect(
      seen.filter((name) => !known.has(name) && !links.includes(name) && name !== 'home' && name !== 'root'),
    ).toEqual([]);
  });

  testNeeding(needs, 'and writes nowhere else', async () => {
    const { output } = await check('echo x > /srv-x; mkdir /mnt-x; echo x > /var/x; ls -d /srv-x /mnt-x /var/x');
    expect(output.match(/Read-only file system/g)).toHaveLength(3);
  });
});

describe('a command in the sandbox still has', () => {
  const tool = '#!/bin/sh\ncat "$(dirname "$0")/../lib/part"\n';
  const files = { 'sdk/bin/tool': tool, 'sdk/lib/part': 'the part of a tool\n', 'sdk/login': 'CANARY\n' };

  testNeeding(needs, 'the programs that PATH names, wherever they are', async () => {
    const root = await makeTemporaryDirectory();
    const environment = { PATH: `${root}/sdk/bin:/usr/bin:/bin` };
    expect(
      await check('tool; cat ../sdk/login', { files, environment, programs: ['sdk/bin/tool'] }, root),
    ).toMatchObject({
      output: expect.stringMatching(/^the part of a tool\ncat: .*No such file/) as string,
    });
  });

  testNeeding(needs, 'those that PATH names by a link', async () => {
    const root = await makeTemporaryDirectory();
    const environment = { PATH: `${root}/current/bin:/usr/bin:/bin` };
    symlinkSync(join(root, 'sdk'), join(root, 'current'));
    expect(await check('tool', { files, environment, programs: ['sdk/bin/tool'] }, root)).toEqual({
      code: 0,
      output: 'the part of a tool\n',
    });
  });

  testNeeding(needs, 'the tools of a home that is named by a link', async () => {
    const root = await makeTemporaryDirectory();
    const node = { 'home/.nvm/bin/tool': '#!/bin/sh\necho a tool\n', 'home/notes.txt': 'CANARY\n' };
    symlinkSync(join(root, 'home'), join(root, 'me'));
    const environment = { HOME: join(root, 'me'), PATH: `${root}/me/.nvm/bin:/usr/bin:/bin` };
    expect(
      await check(
        `tool; cat ${root}/me/notes.txt`,
        { files: node, environment, programs: ['home/.nvm/bin/tool'] },
        root,
      ),
    ).toMatchObject({
      output: expect.stringMatching(/^a tool\ncat: .*No such file/) as string,
    });
  });

  testNeeding(needs, 'folders that the settings name', async () => {
    const { output } = await check('cat ../other/notes.txt ../notes.txt; echo x > ../other/notes.txt', {
      files: beside,
      place: (root) => ({ readable: [join(root, 'other')] }),
    });
    expect(output).toMatch(/^CANARY\ncat: .*No such file.*\n.*Read-only file system\n$/);
  });

  testNeeding(needs, 'the objects that its repository borrows, and nothing else from their folder', async () => {
    const root = await makeTemporaryDirectory();
    const first = makeSandboxWorld(root);
    first.git('clone', '--quiet', '--shared', '.', join(root, 'clone/project'));
    const project = join(root, 'clone/project');
    const repository = { root: project, gitDirectory: join(project, '.git'), commonDirectory: join(project, '.git') };
    const ravelDirectory = join(project, 'ravel');
    const place = { ...first.place, project, ravelDirectory, repository, secretFiles: [], trackedSecrets: [] };
    const command = 'git log --format=%s; git status --porcelain; cat ../../project/src/a.txt';
    expect(await confine({ ...first, place }, command)).toMatchObject({
      output: expect.stringMatching(/^Begin\ncat: .*No such file/) as string,
    });
  });
});
