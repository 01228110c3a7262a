import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { takeFingerprint } from '../../../src/git/fingerprint.ts';
import { makeStandIns } from '../../../src/plans/commits/standIns.ts';
import { makeGitProject } from '../../support/gitProject.ts';
import { type HooksWorld, makeHooksWorld } from '../../support/hooksWorld.ts';
import { testNeeding } from '../../support/machine.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

describe('a hook of the repository changes nothing that decides what git runs', () => {
  interface Case {
    readonly before?: (world: HooksWorld) => Promise<unknown>;
    /** What the hook does, with a repository in `.evil` whose settings start a program. */
    readonly script: string;
    /** In which folder a person then looks, from the home folder. */
    readonly look: string;
    /** Where the commit is made; otherwise in the project. */
    readonly at?: string;
  }
  const addSubmodule = async ({ git, home }: HooksWorld) => {
    await git('clone', '--quiet', '.', join(home, 'inner'));
    await git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(home, 'inner'), 'sub');
    await git('commit', '--quiet', '--message', 'Add sub');
  };
  const addTree = ({ git, home }: HooksWorld) => git('worktree', 'add', '--quiet', '-b', 'tree', join(home, 'tree'));
  const evil = (home: string) => `touch ${join(home, 'ran')}; false`;
  const cases: Readonly<Record<string, Case>> = {
    'by a commondir if there was none': { script: 'echo ../.evil > .git/commondir', look: 'Demo' },
    'by the settings of a submodule': {
      before: addSubmodule,
      script: 'git config --file .git/modules/sub/config core.fsmonitor "$PROGRAM"',
      look: 'Demo',
    },
    'by a hook of a submodule': {
      before: addSubmodule,
      script:
        'printf "#!/bin/sh\\n$PROGRAM" > .git/modules/sub/hooks/post-index-change; chmod +x .git/modules/sub/hooks/*',
      look: 'Demo/sub',
    },
    'by moving the submodules away': {
      before: addSubmodule,
      script: 'mv .git/modules .git/m; mkdir -p .git/modules; cp -r .evil .git/modules/sub',
      look: 'Demo',
    },
    'by the commondir of another working tree': {
      before: addTree,
      script: 'echo "$PWD/.evil" > .git/worktrees/tree/commondir',
      look: 'tree',
    },
    'by settings of the working tree, if it had none': {
      before: async (world) => {
        await addTree(world);
        await world.git('config', 'extensions.worktreeConfig', 'true');
      },
      script: 'git config --worktree core.fsmonitor "$PROGRAM"',
      look: 'tree',
      at: 'tree',
    },
    'by a commondir of the first working tree, from another one': {
      before: addTree,
      script: 'echo "$PWD/.evil" > "$(git rev-parse --git-common-dir)/commondir"',
      look: 'Demo',
      at: 'tree',
    },
  };
  for (const [name, { before, script, look, at = 'Demo' }] of Object.entries(cases)) {
    testNeeding(needs, name, async () => {
      const world = await makeHooksWorld({ commands: 'required' });
      await before?.(world);
      const evilRepository = [
        'mkdir .evil; cp -r "$(git rev-parse --git-common-dir)"/objects "$(git rev-parse --git-common-dir)"/refs .evil/',
        'echo ref: refs/heads/main > .evil/HEAD',
        `PROGRAM='${evil(world.home)}'`,
        '(unset GIT_DIR GIT_INDEX_FILE; git config --file .evil/config core.fsmonitor "$PROGRAM")',
      ];
      world.program('Demo/.git/hooks/pre-commit', [...evilRepository, script, 'true'].join('\n'));
      const folder = join(world.home, at);
      await world.commit('Change', folder);
      expect(existsSync(join(folder, '.evil/config'))).toBe(true);
      await world.git('-C', join(world.home, look), 'status', '--short');
      await world.git('-C', join(world.home, look), 'reset', '--quiet');
      expect(existsSync(join(world.home, 'ran'))).toBe(false);
    });
  }

  testNeeding(needs, 'and still commits in a submodule, and leaves git as it was', async () => {
    const world = await makeHooksWorld({ commands: 'required' });
    await addSubmodule(world);
    world.program('Demo/.git/modules/sub/hooks/pre-commit', 'echo made > made.txt && git add made.txt');
    const sub = join(world.project, 'sub');
    await world.git('config', '--file', join(world.project, '.git/modules/sub/config'), 'user.name', 'Ada');
    expect(await world.commit('In a submodule', sub)).toMatchObject({ paths: ['a.txt', 'made.txt'] });
    const left = readdirSync(join(world.project, '.git/modules/sub'));
    expect(left.filter((path) => ['commondir', 'config.worktree'].includes(path))).toEqual([]);
  });

  testNeeding(needs, 'and takes away what a crash left in the way of these', async () => {
    const world = await makeHooksWorld({ commands: 'required' });
    world.program('Demo/.git/hooks/pre-commit', 'exit 0');
    world.write('Demo/.git/commondir', '.\n');
    expect(await world.commit()).toMatchObject({ outcome: 'committed' });
    expect(existsSync(join(world.project, '.git/commondir'))).toBe(false);
  });

  testNeeding(needs, 'unless settings lead its work tree elsewhere: then it has no sandbox', async () => {
    const world = await makeHooksWorld({ commands: 'required' });
    mkdirSync(join(world.project, 'below'));
    writeFileSync(join(world.project, 'below/a.txt'), 'one\n');
    await world.git('config', 'core.worktree', '../below');
    world.program('Demo/.git/hooks/pre-commit', 'touch ran');
    await expect(world.commit('Change', join(world.project, 'below'))).rejects.toMatchObject({
      code: 'sandbox/unavailable',
      diagnostic: { message: expect.stringContaining('core.worktree') as string },
    });
    expect(existsSync(join(world.project, '.git/commondir'))).toBe(false);
  });
});

