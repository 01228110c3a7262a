import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = (name: string) => readFileSync(fileURLToPath(new URL(`../../dist/webview/${name}`, import.meta.url)));

const pages = [
  ['phaseRunner', 'webview/runner.ts'],
  ['routing', 'webview/routing/routingPage.ts'],
  ['question', 'webview/question/questionPage.ts'],
] as const;

test.each(pages)('the page %s has at most 600 kB of script', (name) => {
  expect(built(`${name}.js`).length).toBeLessThanOrEqual(600_000);
});

test.each(pages)('the page %s bundles its own code but no schema library', (name, own) => {
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(built(`${name}.js.map`).toString('utf8'));
  expect(sources.filter((path) => path.includes('/zod/'))).toEqual([]);
  expect(sources.some((path) => path.endsWith(own))).toBe(true);
});
