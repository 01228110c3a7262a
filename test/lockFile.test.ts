import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/**
 * Binaries of development tools for other platforms, whose checksums the registry that made the lock file did not have.
 * `npm install` on such a platform adds its own; another version needs no entry here.
 */
const unchecked = [
  ...['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64', 'linux-arm64-musl', 'linux-x64-musl'].map(biome),
  ...['win32-arm64', 'win32-x64'].map(biome),
  ...['android-arm-eabi', 'android-arm64', 'darwin-arm64', 'darwin-x64', 'freebsd-x64', 'linux-arm-gnueabihf'].map(oxc),
  ...['linux-arm-musleabihf', 'linux-ppc64-gnu', 'linux-riscv64-gnu', 'linux-riscv64-musl', 'linux-s390x-gnu'].map(oxc),
  ...['openharmony-arm64', 'win32-arm64-msvc', 'win32-ia32-msvc', 'win32-x64-msvc'].map(oxc),
];

function biome(platform: string): string {
  return `node_modules/@biomejs/cli-${platform} 2.6.8`;
}

function oxc(platform: string): string {
  return `node_modules/@oxc-parser/binding-${platform} 0.156.0`;
}

const lockFiles = ['package-lock.json', 'test/programs/package-lock.json'];

function packagesOf(file: string): [string, Entry][] {
  const text = readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8');
  const { packages }: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(text);
  return Object.entries(packages).filter(([path, { link, inBundle }]) => path !== '' && !link && !inBundle);
}

describe.each(lockFiles)('%s', (file) => {
  test('names packages of the public registry alone', () => {
    const others = packagesOf(file).filter(
      ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(others).toEqual([]);
  });

  test('has a checksum for each package', () => {
    const missing = packagesOf(file).filter(([, { integrity = '' }]) => !/^sha(?:512|384|256)-\S+$/.test(integrity));
    expect(
      missing.map(([path, { version }]) => `${path} ${version}`).filter((one) => !unchecked.includes(one)),
    ).toEqual([]);
    // What is installed with Ravel, or where Ravel is built, is never among the exceptions.
    expect(missing.filter(([, { dev, optional }]) => dev !== true || optional !== true)).toEqual([]);
  });
});
