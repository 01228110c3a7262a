import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DirectoryEntry } from '../../../src/base/disk.ts';
import { confineHooks } from '../../../src/plans/commits/confineHooks.ts';
import { failureOf } from '../../support/failureOf.ts';
import { type HooksWorld, type HooksWorldOptions, makeHooksWorld } from '../../support/hooksWorld.ts';
import { testNeeding } from '../../support/machine.ts';
import { noConfiner } from '../../support/noConfiner.ts';
import { makePlanWorld } from '../../support/planServices.ts';
import { processesOfSession } from '../../support/sessionProcesses.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

describe('a hook of the repository, run by a commit,', () => {
  testNeeding(
    needs,
    'reads nothing of the home folder, of the vault and of secrets that git does not know',
    async () => {
      const world = await makeHooksWorld();
      const secrets = ['.ssh/id_rsa', 'notes.txt', 'vault/daemon.toml', 'Demo/.env'];
      for (const path of secrets) world.write(path, 'CANARY\n');
      const paths = secrets.map((path) => `'${join(world.home, path)}'`).join(' ');
      world.program(
        'Demo/.git/hooks/pre-commit',
        `cat ${paths} > seen.txt 2>&1; ls -A ~ ~/.ssh >> seen.txt; env >> seen.txt`,
      );
      expect(await world.commit()).toMatchObject({ outcome: 'committed' });
      const seen = readFileSync(join(world.project, 'seen.txt'), 'utf8');
      expect(seen).toContain('No such file');
      expect(seen).not.toMatch(/CANARY|notes\.txt$/m);
    },
  );

  testNeeding(needs, 'changes nothing outside, and neither settings nor hooks of its repository', async () => {
    const world = await makeHooksWorld();
    world.write('Demo/included', '[alias]\n\tco = checkout\n');
    world.write('Demo/empty', '');
    await world.git('config', 'include.path', '../included');
    await world.git('config', 'includeIf.onbranch:later.path', '../empty');
    const script = [
      'echo x >> included; mv included i; rm -f included; echo x >> empty',
      'echo x > ~/evil; echo x > ../evil; echo x >> ~/.gitconfig; echo x > ../vault/evil; mkdir ../vault/runtime/evil',
      'echo x >> .git/config; git config core.editor evil; mv .git/config .git/c; rm -f .git/config',
      'echo x > .git/hooks/pre-push; echo x >> "$0"; mv .git/hooks .git/h; mv .git g; true',
    ];
    world.program('Demo/.git/hooks/pre-commit', script.join('\n'));
    const before = snapshot(world.home);
    await world.commit();
    const after = snapshot(world.home);
    expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual(['Demo/a.txt']);
    expect(existsSync(join(world.home, 'evil'))).toBe(false);
  });

  testNeeding(needs, 'changes no plan', async () => {
    const world = await makeHooksWorld();
    // What hides a secret must not bring the folder around it back.
    world.write('Demo/ravel/project-root/.env', 'A=1\n');
    const plans = snapshot(join(world.project, 'ravel'));
    const script =
      'git diff-files --exit-code ravel && echo evil > ravel/project-root/memory.yaml && echo x > ravel/new';
    world.program(
      'Demo/.git/hooks/pre-commit',
      `${script} && [ ! -s ravel/project-root/.env ] && find ravel -type f ! -name .env -delete`,
    );
    expect(await world.commit()).toMatchObject({ outcome: 'committed' });
    expect(snapshot(join(world.project, 'ravel'))).toEqual(plans);
    expect(await world.git('status', '--porcelain', 'ravel')).toBe('?? ravel/project-root/.env\n');
  });

  testNeeding(needs, 'reaches neither the socket of the owner nor the network', async () => {
    const world = await makeHooksWorld();
    let connections = 0;
    const listen = (at: string | number) => {
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      });
      onTestFinished(() => void server.close());
      return new Promise<number>((resolve) => {
        const onListening = () => {
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : 0);
        };
        if (typeof at === 'string') server.listen(at, onListening);
        else server.listen(at, '127.0.0.1', onListening);
      });
    };
    mkdirSync(dirname(world.services.socketPath), { recursive: true });
    await listen(world.services.socketPath);
    const port = await listen(0);
    const connect = (to: string) =>
      `node -e 'require("node:net").connect(${to}).on("connect",()=>console.log("IN")).on("error",(e)=>console.log(e.code))' >> said.txt`;
    const script = [connect(JSON.stringify(world.services.socketPath)), connect(String(port))].join('\n');
    world.program('Demo/.git/hooks/pre-commit', script);
    await world.commit();
    expect(readFileSync(join(world.project, 'said.txt'), 'utf8')).toBe('ENOENT\nECONNREFUSED\n');
    expect(connections).toBe(0);
  });

  testNeeding(needs, 'leaves no process behind', async () => {
    const world = await makeHooksWorld();
    const session = `of-${basename(world.home)}`;
    const daemon = `RAVEL_SESSION=${session} setsid nohup sleep 1000 </dev/null >/dev/null 2>&1 &`;
    world.program('Demo/.git/hooks/pre-commit', `${daemon}\necho started > started.txt`);
    await world.commit();
    expect(existsSync(join(world.project, 'started.txt'))).toBe(true);
    // The system ends them with their namespace, and does not report when it is done.
    await expect.poll(() => processesOfSession(session)).toEqual([]);
  });
});

