import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
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
    expect(missing.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
  });
});
