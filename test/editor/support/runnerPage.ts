import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { isRavelError, messageOf } from '../../../src/base/errors.ts';
import { type Drafts, withDraft } from '../../../src/model/drafts.ts';
import { type EditorLine, isRunnerView, type OpenTarget, type PageView } from '../../../src/model/webview.ts';
import { pageHtml } from '../../../src/ui/runner/pageHtml.ts';

const built = fileURLToPath(new URL('../../../dist/webview/', import.meta.url));

export interface RunnerPageOptions {
  readonly view: PageView;
  /** Answers a request of the page, or throws. */
  readonly answer: (name: string, params: unknown) => Promise<unknown>;
  readonly width?: number;
  readonly height?: number;
  /** The bundle of the editor's language; English unless told. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
}

/** A page of ours in a browser without an editor around it, for what no editor lets a test do. */
export interface RunnerPage {
  readonly page: Page;
  /** What the page asked the editor to open. */
  readonly opened: readonly OpenTarget[];
  /** What the page may not do and tried, and every error in it. */
  readonly problems: readonly string[];
  send(line: EditorLine): Promise<void>;
  /** Loads the page anew, as with its window; `elsewhere` in another panel, which has nothing but what the editor kept. */
  reload(elsewhere?: 'elsewhere'): Promise<void>;
}

export async function openRunnerPage(browser: Browser, options: RunnerPageOptions): Promise<RunnerPage> {
  const { view, answer, width = 1000, height = 800, texts } = options;
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' });
  const opened: OpenTarget[] = [];
  const problems: string[] = [];
  let drafts: Drafts = {};
  page.on('pageerror', (error) => problems.push(error.stack ?? String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  const send = (line: EditorLine) => page.evaluate(`window.postMessage(${asScript(line)}, '*')`).then(() => undefined);
  await page.exposeFunction('toEditor', async (text: string) => {
    const line = JSON.parse(text);
    if (line.type === 'ready') await send({ type: 'show', view, window: {}, drafts });
    if (line.type === 'draft') drafts = withDraft(drafts, line.key, line.text);
    if (line.type === 'open') opened.push(line.target);
    if (line.type === 'request') await send(await replyTo(line, answer));
  });
  await page.addInitScript(editorStub);
  await page.route('http://page.test/**', async (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === '/') await route.fulfill({ contentType: 'text/html; charset=utf-8', body: htmlOf(view, texts) });
    else
      await route.fulfill({
        contentType: contentTypes[path.split('.').at(-1) ?? ''] ?? '',
        body: await readFile(join(built, path)),
      });
  });
  await page.goto('http://page.test/');
  const reload = async (elsewhere?: 'elsewhere') => {
    if (elsewhere !== undefined) await page.evaluate('sessionStorage.clear()');
    await page.reload();
  };
  return { page, opened, problems, send, reload };
}

function htmlOf(view: PageView, texts: RunnerPageOptions['texts']): string {
  const [title, script] = isRunnerView(view) ? ['Phase Runner', '/phaseRunner.js'] : pages[view.page];
  const own = { title, script, style: '/page.css', cspSource: 'http://page.test', nonce: 'test' };
  const html = pageHtml({ ...own, language: texts === undefined ? 'en' : 'de', texts });
  return html.replace('<body>', '<body class="vscode-dark">');
}

const pages = {
  routing: ['Routing', '/routing.js'],
  question: ['Question', '/question.js'],
  start: ['Start', '/start.js'],
} as const;

const contentTypes: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

const editorStub = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' ' + event.sourceFile + ':' + event.lineNumber + ':' + event.columnNumber + ' ' + event.sample);
  });
  window.acquireVsCodeApi = () => ({
    postMessage: (line) => window.toEditor(JSON.stringify(line)),
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
  });
`;

async function replyTo(
  { id, name, params }: { readonly id: number; readonly name: string; readonly params: unknown },
  answer: RunnerPageOptions['answer'],
): Promise<EditorLine> {
  try {
    return { type: 'result', id, result: await answer(name, params) };
  } catch (error) {
    const diagnostic = isRavelError(error)
      ? error.diagnostic
      : ({ code: 'internal', severity: 'error', message: messageOf(error), subject: name } as const);
    return { type: 'error', id, error: diagnostic };
  }
}

/** A text of a line may hold what ends a line of a script. */
function asScript(line: EditorLine): string {
  return JSON.stringify(line).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
