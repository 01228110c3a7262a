import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = (name: string) => readFileSync(fileURLToPath(new URL(`../../dist/webview/${name}`, import.meta.url)));

const pages = [
  ['phaseRunner', 'webview/runner.ts'],
  ['routing', 'webview/routing/routingPage.ts'],
] as const;

test.each(pages)('the page %s is small enough to be shown at once', (name) => {
  expect(built(`${name}.js`).length).toBeLessThanOrEqual(600_000);
});

test.each(pages)('the page %s loads no schemas: it is told nothing that was not checked', (name, own) => {
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(built(`${name}.js.map`).toString('utf8'));
  expect(sources.filter((path) => path.includes('/zod/'))).toEqual([]);
  expect(sources.some((path) => path.endsWith(own))).toBe(true);
});
