import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from 'playwright-core';
import type { EditorHost } from './editorHost.ts';
import { installBrowser } from './installBrowser.mjs';
import { type EditorTheme, editorThemes } from './themes.ts';

const pictures = fileURLToPath(new URL('../../../test-results/', import.meta.url));

export interface PageOptions {
  /** The host, or whatever else serves an editor at an address. */
  readonly host: Pick<EditorHost, 'address'>;
  /** The folder that the window opens. */
  readonly folder: string;
  readonly width?: number;
  readonly height?: number;
}

/** The host otherwise compresses ten megabytes for each window, and the browser unpacks them. */
export const uncompressed = { extraHTTPHeaders: { 'accept-encoding': 'identity' } };

/** Starts the browser that shows windows; many pages share one. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: installBrowser(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      // A window works hard only while it loads: to optimize its code, and to collect what that made, takes longer than it saves.
      '--js-flags=--no-opt,--min-semi-space-size=64',
    ],
  });
}

/** How long a step waits for what it acts on: long enough for a machine that is busy, since a step never waits in vain. */
const patienceMs = 30_000;

/** Which question is meant, if one follows another: a part of its title, placeholder or message. */
export interface Question {
  readonly asks?: string | RegExp;
}

/**
 * A window of the editor, driven as a person would: by what it shows and how it is labelled. Palette and questions are
 * answered by the keyboard alone. Every step waits for what it acts on, and none for time to pass.
 */
export class EditorPage {
  readonly page: Page;
  readonly #options: PageOptions;
  /** The box at the top of the window: palette, quick picks and input boxes. */
  readonly #question: Locator;

  constructor(page: Page, options: PageOptions) {
    this.page = page;
    this.#options = options;
    this.#question = page.locator('.quick-input-widget:visible');
  }

  /** Opens a window in a browser profile of its own, as on another machine. */
  static async open(browser: Browser, options: PageOptions): Promise<EditorPage> {
    const { width = 1280, height = 800 } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion: 'reduce',
      ...uncompressed,
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    context.setDefaultTimeout(patienceMs);
    return EditorPage.#load(await context.newPage(), options);
  }

