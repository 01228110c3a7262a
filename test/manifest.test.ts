import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readManifest } from './support/manifestTexts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
  readonly icon?: unknown;
}

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Setting {
  readonly default?: unknown;
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
}

interface Manifest {
  readonly version: string;
  readonly icon: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly activationEvents: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings?: readonly { readonly command: string; readonly key: string; readonly when?: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly when?: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly configuration: { readonly title: string; readonly properties: Readonly<Record<string, Setting>> };
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly description: string; readonly media: Readonly<Record<string, unknown>> }[];
    }[];
  };
}

const manifest = readManifest<Manifest>();
const { commands, menus, keybindings = [], views, viewsWelcome, configuration, walkthroughs } = manifest.contributes;
const declared = new Set(commands.map(({ command }) => command));
const hidden = new Set(
  (menus['commandPalette'] ?? []).filter(({ when }) => when === 'false').map(({ command }) => command),
);
const texts = [
  ...viewsWelcome.map(({ contents }) => contents),
  ...walkthroughs.flatMap(({ steps }) => steps.map(({ description }) => description)),
];

/** Menus that every current editor has; others are proposed API, which a published extension cannot use. */
const settledMenus = [
  ...['commandPalette', 'view/title', 'view/item/context', 'editor/title', 'editor/title/run', 'editor/context'],
  ...['editor/lineNumber/context', 'explorer/context', 'terminal/context', 'terminal/title/context', 'webview/context'],
  ...['comments/commentThread/title', 'comments/commentThread/context', 'comments/comment/title', 'file/newFile'],
];

