import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { Mount } from '../../../src/harness/confinement/sandboxLayout.ts';
import { findStrayMount } from '../../../src/harness/confinement/strayMount.ts';
import { decidingFiles } from '../../../src/model/decidingFiles.ts';
import { writeStandIn } from '../../support/bubblewrapStandIn.ts';
import { confined } from '../../support/confinedWorld.ts';
import { testNeeding } from '../../support/machine.ts';
import { makeSandboxWorld, runIn, type SandboxWorld } from '../../support/sandboxWorld.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;
const noSignal = new AbortController().signal;
const files = {
  'home/.cargo/config.toml': '',
  'home/.cargo/env': '',
  'home/.cargo/login': 'CANARY-cargo\n',
  'home/.config/git/ignore': '',
  'home/.config/gh/hosts.yml': 'CANARY-gh\n',
  'other/.git/config': '[core]\n',
};

/** A project whose files that decide what others run may not be changed, as for a session. */
async function decided(): Promise<SandboxWorld & { readonly shell: string }> {
  const root = await makeTemporaryDirectory();
  const fixed = decidingFiles.map((rule) => join(root, 'project', rule.replace(/\/$/, '')));
  for (const folder of ['home/.config/mise', 'other/.git/hooks']) mkdirSync(join(root, folder), { recursive: true });
  return confined({ files, place: { fixed, secretFiles: [], trackedSecrets: [] } }, root);
}

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path}: ${readFileSync(path, 'latin1')}`)
    .sort();
}

describe('a link that one session leaves opens nothing to the next, which is confined as well', () => {
  const links: Readonly<Record<string, readonly [leave: string, use: string]>> = {
    'to a folder of the project': ['mkdir -p src/d/workflows; ln -s "$PWD/src/d" .github', 'cat .github/x'],
    'to a folder of the home with an empty folder': [
      'ln -s ../home/.config .config',
      'cat .config/gh/hosts.yml; echo EVIL > .config/autostart.desktop',
    ],
    'to a folder of the home with files': [
      'ln -s ../home/.cargo .cargo',
      'cat .cargo/login; echo EVIL > .cargo/env; echo EVIL > .cargo/x',
    ],
    "to git's own files": ['ln -s .git .github', 'echo EVIL >> .git/config; echo EVIL > .github/hooks/post-checkout'],
    'to another repository': [
      'ln -s ../other/.git .github',
      'echo EVIL >> .github/config; echo EVIL > .github/hooks/x',
    ],
  };
  for (const [what, [leave, use]] of Object.entries(links)) {
    testNeeding(needs, what, async () => {
      const world = await decided();
      const outside = () => ['home', 'other', 'project/.git'].flatMap((name) => everyFile(join(world.root, name)));
      const before = outside();
      await runIn(world, world.shell, leave);
      const next = await world.confiner.confine(world.place, noSignal);
      if (next.state !== 'confined') throw new Error(next.reason);
      const { output } = await runIn(world, next.shell, use);
      expect(output).not.toContain('CANARY');
      expect(outside()).toEqual(before);
    });
  }
});

describe('files of a project that keep its sandbox from being built are not a reason to run without one', () => {
  const left: Readonly<Record<string, readonly [leave: string, reason: RegExp]>> = {
    'a project that cannot be written': ['chmod 555 .', /could not write into the project/],
    'a link as .git, in a folder below the top of a repository': ['ln -s ../.git src/.git', /symbolic link/],
  };
  for (const [what, [leave, reason]] of Object.entries(left)) {
    testNeeding(needs, what, async () => {
      const world = await confined();
      await runIn(world, world.shell, leave);
      const project = leave.includes('src/') ? join(world.project, 'src') : world.project;
      expect(await world.confiner.confine({ ...world.place, project }, noSignal)).toMatchObject({
        state: 'refused',
        reason: expect.stringMatching(reason) as string,
      });
    });
  }

  testNeeding(needs, 'a sandbox that starts on this machine, and not in this project', async () => {
    const root = await makeTemporaryDirectory();
    const folder = await makeTemporaryDirectory();
    const gone = join(root, 'project/gone');
    writeStandIn(folder, { added: ['--bind', gone, gone] });
    const world = makeSandboxWorld(root, { environment: { PATH: `${folder}:/usr/bin:/bin` } });
    expect(await world.confiner.confine(world.place, noSignal)).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining(gone) as string,
    });
  });
});

describe('files that tools need are not shown if the project decides what they are', () => {
  const cases: Readonly<
    Record<string, { link: readonly [target: string, path: string]; leave: string; use: string; path?: string }>
  > = {
    'of a home that links into the project': {
      link: ['../project/gitconfig', 'home/.gitconfig'],
      leave: 'ln -s ../home/.ssh/id_rsa gitconfig',
      use: 'cat ~/.gitconfig',
    },
    'of a home, where nothing is yet': {
      link: ['../project/src/b', 'home/.gitattributes'],
      leave: 'ln -s ../../home/.ssh/id_rsa src/b',
      use: 'cat ~/.gitattributes',
    },
    'of PATH, which names the project by a link': {
      link: ['../project', 'home/current'],
      leave: 'rm -r bin; ln -s ../home/.ssh bin',
      use: 'cat ~/current/bin/id_rsa bin/id_rsa',
      path: 'home/current/bin',
    },
    'of PATH, in the project itself': {
      link: ['project', 'current'],
      leave: 'rm -r bin; ln -s ../home/.ssh bin',
      use: 'cat bin/id_rsa ../current/bin/id_rsa',
      path: 'project/bin',
    },
  };
  for (const [what, { link, leave, use, path = '' }] of Object.entries(cases)) {
    testNeeding(needs, what, async () => {
      const root = await makeTemporaryDirectory();
      const own = { 'project/gitconfig': '[user]\n', 'project/bin/tool': '', 'home/a': '' };
      const environment = { PATH: `${join(root, path)}:/usr/bin:/bin` };
      const place = { secretFiles: [], trackedSecrets: [], fixed: [] };
      const world = makeSandboxWorld(root, { files: own, environment, place });
      symlinkSync(link[0], join(root, link[1]));
      const shell = async () => {
        const found = await world.confiner.confine(world.place, noSignal);
        if (found.state !== 'confined') throw new Error(found.reason);
        return found.shell;
      };
      const first = await shell();
      await runIn(world, first, `rm -f gitconfig; ${leave}`);
      // Each command looks at its mounts anew, and the next session lays them out anew.
      for (const one of [first, await shell()]) expect((await runIn(world, one, use)).output).not.toContain('CANARY');
    });
  }
});

describe('a mount that leads elsewhere than its path says', () => {
  const cases: Readonly<Record<string, readonly [kind: 'writable' | 'readable', path: string, told: boolean]>> = {
    'a link to a folder of the project': ['writable', 'project/linked', true],
    'a folder below a link out of the project': ['writable', 'project/out/sub', true],
    'a folder below one that is only read': ['readable', 'project/out/sub', true],
    'an ordinary folder': ['writable', 'project/src', false],
    'a folder that is gone': ['writable', 'project/gone', false],
    'a link outside of what can be changed': ['readable', 'tool', false],
  };
  test.each(Object.entries(cases))('%s', async (_name, [kind, path, told]) => {
    const root = await makeTemporaryDirectory();
    for (const name of ['project/src', 'home/sub']) mkdirSync(join(root, name), { recursive: true });
    symlinkSync('src', join(root, 'project/linked'));
    symlinkSync('../home', join(root, 'project/out'));
    symlinkSync('home', join(root, 'tool'));
    const project = join(root, 'project');
    const mounts: Mount[] = [
      { kind: 'writable', path: project },
      { kind, path: join(root, path) },
    ];
    const found = await findStrayMount(nodeDisk, mounts, [project]);
    if (told) expect(found).toContain(`${join(root, path)} leads to `);
    else expect(found).toBeUndefined();
  });
});

describe('a secret file stays hidden', () => {
  const moves: Readonly<Record<string, readonly string[]>> = {
    'if its folder is moved by an earlier command': ['mv config/prod c2', 'cat c2/.env'],
    'if a folder above is moved by an earlier command': ['mv config c2', 'cat c2/prod/.env'],
    'if its folder is moved in the same command': ['mv config c2; cat c2/prod/.env config/prod/.env'],
    'if another takes the name of its folder': [
      'mv config c2; mkdir config; ln -s ../c2/prod config/prod',
      'cat c2/prod/.env',
    ],
    'if it is linked from elsewhere': ['ln config/prod/.env x; ln -s config c2', 'cat x c2/prod/.env'],
  };
  for (const [what, commands] of Object.entries(moves)) {
    testNeeding(needs, what, async () => {
      const root = await makeTemporaryDirectory();
      const secret = join(root, 'project/config/prod/.env');
      const text = 'TOKEN=CANARY-moved\n';
      const world = await confined(
        { files: { 'project/config/prod/.env': text }, place: { secretFiles: [secret], trackedSecrets: [] } },
        root,
      );
      for (const command of commands) expect((await runIn(world, world.shell, command)).output).not.toContain('CANARY');
      expect(readFileSync(secret, 'utf8')).toBe(text);
    });
  }

  testNeeding(needs, 'and the folders around it are worked in as ever', async () => {
    const root = await makeTemporaryDirectory();
    const secret = join(root, 'project/config/prod/.env');
    const world = await confined(
      {
        files: { 'project/config/prod/.env': 'A=b\n', 'project/config/a.txt': 'a\n' },
        place: { secretFiles: [secret] },
      },
      root,
    );
    const command =
      'mv config/a.txt src/b.txt && mv src/b.txt config/prod/c.txt && mkdir config/d && mv config/d config/e && rm -r config/e && cat config/prod/c.txt';
    expect(await runIn(world, world.shell, command)).toEqual({ code: 0, output: 'a\n' });
    expect(existsSync(join(root, 'project/config/prod/c.txt'))).toBe(true);
  });

  testNeeding(needs, 'in a read-only folder, which stays so', async () => {
    const root = await makeTemporaryDirectory();
    const secret = join(root, 'project/ravel/deep/down/.env');
    const world = await confined(
      { files: { 'project/ravel/deep/down/.env': 'A=CANARY\n' }, place: { secretFiles: [secret], trackedSecrets: [] } },
      root,
    );
    const { output } = await runIn(
      world,
      world.shell,
      'echo x > ravel/deep/x; echo x > ravel/deep/down/x; cat ravel/deep/down/.env',
    );
    expect(output).not.toContain('CANARY');
    expect(readdirSync(join(root, 'project/ravel/deep'), { recursive: true }).sort()).toEqual(['down', 'down/.env']);
  });
});
