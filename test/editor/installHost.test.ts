import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { installHost } from '../../packaging/installHost.mjs';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { findBrowser, installBrowser } from './support/installBrowser.mjs';

const script = fileURLToPath(new URL('../support/prepare.mjs', import.meta.url));

/** A folder for hosts, and an npm that makes what the real one would, in small, or fails. */
async function world(
  body: string,
): Promise<{ readonly root: string; readonly options: Parameters<typeof installHost>[0] }> {
  const root = await makeTemporaryDirectory();
  const npm = join(root, 'npm');
  writeFileSync(npm, `#!/bin/sh\nset -e\n${body}\n`, { mode: 0o755 });
  return { root, options: { directory: join(root, 'hosts', 'host'), npm } };
}

const makesParts = 'mkdir -p node_modules/code-server/lib/vscode; echo made >> node_modules/log';

test('a host gets its name only once it is whole', async () => {
  const { root, options } = await world(makesParts);
  installHost(options);
  expect(readdirSync(join(root, 'hosts'))).toEqual(['host']);
  expect(readFileSync(join(root, 'hosts/host/node_modules/log'), 'utf8')).toBe('made\n');
});

test('of two programs that install the host at once, the first wins and the other uses what it made', async () => {
  const { root, options } = await world(`${makesParts}; mkdir -p "\${0%/*}/hosts/host/other"`);
  installHost(options);
  expect(readdirSync(join(root, 'hosts'))).toEqual(['host']);
  expect(readdirSync(join(root, 'hosts/host'))).toEqual(['other']);
});

test('an install removes what a program left that ended midway, and keeps what a running one makes', async () => {
  const { root, options } = await world(makesParts);
  const ended = spawnSync('true').pid;
  for (const pid of [ended, process.ppid]) mkdirSync(join(root, 'hosts', `host.${pid}`), { recursive: true });
  installHost(options);
  expect(readdirSync(join(root, 'hosts')).sort()).toEqual(['host', `host.${process.ppid}`]);
});

test('a failed install leaves nothing and says what to type', async () => {
  const { root, options } = await world('exit 7');
  expect(() => installHost(options)).toThrow(/To try again: node packaging\/installHost\.mjs/);
  expect(readdirSync(join(root, 'hosts'))).toEqual([]);
});

describe('the browser of the tests', () => {
  const here = process.execPath;
  const nowhere = { environment: {}, platform: 'linux-x64', systemBrowsers: ['/nowhere/a', '/nowhere/b'] };
  const directory = '/nowhere/chromium-1';

  const system = { systemBrowsers: ['/nowhere/a', here] };

  test.each([
    ['the one that RAVEL_CHROMIUM names', { environment: { RAVEL_CHROMIUM: here }, systemBrowsers: ['/bin/sh'] }, here],
    ['the first one that the system has if the one from npm was not installed', system, here],
    ['the one of the system if npm has none for this platform', { ...system, platform: 'linux-arm64' }, here],
    ['the one from npm if the system has none', {}, `${directory}/chromium`],
    ['the one from npm if RAVEL_CHROMIUM is empty', { environment: { RAVEL_CHROMIUM: '' } }, `${directory}/chromium`],
  ])('is %s', (_which, options, path) => {
    expect(findBrowser({ ...nowhere, directory, ...options })).toEqual({ path, isInstalled: path === here });
  });

  test('is the one from npm once that is installed, also if the system has one', async () => {
    const { options } = await browserWorld('echo true > shell');
    const path = installBrowser({ ...nowhere, ...system, ...options });
    expect(path).toBe(join(options.directory, 'chromium'));
    expect(findBrowser({ ...nowhere, ...system, ...options })).toEqual({ path, isInstalled: true });
  });

  test('is the one of the system if the one from npm cannot be fetched', async () => {
    const { options } = await browserWorld('exit 7');
    expect(installBrowser({ ...nowhere, ...system, ...options })).toBe(here);
  });

  test('cannot come from npm on another platform, which an error says with what to install', () => {
    expect(() => findBrowser({ ...nowhere, platform: 'darwin-arm64' })).toThrow(
      /^No Chromium was found, and npm has none for darwin-arm64\. Install Chromium .*RAVEL_CHROMIUM\.$/,
    );
  });

  test('is installed from npm with its libraries and fonts, and told to start before it gets its name', async () => {
    const { options } = await browserWorld('echo \'echo started "$@" from $LC_ALL\' > shell');
    const path = installBrowser({ ...nowhere, ...options });
    expect(execFileSync(path, ['--flag'], { encoding: 'utf8' })).toBe('started --flag from en_US.UTF-8\n');
    expect(readFileSync(join(options.directory, 'libraries/lib/one.so'), 'utf8')).toBe('library\n');
    expect(findBrowser({ ...nowhere, ...options })).toEqual({ path, isInstalled: true });
  });

  test('leaves nothing if it cannot be fetched or cannot start, and says what to install', async () => {
    for (const body of ['exit 7', "echo 'exit 127' > shell"]) {
      const { root, options } = await browserWorld(body);
      expect(() => installBrowser({ ...nowhere, ...options })).toThrow(/could not be installed from npm: .*\nInstall/s);
      expect(readdirSync(join(root, 'hosts'))).toEqual([]);
    }
  });

  test('the browser of the tests that RAVEL_CHROMIUM names and that is missing ends the install with one line', async () => {
    const started = promisify(execFile)(process.execPath, [script, 'browser'], {
      env: { ...process.env, RAVEL_CHROMIUM: '/nowhere/chromium' },
    });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: 'RAVEL_CHROMIUM names /nowhere/chromium, which is not there.\n',
    });
  });
});

/** An npm that writes the packages of the browser in small; `body` writes the program, a shell script named `shell`. */
async function browserWorld(body: string) {
  const { root, options } = await world(
    [
      'mkdir -p made node_modules/@sparticuz/chromium/bin; cd made',
      body,
      "{ echo '#!/bin/sh'; cat shell; } > chromium",
      'mkdir lib; echo library > lib/one.so; tar -cf al2023.tar lib',
      `for file in chromium al2023.tar; do ${process.execPath} -e "${packer}" "$file"; done`,
    ].join('\n'),
  );
  return { root, options: { npm: options?.npm ?? '', directory: options?.directory ?? '' } };
}

const packer = `
  const { readFileSync, writeFileSync } = require('fs');
  const file = process.argv[1];
  const packed = require('zlib').brotliCompressSync(readFileSync(file));
  writeFileSync('../node_modules/@sparticuz/chromium/bin/' + file + '.br', packed);`.replaceAll('\n', '');
