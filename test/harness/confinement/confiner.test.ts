import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { networkTickets, openNetworkOnce } from '../../../src/harness/confinement/networkTicket.ts';
import { confined } from '../../support/confinedWorld.ts';
import { testNeeding } from '../../support/machine.ts';
import { makeSandboxWorld, runIn, type SandboxWorld } from '../../support/sandboxWorld.ts';
import { processesOfSession } from '../../support/sessionProcesses.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;
const noSignal = new AbortController().signal;

async function listen(at: string | number): Promise<{ readonly server: Server; connections: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((resolve) =>
    typeof at === 'string' ? server.listen(at, resolve) : server.listen(at, '127.0.0.1', resolve),
  );
  onTestFinished(() => void server.close());
  return { server, connections: () => count };
}

describe('a command in the sandbox', () => {
  const nothingOfIt: Readonly<Record<string, string>> = {
    'the home folder': 'cat ~/notes.txt ~/.ssh/id_rsa ~/.config/app/token; ls -A ~/.ssh',
    "git's stored passwords": 'cat ~/.config/git/credentials',
    'the vault': 'cat ../vault/daemon.toml; ls -A ../vault',
    'a secret file of the project': 'cat .env; cp .env x; cat x; git diff; git diff --no-index /dev/null .env',
    'the home folder through the process that started it':
      'cat /proc/$PPID/root$HOME/notes.txt; cat /proc/1/cwd/../home/notes.txt',
    "the session's folder": 'cat ../vault/runtime/sessions/01/*',
  };
  testNeeding(needs, 'reads nothing that is kept from it', async () => {
    const world = await confined({ files: { 'home/.config/git/credentials': 'https://CANARY-git@example.org\n' } });
    for (const [what, command] of Object.entries(nothingOfIt)) {
      const { output } = await runIn(world, world.shell, command);
      expect(output, what).not.toContain('CANARY');
    }
  });

  testNeeding(needs, 'runs the programs of a home without the logins that lie beside them', async () => {
    const files = {
      'home/.tool/bin/tool': '#!/bin/sh\ncat "$(dirname "$0")/../lib/part"\n',
      'home/.tool/lib/part': 'the part of a tool\n',
      'home/.tool/pyvenv.cfg': 'how a tool finds its packages\n',
      'home/.tool/config.yml': 'CANARY-tool\n',
      'home/.agent/local/agent': '#!/bin/sh\necho an agent\n',
      'home/.agent/.credentials.json': 'CANARY-agent\n',
      'home/.gem/credentials': 'CANARY-gem\n',
      'home/.gem/ruby/a.rb': 'puts 1\n',
      'home/.local/share/uv/credentials/a': 'CANARY-uv\n',
    };
    const root = await makeTemporaryDirectory();
    const home = join(root, 'home');
    const PATH = `${home}/.tool/bin:${home}/.agent/local:/usr/bin:/bin`;
    const world = makeSandboxWorld(root, { files, environment: { PATH } });
    for (const path of ['.tool/bin/tool', '.agent/local/agent']) chmodSync(join(home, path), 0o755);
    const found = await world.confiner.confine(world.place, noSignal);
    if (found.state !== 'confined') throw new Error(found.reason);
    expect(await runIn(world, found.shell, 'tool; agent; cat ~/.gem/ruby/a.rb ~/.tool/pyvenv.cfg')).toEqual({
      code: 0,
      output: 'the part of a tool\nan agent\nputs 1\nhow a tool finds its packages\n',
    });
    const { output } = await runIn(world, found.shell, 'cat $(find ~ -type f); ls -AR ~');
    expect(output).not.toMatch(/CANARY|credentials|config\.yml/);
  });

  const leftAsItIs: Readonly<Record<string, string>> = {
    plan: 'echo x > ravel/project-root/memory.yaml; rm -rf ravel; mv ravel r; mkdir -p ravel/y',
    'configuration of git': 'git config user.name Eve; echo x >> .git/config; git config --local core.hooksPath tools',
    'hooks of git': 'echo x > .git/hooks/pre-commit; mv .git g; rm -rf .git; echo . > .git/commondir',
    'history of git': 'git commit --allow-empty -m x; git reset --hard; git branch -D main; git add -A',
    'files that others run by': 'echo x > .npmrc; rm .npmrc; mv .npmrc y',
    'home folder': 'echo x > ~/notes.txt; echo x > ~/.bashrc; rm -rf ~/.ssh; mkdir ~/z',
    vault: 'echo x > ../vault/daemon.toml; mkdir ../vault/x',
    'folders beside the project': 'echo x > ../x; mkdir ../y',
    system: 'echo x > /etc/ravel-test; echo x > /usr/local/bin/ravel-test; mount -t tmpfs none /mnt',
  };
  testNeeding(needs, 'changes nothing outside of its project, and nothing that decides what others run', async () => {
    const world = await confined();
    const before = snapshot(world.root);
    for (const command of Object.values(leftAsItIs)) await runIn(world, world.shell, command);
    expect(snapshot(world.root)).toEqual(before);
    expect(existsSync('/etc/ravel-test')).toBe(false);
  });

  testNeeding(needs, 'works in its project, and with temporary files that the next command sees', async () => {
    const world = await confined();
    const first = await runIn(
      world,
      world.shell,
      'echo two >> src/a.txt && t=$(mktemp) && echo hi > $t && echo $t && pwd',
    );
    const [file = '', folder] = first.output.split('\n');
    expect(folder).toBe(world.project);
    expect(readFileSync(join(world.project, 'src/a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(await runIn(world, world.shell, `cat ${file}`)).toEqual({ code: 0, output: 'hi\n' });
    expect(existsSync(file)).toBe(false);
  });

  testNeeding(needs, 'reaches no socket, neither of the network nor of a file', async () => {
    const root = await makeTemporaryDirectory();
    const visible = join(root, 'visible.sock');
    const socket = await listen(visible);
    const port = await listen(0);
    const address = port.server.address();
    const world = await confined({}, root);
    const connect = `require('node:net').connect(process.argv[1]).on('connect',()=>console.log('IN')).on('error',(e)=>console.log(e.code))`;
    const number = typeof address === 'object' && address !== null ? address.port : 0;
    const answers = [
      await runIn(world, world.shell, `node -e ${JSON.stringify(connect)} ${visible}`),
      await runIn(world, world.shell, `: > /dev/tcp/127.0.0.1/${String(number)}`),
    ];
    expect(answers.map(({ code }) => code)).toEqual([0, 1]);
    expect(answers[0]?.output).not.toContain('IN');
    expect([socket.connections(), port.connections()]).toEqual([0, 0]);
  });

  describe('that was given the network once', () => {
    /** A server on the loopback of this machine, and what asks it from a command. */
    async function reaching() {
      const port = await listen(0);
      const address = port.server.address();
      const number = typeof address === 'object' && address !== null ? address.port : 0;
      return { connections: port.connections, command: `: > /dev/tcp/127.0.0.1/${String(number)}` };
    }

    testNeeding(needs, 'reaches a server, and not when it is run again', async () => {
      const { connections, command } = await reaching();
      const world = await confined();
      const opened = await openNetworkOnce(nodeDisk, world.place.sessionDirectory, { command, secret: 'once' });
      expect((await runIn(world, world.shell, opened)).code).toBe(0);
      await expect.poll(connections).toBe(1);
      for (const again of [opened, command]) expect((await runIn(world, world.shell, again)).code).toBe(1);
      expect(connections()).toBe(1);
    });

    testNeeding(needs, 'has nothing else opened to it', async () => {
      const world = await confined();
      const run = async (commands: Readonly<Record<string, string>>) => {
        const command = Object.values(commands).join('\n');
        const opened = { command, secret: Object.keys(commands).join(' ') };
        return runIn(world, world.shell, await openNetworkOnce(nodeDisk, world.place.sessionDirectory, opened));
      };
      expect((await run(nothingOfIt)).output).not.toContain('CANARY');
      const before = snapshot(world.root);
      await run(leftAsItIs);
      expect(snapshot(world.root)).toEqual(before);
    });

    const forged: Readonly<Record<string, (opened: string, command: string) => string>> = {
      'a ticket that was never made': (opened) => opened.replaceAll(/[0-9a-f]{32}/g, '0'.repeat(32)),
      'another command with its ticket': (opened, command) => opened.replace(command, `${command} `),
      'a command before it': (opened, command) => opened.replace(command, `: more; ${command}`),
      'a path for a ticket': (opened) => opened.replaceAll(/[0-9a-f]{32}/g, '../index'),
    };
    for (const [what, change] of Object.entries(forged)) {
      testNeeding(needs, `is not opened by ${what}`, async () => {
        const { connections, command } = await reaching();
        const world = await confined();
        const opened = await openNetworkOnce(nodeDisk, world.place.sessionDirectory, { command, secret: 'once' });
        expect((await runIn(world, world.shell, change(opened, command))).code).toBe(1);
        expect(connections()).toBe(0);
      });
    }

    testNeeding(needs, 'cannot be forged by a command in the sandbox', async () => {
      const { connections, command } = await reaching();
      const world = await confined();
      const folder = join(world.place.sessionDirectory, networkTickets);
      const ticket = 'a'.repeat(32);
      await runIn(world, world.shell, `mkdir -p ${folder}; printf '\\n%s\\n' '${command}' > ${folder}/${ticket}`);
      const asking = `: ravel-network-${ticket};\n${command}\n# ravel-network-${ticket}`;
      expect((await runIn(world, world.shell, asking)).code).toBe(1);
      expect(connections()).toBe(0);
    });
  });

  testNeeding(needs, 'has the network if that is open for all', async () => {
    const { server, connections } = await listen(0);
    const address = server.address();
    const number = typeof address === 'object' && address !== null ? address.port : 0;
    const world = await confined({ place: { network: 'open' } });
    expect((await runIn(world, world.shell, `: > /dev/tcp/127.0.0.1/${String(number)}`)).code).toBe(0);
    await expect.poll(connections).toBe(1);
  });

  testNeeding(needs, 'sees no variable but the usual ones and those that the settings pass on', async () => {
    const world = await confined({ environment: { BUILD: '7' }, place: { variables: ['BUILD'] } });
    const secret = {
      RAVEL_TOKEN: 'CANARY',
      ANTHROPIC_API_KEY: 'CANARY',
      AWS_SECRET_ACCESS_KEY: 'CANARY',
      HTTPS_PROXY: 'CANARY',
    };
    const command = 'env; cat /proc/*/environ; echo build $BUILD, home $HOME';
    const { output } = await runIn(world, world.shell, command, { ...secret, RAVEL_SESSION: '01' });
    expect(output).not.toContain('CANARY');
    expect(output).toContain(`build 7, home ${world.home}`);
    expect(output).toContain('RAVEL_SESSION=01');
  });

  testNeeding(needs, 'ends with everything that it started, also in another session and group', async () => {
    const world = await confined();
    const daemon = 'setsid nohup sleep 1000 </dev/null >/dev/null 2>&1 & disown; echo started';
    const session = `of-${basename(world.root)}`;
    const { output } = await runIn(world, world.shell, daemon, { RAVEL_SESSION: session });
    expect(output).toBe('started\n');
    // The system ends them with their namespace, and does not report when it is done.
    await expect.poll(() => processesOfSession(session)).toEqual([]);
  });

  testNeeding(needs, 'has the exit code that it would have outside', async () => {
    const world = await confined();
    expect((await runIn(world, world.shell, 'exit 7')).code).toBe(7);
    expect((await runIn(world, world.shell, 'no-such-program')).code).toBe(127);
    expect((await runIn(world, world.shell, 'kill -9 $$')).code).toBe(137);
  });
});

describe('git in the sandbox', () => {
  testNeeding(needs, 'is shown its configuration without logins, and reads the rest as outside', async () => {
    const canary = 'CANARY';
    const helper = `!f() { echo password=${canary}; }; f`;
    const files = { 'home/.gitconfig': `[user]\n\tname = Ada\n[credential]\n\thelper = "${helper}"\n` };
    const world = makeSandboxWorld(await makeTemporaryDirectory(), { files });
    const { git } = world;
    git('remote', 'add', 'origin', `https://ada:${canary}@example.org/a.git`);
    git('remote', 'add', 'other', `https://${canary}@example.org/b.git`);
    git('remote', 'add', 'plain', 'ssh://git@example.org/c.git');
    git('config', 'http.https://example.org/.extraHeader', `Authorization: Basic ${canary}`);
    const found = await world.confiner.confine(world.place, noSignal);
    if (found.state !== 'confined') throw new Error(found.reason);
    const command = 'git remote -v; git config --list; cat .git/config ~/.gitconfig; git status --porcelain';
    const { code, output } = await runIn(world, found.shell, command);
    expect([code, output.includes(canary)]).toEqual([0, false]);
    const kept = ['https://example.org/a.git', 'ssh://git@example.org/c.git', 'user.name=Ada', 'extraheader=redacted'];
    for (const text of kept) expect(output).toContain(text);
    expect(git('remote', '-v')).toContain(`ada:${canary}@`);
  });

  testNeeding(needs, 'tells the same of the tree as outside, also of hidden files that it tracks', async () => {
    const world = await confined();
    expect((await runIn(world, world.shell, 'git status --porcelain; git diff')).output).toBe('');
    writeFileSync(join(world.project, 'src/a.txt'), 'two\n');
    writeFileSync(join(world.project, 'new.txt'), 'new\n');
    world.git('add', 'new.txt');
    const outside = world.git('status', '--porcelain');
    expect(outside).toBe('A  new.txt\n M src/a.txt\n');
    expect((await runIn(world, world.shell, 'git status --porcelain')).output).toBe(outside);
  });

  testNeeding(needs, 'does so in a further working tree, whose repository lies elsewhere', async () => {
    const root = await makeTemporaryDirectory();
    const { git, home } = makeSandboxWorld(root);
    const project = join(home, 'tree');
    git('worktree', 'add', '--quiet', project);
    const gitDirectory = join(root, 'project/.git/worktrees/tree');
    const world = makeSandboxWorld(await makeTemporaryDirectory(), {
      place: {
        project,
        ravelDirectory: join(project, 'ravel'),
        repository: { root: project, gitDirectory, commonDirectory: join(root, 'project/.git') },
        secretFiles: [],
        trackedSecrets: [],
      },
      environment: { HOME: home },
    });
    const found = await world.confiner.confine(world.place, noSignal);
    if (found.state !== 'confined') throw new Error(found.reason);
    const inTree = { ...world, project };
    await runIn(inTree, found.shell, 'echo x > src/a.txt; echo gitdir: /tmp > .git; rm .git; git config user.name Eve');
    expect((await runIn(inTree, found.shell, 'git status --porcelain')).output).toBe(' M src/a.txt\n');
    expect(git('config', '--get-all', 'user.name')).toBe('A\n');
  });
});

/** Every file below a folder with its text; what a session's own folder holds is left out. */
function snapshot(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path.includes('/sessions/')) continue;
    files[path] = entry.isFile() ? readFileSync(path, 'latin1') : entry.isDirectory() ? 'folder' : 'other';
  }
  return files;
}

describe('a machine or a place without a sandbox is called unconfined, with the fix', () => {
  /** A program in the place of bubblewrap, in a folder that is all of PATH but for the system's own programs. */
  async function standIn(script: string): Promise<string> {
    const folder = await makeTemporaryDirectory();
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'bwrap'), 0o755);
    return folder;
  }
  /** The disk of a machine that is a container or is none. */
  const lookedAt = (file: string, inContainer: boolean) =>
    nodeDisk.lstat(/^\/(?:\.dockerenv|run\/\.containerenv)$/.test(file) ? (inContainer ? '/' : '/no/such/file') : file);
  interface Case {
    readonly script: string;
    readonly reason: RegExp;
    readonly fix?: RegExp;
    readonly inContainer?: boolean;
  }
  const noNamespaces = 'echo "bwrap: No permissions to create a new namespace" >&2; exit 1';
  const cases: Readonly<Record<string, Case>> = {
    'user namespaces are switched off': { script: noNamespaces, reason: /user namespaces/, fix: /sysctl/ },
    'the same in a container': { script: noNamespaces, reason: /container/, fix: /docker/, inContainer: true },
    'bubblewrap fails for another reason': { script: 'echo "bwrap: out of luck" >&2; exit 1', reason: /out of luck/ },
    'bubblewrap runs commands and keeps nothing': {
      script: 'for last; do :; done; exec /bin/bash -c "$last"',
      reason: /could write to/,
    },
  };
  test.each(Object.entries(cases))('%s', async (_name, { script, reason, fix, inContainer = false }) => {
    const path = await standIn(script);
    const disk = { ...nodeDisk, lstat: (file: string) => lookedAt(file, inContainer) };
    const world = makeSandboxWorld(await makeTemporaryDirectory(), {
      environment: { PATH: `${path}:/usr/bin:/bin` },
      platform: 'linux',
      disk,
    });
    const found = await world.confiner.confine(world.place, noSignal);
    expect(found).toMatchObject({ state: 'unconfined', reason: expect.stringMatching(reason) as string });
    if (fix !== undefined) expect(found).toMatchObject({ fix: expect.stringMatching(fix) as string });
    expect(world.git('status', '--porcelain')).toBe('');
  });

  testNeeding(needs, 'a program of the project that calls itself bubblewrap builds no sandbox', async () => {
    const root = await makeTemporaryDirectory();
    const own = join(root, 'project/bin');
    const world = makeSandboxWorld(root, {
      files: { 'project/bin/bwrap': '#!/bin/sh\ntouch ../ran\n' },
      environment: { PATH: `${own}:/usr/bin:/bin` },
    });
    chmodSync(join(own, 'bwrap'), 0o755);
    expect(await world.confiner.confine(world.place, noSignal)).toMatchObject({ state: 'confined' });
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  test('an operating system that Ravel knows no sandbox of', async () => {
    const world = makeSandboxWorld(await makeTemporaryDirectory(), { platform: 'win32' });
    expect(await world.confiner.probe()).toMatchObject({ state: 'unconfined' });
    expect(await world.confiner.confine(world.place, noSignal)).toMatchObject({ state: 'unconfined' });
  });

  const places: Readonly<
    Record<string, (world: SandboxWorld) => { readonly project: string; readonly reason: RegExp }>
  > = {
    'the home folder as the project': ({ home }) => ({ project: home, reason: /home folder/ }),
    'the whole file system as the project': () => ({ project: '/', reason: /whole file system/ }),
    'a project that holds the vault': ({ root }) => ({ project: root, reason: /home folder|vault/ }),
  };
  for (const [name, placeOf] of Object.entries(places)) {
    testNeeding(needs, name, async () => {
      const world = makeSandboxWorld(await makeTemporaryDirectory());
      const { project, reason } = placeOf(world);
      const place = { ...world.place, project, repository: { ...world.place.repository, root: project } };
      const found = await world.confiner.confine(place, noSignal);
      expect(found).toMatchObject({ state: 'unconfined', reason: expect.stringMatching(reason) as string });
    });
  }
});

testNeeding(needs, 'a sandbox that is lost afterwards lets no command run', async () => {
  const folder = await makeTemporaryDirectory();
  const program = join(folder, 'bwrap');
  symlinkSync('/usr/bin/bwrap', program);
  const world = await confined({ environment: { PATH: `${folder}:/usr/bin:/bin` } });
  expect((await runIn(world, world.shell, 'echo ran')).output).toBe('ran\n');
  unlinkSync(program);
  const lost = await runIn(world, world.shell, 'echo ran');
  expect(lost).toEqual({
    code: 126,
    output: `The sandbox of this session is lost: ${program} is gone. No command runs until it is back.\n`,
  });
});
