import { type Texts, withTexts } from './manifestTexts.ts';
import { type SourceFile, splitLayers } from './sourceText.ts';

/** A row that nothing outside its table uses. Each rule returns a line for every row that was forgotten elsewhere. */
type TableRule = (sources: readonly SourceFile[]) => string[];

const faces = /^(?:src\/(?:model|cli|ui|agents|mcp|server)|webview)\//;

/** An event that nothing emits is a row and nothing more. */
const everyEventIsEmitted: TableRule = (sources) => {
  const members = matches(textOf(sources, 'src/model/event.ts'), /readonly type: '([a-z.]+)'/g);
  const makers = sources.filter(({ path }) => !faces.test(path));
  return members
    .filter((type) => !makers.some(({ text }) => text.includes(`type: '${type}'`)))
    .map((type) => `src/model/event.ts: nothing emits ${type}`);
};

/** Looks for the last word of the setting's path, so it can be content with another use of a common word. */
const everySettingIsRead: TableRule = (sources) => {
  const paths = matches(textOf(sources, 'src/model/settingRows.ts'), /^ {2}'([a-z.-]+)':/gm);
  const readers = sources.filter(({ path }) => !/^src\/model\/(?:setting|harnesses)/.test(path));
  const isRead = (key: string) => {
    const reading = key.includes('-') ? new RegExp(`'${key}'`) : new RegExp(`\\b${key}\\b`);
    return readers.some(({ text }) => reading.test(text));
  };
  return paths
    .filter((path) => !isRead(path.split('.').at(-1) ?? ''))
    .map((path) => `src/model/settingRows.ts: nothing reads ${path}`);
};

/** A file of commands that the program does not add is never run. */
const everyCommandIsAdded: TableRule = (sources) => {
  const program = splitLayers(textOf(sources, 'src/cli/program.ts')).code;
  const commands = sources.filter(({ path }) => path.startsWith('src/cli/commands/'));
  return commands.flatMap(({ path, text }) =>
    matches(text, /^export function (add\w+Commands?)\(/gm)
      .filter((name) => !program.includes(`${name}(`))
      .map((name) => `${path}: src/cli/program.ts does not call ${name}`),
  );
};

/** In some table of `src/ui`, as a key or in short form; `package.json` is one of the sources. */
const everyDeclaredCommandHasOneRow: TableRule = (sources) => {
  const declared = matches(textOf(sources, 'package.json'), /"command": "ravel\.(\w+)",\s*"title"/g);
  const tables = sources
    .filter(({ path, text }) => path.startsWith('src/ui/') && /\b(?:CommandTable|registerCommands)\b/.test(text))
    .map(({ text }) => text.replace(/^import .*$|\bfunction \w+/gm, ''));
  const rows = (name: string) => {
    const key = new RegExp(`(?:^|[{,])\\s*(?:async )?${name}\\s*[:,}(]`, 'm');
    return tables.filter((text) => key.test(text)).length;
  };
  return declared
    .filter((name) => rows(name) !== 1)
    .map((name) => `package.json: ravel.${name} has ${rows(name)} rows in the tables of src/ui`);
};

/** Of those in the palette, by their titles; a menu alone needs no page. */
const everyCommandIsInItsPage: TableRule = (sources) => {
  const text = textOf(sources, 'package.json');
  if (text === '') return [];
  const texts: Texts = JSON.parse(textOf(sources, 'package.nls.json') || '{}');
  const { commands, menus } = withTexts(JSON.parse(text).contributes as Contributes, texts);
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
  const titles = commands.filter(({ command }) => !hidden.has(command)).map(({ title }) => title);
  const page = textOf(sources, 'docs/vscode.md');
  const listed = page
    .slice(page.indexOf('## Commands'), page.indexOf('## The log'))
    .split('\n')
    .slice(6)
    .flatMap((line) => line.split('|')[2]?.split(', ') ?? [])
    .map((title) => title.trim());
  return [
    ...titles.filter((title) => !listed.includes(title)).map((title) => `docs/vscode.md: does not name ${title}`),
    ...listed.filter((title) => !titles.includes(title)).map((title) => `docs/vscode.md: ${title} is not a command`),
  ];
};

interface Contributes {
  readonly commands: readonly { readonly command: string; readonly title: string }[];
  readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when?: string }[] };
}

/** The rules, by what they say. */
export const tableRules: Readonly<Record<string, TableRule>> = {
  'something emits every event': everyEventIsEmitted,
  'something reads every setting': everySettingIsRead,
  'the program adds every command': everyCommandIsAdded,
  'every command of the editor has one row': everyDeclaredCommandHasOneRow,
  'docs/vscode.md has every command of the palette': everyCommandIsInItsPage,
};

function textOf(sources: readonly SourceFile[], path: string): string {
  return sources.find((source) => source.path === path)?.text ?? '';
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}
