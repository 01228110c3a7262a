import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The rules of WCAG; what is merely good practice is for a whole site, and a webview is a part of an editor. */
const run = 'axe.run(document.body, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })';

/**
 * What is wrong for a person with a screen reader, a keyboard or weak eyes, in the webview that is shown: a line for each
 * kind of violation, with where it is. The page around it is the editor's own.
 */
export async function axeProblems(page: Page): Promise<string[]> {
  const frame = page.frames().find((one) => one.name() === 'active-frame' || one.url().includes('fake.html'));
  if (frame === undefined) throw new Error('No webview is shown.');
  return axeProblemsIn(frame);
}

/** The same for one of our pages without an editor around it. */
export async function axeProblemsIn(frame: Frame): Promise<string[]> {
  // Evaluated from outside, so that the policy of the page stays as it is.
  await frame.evaluate(await readFile(axeFile, 'utf8'));
  const { violations }: AxeResults = await frame.evaluate(run);
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}