test('hooks do not run, and the commit says why, if not all files with secrets can be found', async () => {
  const { services, project } = await makePlanWorld({ source: { 'a.txt': 'one\n' } });
  // More entries than a search takes; they share one object, since only their number counts.
  const crowded = new Array<DirectoryEntry>(1_000_001).fill({ name: 'a', kind: 'directory' });
  const disk = {
    ...services.disk,
    readDirectory: (path: string) =>
      path.startsWith(project) && !path.includes('.git') ? Promise.resolve(crowded) : services.disk.readDirectory(path),
  };
  const gitDirectory = join(project, '.git');
  const place = { root: project, gitDirectory, commonDirectory: gitDirectory, hooks: [], settings: [] };
  expect(await failureOf(() => confineHooks({ ...services, disk }, place))).toMatchObject({
    code: 'sandbox/unavailable',
    message: expect.stringContaining('Files with secrets cannot be hidden') as string,
  });
});

/** Every file below a folder with its text, but for what git writes with each commit and the sandbox while it is there. */
function snapshot(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (/\.git\/(?:objects|logs|refs|index|COMMIT_EDITMSG)|^vault\/runtime\/hooks$/.test(path)) continue;
    files[path] = entry.isFile() ? readFileSync(join(root, path), 'latin1') : 'folder';
  }
  return files;
}

/** The steps of lint-staged 15 around one formatter. */
const lintStaged = `
const { execFileSync } = require("node:child_process");
const { readFileSync, writeFileSync, unlinkSync } = require("node:fs");
const git = (...args) => execFileSync("git", args, { encoding: "utf8" });
const files = git("diff", "--name-only", "-z", "--diff-filter=ACMR", "--staged").split("\\0").filter(Boolean);
const patch = git("rev-parse", "--git-dir").trim() + "/lint-staged_unstaged.patch";
const hash = git("stash", "create").trim();
git("stash", "store", "--quiet", "--message", "lint-staged automatic backup", hash);
git("diff", "--binary", "--unified=0", "--no-color", "--no-ext-diff", "--patch", "--output", patch, "--", ...files);
for (const file of files) writeFileSync(file, readFileSync(file, "utf8").trimEnd() + ", formatted\\n");
git("add", "--", ...files);
unlinkSync(patch);
git("stash", "drop", "--quiet", "stash@{0}");
`;

