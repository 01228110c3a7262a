import { type Browser, chromium, type FrameLocator, type Locator, type Page } from 'playwright-core';
import type { EditorHost } from './editorHost.ts';
import { findBrowser } from './installHost.mjs';

export interface PageOptions {
  readonly host: EditorHost;
  /** The folder that the window opens. */
  readonly folder: string;
  readonly width?: number;
  readonly height?: number;
  /** A suite to run inside the host, by its absolute path; its file exports `run`. */
  readonly suite?: string;
  readonly extension?: string;
}

/** Starts the browser that shows windows; many pages share one. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}

/** A window of the editor, driven as a person would: by what it shows and how it is labelled. */
export class EditorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, { host, folder, width = 1280, height = 800 }: PageOptions): Promise<EditorPage> {
    const context = await browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    await page.goto(`${host.address}/?folder=${encodeURIComponent(folder)}`);
    await page.locator('.monaco-workbench').waitFor();
    await page.locator('.activitybar').waitFor();
    return new EditorPage(page);
  }

  /** Opens the palette, types a command's title and runs the first one found. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Shows a container of the activity bar by its name. */
  async activity(name: string): Promise<void> {
    await this.page
      .locator('.activitybar .action-label')
      .and(this.page.getByLabel(new RegExp(`^${name}`)))
      .click();
  }

  /** A row of a tree, by a part of what a screen reader says of it. */
  treeItem(label: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name: label });
  }

  /** The page inside the webview that is shown. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
