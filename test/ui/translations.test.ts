import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { config, t } from '@vscode/l10n';
import { afterEach, describe, expect, test } from 'vitest';
import { counted } from '../../src/base/text.ts';
import { keysOf, plainTexts, type Texts, withTexts } from '../support/manifestTexts.ts';
import { readShownTexts, shownSources } from '../support/shownTexts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(`${root}${name}`, 'utf8'));
const sources = shownSources();
const manifest = read('package.json');

/** Texts that look as if a person reads them, and why they stay as they are. */
const untranslated: Readonly<Record<string, string>> = {
  '{0}\n\nIt is about this part of {1}:\n\n{2}': 'an expert reads it, as a part of the question',
  '{0}enabled: false': 'a line of routing.yaml',
  'A page cannot give "{0}" for "{1}".': 'an answer to a page that is not ours',
  '{0} update': 'a command for a terminal',
  'asks you': 'the name of a state of a plan; its words are in a table',
  'by hand': 'the same',
  'ravel route': 'a command for a terminal',
};

/** Each file with English texts, and each language that it exists in. */
const translations = [
  ...languagesOf('package.nls.json', '').map((file) => ['package.nls.json', file] as const),
  ...languagesOf('bundle.l10n.json', 'l10n/').map((file) => ['l10n/bundle.l10n.json', file] as const),
];

describe('what a person reads in the window', () => {
  test('is given to the translation, each text of it', () => {
    const plain = sources.flatMap(({ path, text }) =>
      readShownTexts(path, text)
        .plain.filter((one) => !(one.text in untranslated))
        .map((one) => `${path}:${one.line}: ${one.text}`),
    );
    expect(plain).toEqual([]);
  });

  test('has no exception that is no longer there', () => {
    const plain = new Set(sources.flatMap(({ path, text }) => readShownTexts(path, text).plain.map((one) => one.text)));
    expect(Object.keys(untranslated).filter((text) => !plain.has(text))).toEqual([]);
  });

  test('is compared by no program: a translation would never be equal', () => {
    const compared = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/[!=]==? '([A-Z]\p{Ll}+(?: \p{L}+)+)'/gu)].map(([, words]) => `${path}: ${words}`),
    );
    expect(compared).toEqual([]);
  });
});

describe('the manifest', () => {
  test('has its texts in package.nls.json', () => expect(plainTexts(manifest)).toEqual([]));

  test.each(['package.nls.json', 'package.nls.de.json'])('finds each of its keys in %s', (name) => {
    const texts: Texts = read(name);
    expect(keysOf(manifest).filter((key) => !texts[key])).toEqual([]);
    expect(Object.keys(texts).filter((key) => !keysOf(manifest).includes(key))).toEqual([]);
  });

  test('names a place for the bundles', () => expect(manifest.l10n).toBe('./l10n'));
});

describe.each(translations)('beside %s, %s', (english, file) => {
  const originals: Texts = read(english);
  const texts: Texts = read(file);
  const differing = (part: RegExp) =>
    Object.entries(originals)
      .filter(([key, text]) => partsOf(text, part) !== partsOf(texts[key] ?? '', part))
      .map(([key]) => key);

  test('has each text and no other', () => expect(Object.keys(texts)).toEqual(Object.keys(originals)));
  test('puts the same values into each text', () => expect(differing(/\{\d+\}/g)).toEqual([]));
  test('leads to the same commands', () => expect(differing(/command:[\w.]+/g)).toEqual([]));
  test('has the same icons', () => expect(differing(/^\$\([\w~-]+\)/g)).toEqual([]));
  test('begins and ends as the English one, with its spaces and lines', () =>
    expect(differing(/^\s+|\s+$/g)).toEqual([]));
  test('is a translation', () => {
    const same = Object.entries(originals).filter(([key, text]) => texts[key] === text);
    expect(same.length / Object.keys(originals).length).toBeLessThan(0.06);
  });
});

test('each command that a German text names is a title of the German palette', () => {
  const german = withTexts(manifest, read('package.nls.de.json'));
  const titles = new Set(german.contributes.commands.map(({ title }: { title: string }) => title));
  const all = [
    ...Object.values<string>(read('l10n/bundle.l10n.de.json')),
    ...Object.values<string>(read('package.nls.de.json')),
  ];
  const named = all.flatMap((text) => [...text.matchAll(/„Ravel: ([^“]+)“/g)].map(([, title = '']) => title));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((title) => !titles.has(title))).toEqual([]);
});

describe('a text of a window', () => {
  afterEach(() => config({ contents: {} }));

  test.each([
    [{}, '1 task', '3 tasks'],
    [read('l10n/bundle.l10n.de.json'), '1 Aufgabe', '3 Aufgaben'],
  ])('is in the language of its bundle, with the form for its number', (contents, one, several) => {
    config({ contents });
    expect([1, 3].map((count) => counted(count, t('{0} task'), t('{0} tasks')))).toEqual([one, several]);
  });

  test('has its values where the translation wants them', () => {
    config({ contents: read('l10n/bundle.l10n.de.json') });
    expect(t`Rename the plan ${'a'} to ${'b'}?`).toBe('Den Plan a in b umbenennen?');
  });
});

function languagesOf(base: string, folder: string): string[] {
  const [name, end] = [base.replace(/\.json$/, ''), '.json'];
  const files = readdirSync(`${root}${folder}`).filter((file) => file.startsWith(`${name}.`) && file.endsWith(end));
  return files.filter((file) => file !== base).map((file) => `${folder}${file}`);
}

function partsOf(text: string, part: RegExp): string {
  return JSON.stringify([...text.matchAll(part)].map(([found]) => found).sort());
}