describe('while hooks run for another plan, with files in place of those that are not there,', () => {
  const places: Readonly<Record<string, { readonly gitDirectory: string; readonly commonDirectory: string }>> = {
    'in the same working tree': { gitDirectory: '.git', commonDirectory: '.git' },
    'in another working tree': { gitDirectory: '.git/worktrees/tree', commonDirectory: '.git' },
    'in a submodule': { gitDirectory: '.git/modules/sub', commonDirectory: '.git/modules/sub' },
  };
  test.each(Object.entries(places))('a fingerprint is as before: %s', async (_name, place) => {
    const { git, root, person } = await makeGitProject({ files: { a: '1' } });
    await person('worktree', 'add', '--quiet', '-b', 'tree', join(root, '../tree'));
    await person('clone', '--quiet', '--bare', '.', '.git/modules/sub');
    const before = await takeFingerprint(git, root);
    const gitDirectory = join(root, place.gitDirectory);
    const commonDirectory = join(root, place.commonDirectory);
    const remove = await makeStandIns(nodeDisk, { root, gitDirectory, commonDirectory, hooks: [], settings: [] });
    expect(existsSync(join(commonDirectory, 'commondir'))).toBe(true);
    expect(existsSync(join(gitDirectory, 'config.worktree'))).toBe(true);
    expect(await takeFingerprint(git, root)).toEqual(before);
    await remove();
    expect(await takeFingerprint(git, root)).toEqual(before);
  });

  test('no git finds one of them half written', async () => {
    const { root } = await makeGitProject({ files: { a: '1' } });
    const commonDirectory = join(root, '.git');
    const seen: string[] = [];
    const look = () => {
      const path = join(commonDirectory, 'commondir');
      if (existsSync(path)) seen.push(readFileSync(path, 'utf8'));
    };
    const disk = {
      ...nodeDisk,
      open: async (...args: Parameters<typeof nodeDisk.open>) => {
        const file = await nodeDisk.open(...args);
        look();
        return file;
      },
    };
    const place = { root, gitDirectory: commonDirectory, commonDirectory, hooks: [], settings: [] };
    const remove = await makeStandIns(disk, place);
    await remove();
    expect(new Set(seen)).toEqual(new Set(['.\n']));
  });
});