describe('hooks in the sandbox work as they do outside:', () => {
  interface Case {
    readonly programs: Readonly<Record<string, string>>;
    readonly before?: (world: HooksWorld) => unknown;
    readonly after?: (world: HooksWorld) => unknown;
    /** Of the commit: its files and its whole message. */
    readonly files?: readonly string[];
    readonly message?: string;
  }
  const hook = (name: string) => `Demo/.git/hooks/${name}`;
  const cases: Readonly<Record<string, Case>> = {
    'one that adds a file': {
      programs: { [hook('pre-commit')]: 'echo made > made.txt && git add made.txt' },
      files: ['a.txt', 'made.txt'],
    },
    'one that stages everything, of which the plans are committed as they are': {
      programs: {
        [hook('pre-commit')]:
          'echo made > made.txt; echo x > ravel/project-root/memory.yaml; echo x > "ravel/it\'s new"; git rm -q --cached ravel/project-root/phase.md; git add --all',
      },
      before: ({ project }) => writeFileSync(join(project, 'ravel/project-root/memory.yaml'), 'entries: [] # dirty\n'),
      files: ['a.txt', 'made.txt'],
    },
    'Husky with lint-staged, which puts what is not staged away': {
      programs: {
        'Demo/.husky/_/pre-commit': '. "$(dirname "$0")/h"',
        'Demo/.husky/_/h': [
          'n=$(basename "$0"); s=$(dirname "$(dirname "$0")")/$n',
          '[ ! -f "$s" ] && exit 0',
          'export PATH="node_modules/.bin:$PATH"; sh -e "$s" "$@"; c=$?; exit $c',
        ].join('\n'),
        'Demo/.husky/pre-commit': 'lint-staged',
        'Demo/node_modules/.bin/lint-staged': `exec node -e '${lintStaged}'`,
      },
      before: async ({ project, git }) => {
        await git('config', 'core.hooksPath', '.husky/_');
        writeFileSync(join(project, '.git/info/exclude'), 'node_modules\n.husky\n');
        writeFileSync(join(project, 'b.txt'), 'dirty\n');
      },
      after: async ({ project, git }) => {
        expect(await git('show', 'HEAD:a.txt')).toBe('two, formatted\n');
        expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe('dirty\n');
        expect(await git('status', '--porcelain')).toBe(' M b.txt\n');
        expect(await git('stash', 'list')).toBe('');
      },
    },
    'pre-commit, which puts what is not staged away into its cache': {
      programs: {
        '.cache/pre-commit/repo1/py_env/bin/check': 'grep -q one b.txt && ! grep -q three "$@"',
        [hook('pre-commit')]: [
          'patch=~/.cache/pre-commit/patch1; tree=$(git write-tree)',
          'git diff-index --ignore-submodules --binary --exit-code --no-color --no-ext-diff $tree -- > $patch && exit 3',
          'git -c submodule.recurse=0 checkout -- . || exit 4',
          '~/.cache/pre-commit/repo1/py_env/bin/check $(git diff --staged --name-only --no-ext-diff --diff-filter=ACMRTUXB) || exit 5',
          'git -c core.autocrlf=false apply --whitespace=nowarn $patch',
        ].join('\n'),
      },
      before: ({ project }) => {
        writeFileSync(join(project, 'b.txt'), 'dirty\n');
        writeFileSync(join(project, 'ravel/project-root/memory.yaml'), 'entries: [] # dirty\n');
      },
      after: async ({ git }) =>
        expect(await git('status', '--porcelain')).toBe(' M b.txt\n M ravel/project-root/memory.yaml\n'),
    },
    'one that changes the message': {
      programs: { [hook('commit-msg')]: `echo "Signed: it's me" >> "$1"` },
      message: "Change things\nSigned: it's me\n",
    },
    'one that puts what is not committed away and back': {
      programs: {
        [hook('pre-commit')]: 'git diff > p && git checkout -- . && grep -q one b.txt && git apply p && rm p',
      },
      before: ({ project }) => {
        writeFileSync(join(project, 'b.txt'), 'dirty\n');
        writeFileSync(join(project, 'ravel/project-root/memory.yaml'), 'entries: [] # dirty\n');
      },
    },
    'one that makes a commit of its own afterwards': {
      programs: {
        [hook('post-commit')]:
          '[ -e .once ] || { echo x > .once; unset GIT_INDEX_FILE; git commit -q --allow-empty -m After; }',
      },
      message: 'After\n',
    },
    'a folder of hooks in the project': {
      programs: {
        'Demo/.husky/_/pre-commit': '. "$(dirname -- "$0")/h"',
        'Demo/.husky/_/h': 'echo "$0" > made.txt; git add made.txt',
      },
      before: ({ git }) => git('config', 'core.hooksPath', '.husky/_'),
      files: ['a.txt', 'made.txt'],
    },
    'a hook that is a link to a file of the home folder': {
      programs: { 'dotfiles/check': 'echo made > made.txt; git add made.txt' },
      before: ({ home }) => {
        mkdirSync(join(home, hook('..'), 'hooks'), { recursive: true });
        symlinkSync(join(home, 'dotfiles/check'), join(home, hook('pre-commit')));
      },
      files: ['a.txt', 'made.txt'],
    },
    'a program that signs, which reads the home folder': {
      programs: {
        [hook('pre-commit')]: 'exit 0',
        'sign/gpg':
          'cat > /dev/null; cat ~/sign/key > /dev/null || exit 1; echo "[GNUPG:] SIG_CREATED " >&2; printf -- "-----BEGIN PGP SIGNATURE-----\\n-----END PGP SIGNATURE-----\\n"',
      },
      before: async ({ home, git }) => {
        writeFileSync(join(home, 'sign/key'), 'key');
        await git('config', '--global', 'gpg.program', join(home, 'sign/gpg'));
        await git('config', '--global', 'commit.gpgSign', 'true');
      },
    },
    "a folder that a person's own settings name, which runs outside": {
      programs: { 'own/pre-commit': 'cp ~/notes.txt made.txt && git add made.txt' },
      before: async ({ home, git }) => {
        writeFileSync(join(home, 'notes.txt'), 'mine\n');
        await git('config', '--global', 'core.hooksPath', join(home, 'own'));
      },
      files: ['a.txt', 'made.txt'],
    },
    'one that works in the cache of pre-commit, whose programs stay as they are': {
      programs: {
        '.cache/pre-commit/repo1/check': 'exit 0',
        '.cache/pre-commit/db.db': 'index',
        [hook('pre-commit')]: [
          'cd ~/.cache/pre-commit && grep -q index db.db && echo more >> db.db && echo all > patch',
          './repo1/check && ! echo exit 1 > repo1/check && ! rm -r repo1 && cd - && cp ~/.cache/pre-commit/patch made.txt && git add made.txt',
        ].join(' && '),
      },
      after: ({ home }) =>
        expect(readFileSync(join(home, '.cache/pre-commit/db.db'), 'utf8')).toBe('#!/bin/sh\nindex\n'),
      files: ['a.txt', 'made.txt'],
    },
    'what Husky reads before each hook': {
      programs: {
        '.config/husky/init.sh': 'made=1',
        [hook('pre-commit')]: '. ~/.config/husky/init.sh && [ "$made" = 1 ]',
      },
    },
  };
  for (const [name, { programs, before, after, files = ['a.txt'], message = 'Change things\n' }] of Object.entries(
    cases,
  )) {
    testNeeding(needs, name, async () => {
      const world = await makeHooksWorld();
      for (const [path, script] of Object.entries(programs)) world.program(path, script);
      await before?.(world);
      expect(await world.commit()).toMatchObject({ outcome: 'committed' });
      expect(
        (await world.git('show', '--no-show-signature', '--format=', '--name-only')).split('\n').filter(Boolean),
      ).toEqual(files);
      expect((await world.git('log', '-1', '--no-show-signature', '--format=%B')).trim()).toBe(message.trim());
      await after?.(world);
      if (existsSync(world.services.layout.hooks)) expect(readdirSync(world.services.layout.hooks)).toEqual([]);
    });
  }

  testNeeding(needs, 'in a working tree whose path has blanks and quotes', async () => {
    const world = await makeHooksWorld();
    const tree = join(world.home, "it's a tree");
    await world.git('worktree', 'add', '--quiet', '-b', 'tree', tree);
    world.program(hook('commit-msg'), 'echo more >> "$1"; git config user.name Eve; echo x >> .git; true');
    expect(await world.commit('In a tree', tree)).toMatchObject({ outcome: 'committed' });
    expect(await world.git('-C', tree, 'log', '-1', '--format=%B%an')).toBe('In a tree\nmore\nAda\n');
  });
});

