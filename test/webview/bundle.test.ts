import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = (name: string) => readFileSync(fileURLToPath(new URL(`../../dist/webview/${name}`, import.meta.url)));

test('the page is small enough to be shown at once', () => {
  expect(built('phaseRunner.js').length).toBeLessThanOrEqual(600_000);
});

test('the page loads no schemas: it is told nothing that was not checked', () => {
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(built('phaseRunner.js.map').toString('utf8'));
  expect(sources.filter((path) => path.includes('/zod/'))).toEqual([]);
  expect(sources.some((path) => path.endsWith('webview/runner.ts'))).toBe(true);
});
