import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}docs/design/vscode-checks.md`, 'utf8');
const rows = [...page.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, n, check = '', verdict = '']) => ({
  n: Number(n),
  check,
  verdict,
}));

test('the page about the editor has each of its 130 checks once, in order', () =>
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 130 }, (_, at) => at + 1)));

test('each check has a verdict, and one that is not met has its reason', () => {
  const wrong = rows.filter(({ verdict }) => !/^(?:met|(?:partly|not met|n\/a): .{10,})/.test(verdict));
  expect(wrong).toEqual([]);
});

test('each test that the page names is there', () => {
  const named = [...page.matchAll(/`([\w/]+\.(?:test|suite)\.ts|fixtures\/\w+\.txt)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(`${root}test/${path}`))).toEqual([]);
});
