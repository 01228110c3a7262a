import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { cacheFolder, installFolder, runNpm } from '../../../packaging/installFolder.mjs';

/** A Chromium as an npm package, which brings the libraries that it loads, and fonts with letters of one width. */
const chromiumVersion = '153.0.0';
const fontsVersion = '2.37.3';
const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const remedy =
  'Install Chromium (on Debian and Ubuntu: apt-get install chromium), or name one in the environment variable RAVEL_CHROMIUM.';

/** What decides which browser is used; a test says it all, and everything else takes it from this machine. */
const thisMachine = {
  environment: process.env,
  platform: `${process.platform}-${process.arch}`,
  systemBrowsers,
  directory: cacheFolder(`chromium-${chromiumVersion}`),
  npm: 'npm',
};

/**
 * The browser that shows the editor: the one that `RAVEL_CHROMIUM` names, else the one from npm if it was installed, else
 * that of the system. The one from npm has no window and no menus, so it takes two thirds of the time, and it is the same
 * on every machine. Throws with what to do if there is none.
 */
export function findBrowser(options = {}) {
  const { environment, platform, systemBrowsers, directory } = { ...thisMachine, ...options };
  const named = environment.RAVEL_CHROMIUM;
  if (named) {
    if (!existsSync(named)) throw new Error(`RAVEL_CHROMIUM names ${named}, which is not there.`);
    return { path: named, isInstalled: true };
  }
  const ofNpm = { path: join(directory, 'chromium'), isInstalled: existsSync(directory) };
  const system = systemBrowsers.find((path) => existsSync(path));
  if (isInNpm(platform) && (ofNpm.isInstalled || system === undefined)) return ofNpm;
  if (system !== undefined) return { path: system, isInstalled: true };
  throw new Error(`No Chromium was found, and npm has none for ${platform}. ${remedy}`);
}

/** The path of that browser. The one from npm is fetched first; if that fails, the one of the system has to do. */
export function installBrowser(options = {}) {
  const { environment, platform, directory, npm } = { ...thisMachine, ...options };
  if (environment.RAVEL_CHROMIUM || !isInNpm(platform) || existsSync(directory)) return findBrowser(options).path;
  try {
    installFolder(directory, (making) => installInto(making, npm));
  } catch (error) {
    const found = findBrowser(options);
    if (found.isInstalled) return found.path;
    throw new Error(`Chromium could not be installed from npm: ${error.message}\n${remedy}`);
  }
  return findBrowser(options).path;
}

function isInNpm(platform) {
  return platform === 'linux-x64';
}

function installInto(making, npm) {
  writeFileSync(join(making, 'package.json'), '{ "name": "ravel-chromium", "private": true }\n');
  const packages = [`@sparticuz/chromium@${chromiumVersion}`, `dejavu-fonts-ttf@${fontsVersion}`];
  runNpm(npm, ['install', '--save-exact', '--ignore-scripts', ...packages], { cwd: making });
  const packed = join(making, 'node_modules/@sparticuz/chromium/bin');
  writeFileSync(join(making, 'headless_shell'), unpacked(join(packed, 'chromium.br')), { mode: 0o755 });
  mkdirSync(join(making, 'libraries'));
  const libraries = unpacked(join(packed, 'al2023.tar.br'));
  execFileSync('tar', ['-x', '-C', join(making, 'libraries')], { input: libraries });
  rmSync(packed, { recursive: true });
  writeFileSync(join(making, 'fonts.conf'), fonts);
  writeFileSync(join(making, 'chromium'), launcher, { mode: 0o755 });
  // A machine whose libraries do not fit says so now, and not in the first test.
  execFileSync(join(making, 'chromium'), ['--version'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function unpacked(file) {
  return brotliDecompressSync(readFileSync(file));
}

/**
 * The folder gets its name later, so everything is found from where this file is. On a machine that names no language
 * this browser says "en-US@posix", which is not a language to `Intl`: the page that draws charts would stay empty.
 */
const launcher = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
export LD_LIBRARY_PATH="$here/libraries/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
export LC_ALL=en_US.UTF-8
exec "$here/headless_shell" "$@"
`;

/** The fonts of the machine if it has any, and ours. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">node_modules/dejavu-fonts-ttf/ttf</dir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
`;
