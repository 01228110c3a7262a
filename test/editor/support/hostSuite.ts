import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import type { HostTest } from '../inHost/index.ts';
import type { EditorHost } from './editorHost.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Bundles the suites that run inside the extension host; gives the path of the file that the editor is told of. */
export async function buildHostSuite(): Promise<string> {
  const outfile = join(root, 'test-results', 'inHost.cjs');
  await build({
    entryPoints: [join(root, 'test/editor/inHost/index.ts')],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  return outfile;
}

/** Runs the suites in a window on `folder`; resolves with every test that they ran. */
export async function runHostSuite(
  browser: Browser,
  { host, folder, suite }: { readonly host: EditorHost; readonly folder: string; readonly suite: string },
): Promise<HostTest[]> {
  const remote = `vscode-remote://${host.address.replace('http://', '')}`;
  const payload = [
    ['extensionDevelopmentPath', `${remote}${root.replace(/\/$/, '')}`],
    ['extensionTestsPath', `${remote}${suite}`],
    ['skipWelcome', 'true'],
  ];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    const tests: HostTest[] = [];
    const lines: string[] = [];
    await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
      for (const line of args.map(String).flatMap((text) => text.split('\n'))) {
        lines.push(line);
        const told = /ravel-test (\{.*\})/.exec(line)?.[1];
        if (told !== undefined) tests.push(JSON.parse(told));
      }
    });
    const ended = new Promise<number>((resolve) => {
      page.exposeFunction('codeAutomationExit', (code: number) => resolve(code)).catch(() => resolve(-1));
    });
    await page.goto(
      `${host.address}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`,
    );
    const code = await ended;
    const failed = tests.some(({ error }) => error !== undefined);
    if (code !== 0 && !failed) tests.push({ title: 'the suite runs to its end', error: lines.join('\n') });
    return tests;
  } finally {
    await context.close();
  }
}