  static async #load(page: Page, options: PageOptions): Promise<EditorPage> {
    await page.goto(`${options.host.address}/?folder=${encodeURIComponent(options.folder)}`);
    const window = new EditorPage(page, options);
    await window.#ready();
    return window;
  }

  /** A second window of the same person, on the same folder unless told. */
  async another(folder = this.#options.folder): Promise<EditorPage> {
    return EditorPage.#load(await this.page.context().newPage(), { ...this.#options, folder });
  }

  /** Loads the window again, in good order, as "Reload Window" does. */
  async reload(): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), this.command('Developer: Reload Window')]);
    await this.#ready();
  }

  /** Closes the window as a person does. Its extension host ends a few seconds later, as that of a reloaded one does. */
  async close(): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.close();
  }

  /**
   * Runs a command of the palette by its title, with or without its category. What a palette offers is decided when it
   * opens: first wait for what shows that the command is there, as `vaultItem` does for commands about a vault.
   */
  async command(title: string): Promise<void> {
    await this.#openPalette(title);
    await this.#choose(new RegExp(`^(?:[^:]+: )?${escaped(title)}$`));
  }

  /** The titles that the palette offers for a search, the best first. */
  async offered(search: string): Promise<string[]> {
    await this.#openPalette(search);
    const titles = await this.#question.getByRole('option').locator('.label-name').allInnerTexts();
    await this.#input().press('Escape');
    await this.#question.waitFor({ state: 'hidden' });
    return titles;
  }

  /** Answers a quick pick: narrows it down by typing, and takes the row with this label. */
  async pick(label: string | RegExp, question: Question = {}): Promise<void> {
    const asked = this.#asked(question);
    await asked.getByRole('option').first().waitFor();
    if (typeof label === 'string') await asked.locator('input.input').first().fill(label);
    await this.#choose(typeof label === 'string' ? new RegExp(`^${escaped(label)}`) : label);
  }

  /** Answers an input box. */
  async input(text: string, question: Question = {}): Promise<void> {
    const asked = this.#asked(question).filter({ hasNot: this.page.locator('.quick-input-list:visible') });
    const input = asked.locator('input.input').first();
    await input.waitFor();
    await input.fill(text);
    await this.#answer();
  }

  /** The question that is shown, for looking at its rows or its message. */
  question(question: Question = {}): Locator {
    return this.#asked(question);
  }

  /** Presses keys one after another, such as 'Tab' or 'Control+Shift+P'. */
  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Shows a container of the activity bar by its name; one that is shown stays. */
  async activity(name: string): Promise<void> {
    const item = this.page.locator('.activitybar .action-item').filter({
      has: this.page.locator(`.action-label[aria-label^="${name}"]`),
    });
    const head = this.page.locator('.part.sidebar .composite.title', { hasText: new RegExp(name, 'i') });
    await item.waitFor();
    // Settings of the tests let a click show a container that is already shown, instead of hiding it.
    await item.click();
    // Away from the icon, whose name would lie over what is beside it.
    await this.page.mouse.move(0, 0);
    await head.waitFor();
  }

  /** A view of the side bar, with its header and what it holds. */
  view(name: string): Locator {
    return this.page.locator('.pane').filter({ has: this.#viewHeader(name) });
  }

  async expandView(name: string): Promise<void> {
    await this.#setExpanded(this.#viewHeader(name), true);
  }

  async collapseView(name: string): Promise<void> {
    await this.#setExpanded(this.#viewHeader(name), false);
  }

  /** Presses a button in the header of a view, which shows while the mouse is over it. */
  async viewAction(view: string, title: string): Promise<void> {
    await this.view(view).hover();
    await this.#viewHeader(view).getByRole('button', { name: title }).click();
  }

  /** A row of a tree, by a part of what a screen reader says of it. */
  treeItem(label: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name: label });
  }

  /** Shows what lies below a row of a tree. */
  async expand(row: Locator): Promise<void> {
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
    await row.and(this.page.locator('[aria-expanded="true"]')).waitFor();
  }

  /** Presses a button at the right end of a row, which shows while the mouse is over it. */
  async inlineAction(row: Locator, title: string | RegExp): Promise<void> {
    await row.hover();
    await row.getByRole('button', { name: title }).click();
  }

  /** Opens a context menu and takes an entry; further ones are those of submenus. */
  async contextMenu(target: Locator, ...entries: readonly string[]): Promise<void> {
    await this.openMenu(target);
    for (const [n, entry] of entries.entries()) {
      // A label goes on with the keys of the entry. A click so soon after the menu opened would be taken for its opening.
      await this.page
        .getByRole('menuitem', { name: new RegExp(`^${escaped(entry)}`) })
        .last()
        .hover();
      await this.page.keyboard.press(n < entries.length - 1 ? 'ArrowRight' : 'Enter');
    }
    await this.page.locator('.monaco-menu').first().waitFor({ state: 'hidden' });
  }

  /** Opens a context menu and gives its entries; Escape closes it. */
  async openMenu(target: Locator): Promise<string[]> {
    await target.click({ button: 'right' });
    const menu = this.page.locator('.monaco-menu').first();
    await menu.waitFor();
    return menu.getByRole('menuitem').locator('.action-label').allInnerTexts();
  }

  /** A toast that shows this text. A host with the test driver shows none. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
  }

  async notificationButton(text: string | RegExp, button: string): Promise<void> {
    const toast = this.notification(text).first();
    await toast.waitFor();
    await toast.getByRole('button', { name: button, exact: true }).click();
  }

  /** Answers a modal dialog. */
  async dialog(text: string | RegExp, button: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box').filter({ hasText: text });
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** An item of the status bar, by a part of its text or of its label. */
  statusBarItem(label: string | RegExp): Locator {
    return this.page.locator('.part.statusbar').getByRole('button', { name: label });
  }

  /** The item that says which vault the window shows. Once it is there, so are the commands of the vault. */
  vaultItem(): Locator {
    return this.statusBarItem(/^Ravel, vault/);
  }

  /** A tab of an editor, by its title. */
  tab(title: string | RegExp): Locator {
    return this.page.locator('.editor-group-container').getByRole('tab', { name: title });
  }

  /**
   * Takes a lens above this line of the text, by the keyboard; lines count from one. The editor sometimes puts new lenses in
   * place of those that it shows; a click on one at that moment does nothing.
   */
  async lens(title: string, line = 1): Promise<void> {
    await this.page.locator('.codelens-decoration a').filter({ hasText: title }).first().waitFor();
    await this.keys('Control+1', 'Control+Home', ...Array.from({ length: line - 1 }, () => 'ArrowDown'));
    await this.command('Show CodeLens Commands for Current Line');
    await this.pick(new RegExp(`^${escaped(title)}`), { asks: 'Select a command' });
  }

  /** The editor of text that has the keyboard. */
  textEditor(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor').first();
  }

  /** Opens a file below the folder of the window, by the keyboard. */
  async openFile(path: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    const input = this.#question.locator('input.input').first();
    await input.waitFor();
    await input.fill(join(this.#options.folder, path));
    const name = path.split('/').at(-1) ?? path;
    await this.#choose(new RegExp(`^${escaped(name)}$`));
    await this.tab(name).first().waitFor();
  }

  /** The page inside the webview that is shown, once it has content; by its panel's title if several are shown. */
  async webview(title?: string): Promise<FrameLocator> {
    // What a row shows while the mouse rests on it would lie over the page.
    await this.page.mouse.move(0, 0);
    const outer = this.page.locator('iframe.webview.ready').filter({ visible: true });
    const inner = `iframe#active-frame${title === undefined ? '' : `[title="${title}"]`}`;
    // The title is inside the frame, so each of them is asked.
    const pages = [0, 1, 2, 3].map((n) => outer.nth(n).contentFrame().frameLocator(inner));
    return Promise.any(
      pages.map(async (page) => {
        await page.locator('body > *:not(script)').first().waitFor({ state: 'attached' });
        return page;
      }),
    );
  }

  /** Sets the theme of the person, which open windows show at once. */
  async setTheme(theme: EditorTheme): Promise<void> {
    const { className, pressed } = editorThemes[theme];
    const themed = this.page.locator(`.monaco-workbench.${className}`);
    if (await themed.isVisible()) return;
    await this.page.keyboard.press(pressed);
    await themed.waitFor();
  }

  /**
   * Takes a picture of the window: `test-results/<name>-dark.png`. With `RAVEL_PICTURES` it takes one in each theme, for
   * readers: axe looks at all themes elsewhere, and to switch them takes most of a second.
   */
  async screenshotThemes(name: string): Promise<void> {
    for (const theme of process.env['RAVEL_PICTURES'] ? (['light', 'contrast', 'dark'] as const) : ['dark' as const]) {
      await this.setTheme(theme);
      await this.screenshot(`${name}-${theme}`);
    }
  }

  /** Takes a picture of the window as it is: `test-results/<name>.png`. */
  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled', caret: 'hide' });
  }

  /** Waits until the editor has restored its parts, knows its extensions with their keys, and is connected. */
  async #ready(): Promise<void> {
    const marks = ['code/didStartWorkbench', 'code/didLoadExtensions'];
    await this.page.waitForFunction(
      (names) => names.every((name) => performance.getEntriesByName(name).length > 0),
      marks,
    );
    await this.page.locator('.activitybar .action-label').first().waitFor();
    // Only when it is connected can a window run a command of an extension.
    await this.page.locator('.part.statusbar .statusbar-item').first().waitFor();
  }

  #asked({ asks }: Question): Locator {
    if (asks === undefined) return this.#question;
    const pattern = typeof asks === 'string' ? asks : asks.source;
    const input = this.page.locator(`input.input[placeholder*="${pattern}"], input.input[aria-label*="${pattern}"]`);
    return this.#question.filter({ hasText: asks }).or(this.#question.filter({ has: input }));
  }

  /** Opens the palette once the question before it is gone, which takes the key for itself while it closes. */
  async #openPalette(search: string): Promise<void> {
    await this.#question.waitFor({ state: 'hidden' });
    await this.page.keyboard.press('F1');
    await this.#input().fill(`>${search}`);
    await this.#question.getByRole('option').first().waitFor();
  }

  #input(): Locator {
    return this.#question.locator('input.input').first();
  }

  #rowNamed(label: RegExp): Locator {
    const rows = this.#question.getByRole('option');
    return rows.filter({ has: this.page.locator('.label-name', { hasText: label }) }).first();
  }

  /** Goes down to the row with this label, as a person at the keyboard, and takes it. */
  async #choose(label: RegExp): Promise<void> {
    const named = this.#rowNamed(label);
    await named.waitFor();
    const id = await named.getAttribute('id');
    const focused = this.#question.locator('.monaco-list-row.focused');
    for (let steps = 0; (await focused.first().getAttribute('id')) !== id; steps++) {
      if (steps > 50) throw new Error(`The keyboard does not come to ${label}.`);
      await this.#input().press('ArrowDown');
    }
    await this.#answer();
  }

  /** Presses Enter, and waits until the question closes or another one takes its place: both are shown in the same box. */
  async #answer(): Promise<void> {
    const asked = await this.page.evaluate(shownQuestion);
    await this.#input().press('Enter');
    await this.page.waitForFunction(`${shownQuestion} !== ${JSON.stringify(asked)}`);
  }

  /** What a view says of itself stands behind its name, as soon as it knows it. */
  #viewHeader(name: string): Locator {
    return this.page.locator(`.pane-header[aria-label^="${name} "][aria-label$=" Section"]`);
  }

  async #setExpanded(header: Locator, expanded: boolean): Promise<void> {
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) !== String(expanded)) await header.click();
    await header.and(this.page.locator(`[aria-expanded="${expanded}"]`)).waitFor();
  }
}

/**
 * What tells one question in the box at the top from the next: its title, what it says of its input, the input, the text
 * below that, and whether it has a list. A list and an input box of one command can have the same title.
 */
const shownQuestion = `(() => {
  const box = [...document.querySelectorAll('.quick-input-widget')].find((one) => one.checkVisibility());
  const input = box?.querySelector('input.input');
  const [title, message] = ['title', 'message'].map((part) => box?.querySelector('.quick-input-' + part)?.textContent);
  const hasList = box?.querySelector('.quick-input-list')?.checkVisibility();
  return JSON.stringify([title, input?.placeholder, input?.value, message, hasList]);
})()`;

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
