import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import type { HostTest } from '../inHost/index.ts';
import type { EditorHost } from './editorHost.ts';
import { uncompressed } from './editorPage.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface HostSuite {
  readonly host: Pick<EditorHost, 'address'>;
  readonly folder: string;
  /** The file whose `run` the host calls. */
  readonly suite: string;
  /** The extension under development; ours unless told. */
  readonly extension?: string;
  /** Is told every line that the suite prints. */
  readonly onLine?: (line: string) => void;
}

/** Runs the suites in a window on `folder`; resolves with every test that they ran. */
export async function runHostSuite(
  browser: Browser,
  { host, folder, suite, extension = root.replace(/\/$/, ''), onLine }: HostSuite,
): Promise<HostTest[]> {
  const remote = `vscode-remote://${host.address.replace('http://', '')}`;
  const payload = [
    ['extensionDevelopmentPath', `${remote}${extension}`],
    ['extensionTestsPath', `${remote}${suite}`],
    ['skipWelcome', 'true'],
  ];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...uncompressed });
  try {
    const page = await context.newPage();
    const tests: HostTest[] = [];
    const lines: string[] = [];
    await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
      for (const line of args.map(String).flatMap((text) => text.split('\n'))) {
        lines.push(line);
        onLine?.(line);
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