const smallWords = /^(?:a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;

describe('each command', () => {
  test('has the category Ravel and a title in title case that begins with a verb', () => {
    const verbs = new Set(
      'Accept Add Adopt Answer Archive Ask Begin Change Clear Close Collapse Compare Confirm Connect Contradict Copy Create Decline Defer Delete Discard Dismiss Dispatch Do Drop Edit End Explain Explore Filter Find Finish Focus Get Import Leave Merge Offer Open Preview Promote Propose Put Read Redeliver Refresh Rehearse Reject Remove Rename Reply Restart Restore Resume Retry Reveal Review Revive Run Save Search Send Set Show Sort Start Stop Supersede Switch Take Try Type Use Verify'.split(
        ' ',
      ),
    );
    const wrong = commands.filter(({ title, category }) => {
      const [verb = '', ...others] = title.replace(/…$/, '').split(' ');
      const isTitleCase = others.every((word) => smallWords.test(word) || /^[A-Z]/.test(word));
      return category !== 'Ravel' || !verbs.has(verb) || !isTitleCase;
    });
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  test('has a unique name under "ravel." and an icon that exists', () => {
    const icons = read('node_modules/@vscode/codicons/dist/codicon.css');
    const wrong = commands.filter(({ command, icon }) => {
      const name = typeof icon === 'string' ? (/^\$\(([a-z-]+)\)$/.exec(icon)?.[1] ?? '') : '';
      return (
        !/^ravel\.[a-z][A-Za-z]*$/.test(command) || (icon !== undefined && !icons.includes(`.codicon-${name}:before`))
      );
    });
    expect(wrong.map(({ command }) => command)).toEqual([]);
    expect(declared.size).toBe(commands.length);
  });

  test('each command that a menu, key or text names is declared', () => {
    const named = [
      ...Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? [])),
      ...keybindings.map(({ command }) => command),
      ...texts.flatMap((text) => [...text.matchAll(/command:(ravel\.\w+)/g)].map(([, command = '']) => command)),
    ];
    expect(named.filter((command) => command.startsWith('ravel.') && !declared.has(command))).toEqual([]);
  });

  test('each command that the palette hides is used in another place', () => {
    const sources = readTree('src/ui') + readTree('webview') + read('src/extension.ts');
    const used = new Set(
      Object.entries(menus).flatMap(([menu, items]) =>
        menu === 'commandPalette' ? [] : items.map(({ command }) => command),
      ),
    );
    const unused = [...hidden].filter((command) => !used.has(command) && !sources.includes(`'${command}'`));
    expect(unused).toEqual([]);
  });

  test('with a key has it only where there is a vault, behind our own first key, and alone', () => {
    expect(keybindings.filter(({ when }) => !/ravel/i.test(when ?? ''))).toEqual([]);
    expect(keybindings.filter(({ key }) => !/^ctrl\+alt\+h [a-z]$/.test(key))).toEqual([]);
    expect(new Set(keybindings.map(({ key }) => key)).size).toBe(keybindings.length);
  });

  test('with a key is in the palette as well', () =>
    expect(keybindings.filter(({ command }) => hidden.has(command))).toEqual([]));

  test('with a key is in the page about the keyboard', () => {
    const page = read('docs/vscode.md');
    expect(keybindings.map(({ key }) => key.slice(-1)).filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });
});

describe('the menus', () => {
  test('use no menu that is only a proposed API', () => {
    const submenus = new Set(Object.values(menus).flatMap((items) => items.flatMap(({ submenu }) => submenu ?? [])));
    expect(Object.keys(menus).filter((menu) => !settledMenus.includes(menu) && !submenus.has(menu))).toEqual([]);
  });

  test('show our commands only on our own items', () => {
    const anywhere = Object.entries(menus).flatMap(([menu, items]) =>
      items
        .filter(({ when = '' }) => menu !== 'commandPalette' && !/ravel|viewItem/i.test(when))
        .map(({ command }) => command),
    );
    expect(anywhere).toEqual([]);
  });

  test('use only our own context keys and built-in ones', () => {
    const builtin =
      /^(?:view|viewItem|true|false|resource\w*|editor\w*|activeWebviewPanelId|isWorkspaceTrusted|listMultiSelection|terminal\w*|focusedView|webviewId|config|in|not|shellExecutionSupported|activeCustomEditorId|activeEditor|isInDiffEditor|commentController|commentThread)$/;
    const clauses = [...Object.values(menus).flat(), ...viewsWelcome, ...keybindings].map(({ when = '' }) => when);
    const keys = clauses.flatMap((clause) => {
      const bare = clause
        .replace(/\/(?:\\.|[^/\\])+\/[a-z]*/g, '')
        .replace(/(?:==|!=)\s*(?:'[^']*'|[\w.:-]+)/g, '')
        .replace(/'[^']*'/g, '');
      return bare.match(/[A-Za-z_][\w.:]*/g) ?? [];
    });
    const unknown = keys.filter((key) => !/^(?:ravel\.|config\.ravel\.)/.test(key) && !builtin.test(key));
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('have no inline command that removes something', () => {
    const inline = (menus['view/item/context'] ?? []).filter(({ group }) => group?.startsWith('inline'));
    expect(inline.filter(({ command }) => /remove|delete|discard/i.test(command ?? ''))).toEqual([]);
  });

  test('have three inline commands at most, each with an icon', () => {
    const inline = (menus['view/item/context'] ?? []).filter(({ group }) => group?.startsWith('inline'));
    expect(inline.filter(({ group = '' }) => !/^inline@[123]$/.test(group))).toEqual([]);
    const icons = new Map(commands.map(({ command, icon }) => [command, icon]));
    expect(inline.filter(({ command = '' }) => icons.get(command) === undefined)).toEqual([]);
  });

  test('sort every entry into a group', () => {
    const loose = Object.entries(menus).filter(([menu]) => menu !== 'commandPalette');
    expect(loose.flatMap(([, items]) => items).filter(({ group = '' }) => !/^[\w]+@\d+$/.test(group))).toEqual([]);
  });
});

describe('the views', () => {
  test('each have a welcome text; the first speaks before there is a vault, the others come with one; six at most stand together', () => {
    const all = Object.values(views).flat();
    const ids = all.map(({ id }) => id);
    const says = (id: string, with_: RegExp) =>
      viewsWelcome.some(({ view, when = '' }) => view === id && with_.test(when));
    const [first, ...others] = all;
    expect(ids.filter((id) => !says(id, /(?<!!)ravel\.hasVault/))).toEqual([]);
    expect(ids.filter((id) => says(id, /!ravel\.hasVault/))).toEqual([first?.id]);
    expect([first?.when, ...new Set(others.map(({ when }) => when))]).toEqual([undefined, 'ravel.hasVault']);
    for (const together of Object.values(views)) expect(together.length).toBeLessThanOrEqual(6);
  });
});

test('the icon of the container is a line drawing of 24 by 24 in the colour of its place', () => {
  const icon = read('media/ravel.svg');
  expect(icon).toContain('viewBox="0 0 24 24"');
  expect([...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour).sort()).toEqual([
    'currentColor',
    'none',
  ]);
});

describe('the settings', () => {
  const settings = Object.entries(configuration.properties);

  test('each have a name under "ravel.", a default, a scope and a sentence', () => {
    const wrong = settings.filter(([name, { scope, description, markdownDescription = description, ...setting }]) => {
      return (
        !name.startsWith('ravel.') ||
        !('default' in setting) ||
        scope === undefined ||
        !/[.)]$/.test(markdownDescription ?? '')
      );
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  test('the settings that name a program or a price are restricted in an untrusted workspace', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const names = settings.map(([name]) => name);
    const dangerous = names.filter((name) => /program|path|daemon|harness|usd/i.test(name));
    expect(dangerous.filter((name) => !restrictedConfigurations.includes(name))).toEqual([]);
    expect(restrictedConfigurations.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('the extension', () => {
  test('is activated only by a vault or its own contributions', () => {
    const wide = manifest.activationEvents.filter(
      (event) => !/^(?:workspaceContains:[\w/.-]+|on\w+:ravel[\w.]*)$/.test(event),
    );
    expect(wide).toEqual([]);
  });

  test('requires the version of VS Code whose types it uses', () => {
    expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']}`);
  });

  test('has a version, an icon, categories and keywords that the marketplaces accept', () => {
    const icon = readFileSync(join(root, manifest.icon));
    expect(icon.subarray(1, 4).toString()).toBe('PNG');
    expect(Math.min(icon.readUInt32BE(16), icon.readUInt32BE(20))).toBeGreaterThanOrEqual(128);
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(manifest.categories.length).toBeLessThanOrEqual(3);
    expect(manifest.keywords.length).toBeLessThanOrEqual(30);
  });

  test('has a README whose pictures the marketplaces show: no SVG, from https or this repository', () => {
    const pictures = [...read('README.md').matchAll(/!\[[^\]]*\]\(([^)\s]+)/g)].map(([, target = '']) => target);
    const wrong = pictures.filter(
      (target) => target.endsWith('.svg') || !(target.startsWith('https://') || existsSync(join(root, target))),
    );
    expect(wrong).toEqual([]);
  });

  test('has a walkthrough whose pictures exist and have alternative texts', () => {
    const media = walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media));
    const files = media.flatMap((one) =>
      [one['image'], one['svg'], one['markdown']].filter((path) => typeof path === 'string'),
    );
    expect(files.length).toBe(media.length);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(media.filter((one) => one['markdown'] === undefined && typeof one['altText'] !== 'string')).toEqual([]);
  });
});

function readTree(directory: string): string {
  const names = readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(join(directory, name)))
    .join('\n');
}