describe('whether hooks run in a sandbox:', () => {
  const outside = 'cp ~/notes.txt seen.txt';
  async function makeHooked(options: HooksWorldOptions): Promise<HooksWorld> {
    const world = await makeHooksWorld(options);
    world.write('notes.txt', 'mine\n');
    world.program('Demo/.git/hooks/pre-commit', outside);
    return world;
  }

  testNeeding(needs, 'a hook that fails because of the sandbox refuses the commit, and says where it ran', async () => {
    const world = await makeHooked({});
    await expect(world.commit()).rejects.toMatchObject({
      diagnostic: {
        code: 'git/hookRefused',
        message: expect.stringMatching(/sandbox, without your home folder.*notes\.txt/s) as string,
        help: expect.stringContaining('sandbox.commands') as string,
      },
    });
  });

  const outsideCases: Readonly<Record<string, HooksWorldOptions>> = {
    'not if it is switched off': { commands: 'off' },
    'not if there is none, and none is required': { confiner: noConfiner },
  };
  test.each(Object.entries(outsideCases))('%s', async (_name, options) => {
    const world = await makeHooked(options);
    expect(await world.commit()).toMatchObject({ outcome: 'committed' });
    expect(existsSync(join(world.project, 'seen.txt'))).toBe(true);
  });

  test('if one is required and missing, nothing is committed and no hook runs', async () => {
    const world = await makeHooked({ confiner: noConfiner, commands: 'required' });
    await expect(world.commit()).rejects.toMatchObject({ code: 'sandbox/unavailable' });
    expect(existsSync(join(world.project, 'seen.txt'))).toBe(false);
    expect(await world.git('log', '-1', '--format=%s')).toBe('Begin\n');
  });

  test('if one is required, a commit that starts no hook needs none', async () => {
    const world = await makeHooksWorld({ confiner: noConfiner, commands: 'required' });
    expect(await world.commit()).toMatchObject({ outcome: 'committed' });
  });

  testNeeding(needs, 'not in a repository that holds the vault, and no commit if one is required', async () => {
    const world = await makeHooked({ commands: 'preferred' });
    await world.git('init', '--quiet', '--initial-branch=main', world.home);
    world.program('.git/hooks/pre-commit', 'cp notes.txt seen.txt');
    expect(await world.commit('Around it', world.home)).toMatchObject({ outcome: 'committed' });
    expect(existsSync(join(world.home, 'seen.txt'))).toBe(true);
    const strict = await makeHooked({ commands: 'required' });
    await strict.git('init', '--quiet', '--initial-branch=main', strict.home);
    strict.program('.git/hooks/pre-commit', 'cp notes.txt seen.txt');
    await expect(strict.commit('Around it', strict.home)).rejects.toMatchObject({ code: 'sandbox/unavailable' });
    expect(existsSync(join(strict.home, 'seen.txt'))).toBe(false);
  });
});
