import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { gateNames } from '../src/gates/gate.ts';
import { codes } from '../src/model/codes.ts';
import { eventTypes } from '../src/model/event.ts';
import { harnessNames } from '../src/model/harnesses.ts';
import { reasoningPhases } from '../src/model/phase.ts';
import { requestSchemas } from '../src/model/protocol.ts';
import { houseRules } from './support/houseRules.ts';
import { superLinearPatterns } from './support/patterns.ts';
import { notUnits, otherCrashes, unitFolders } from './support/projects.ts';
import {
  bareTools,
  consultationPrompts,
  consultationTools,
  foreignTools,
  promptProblems,
  toolsOfPrompt,
  unmentionedTools,
} from './support/promptRules.ts';
import { functionSizes, type SourceFile } from './support/sourceText.ts';
import { tableRules } from './support/tableRules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = readTree('src', /\.ts$/);
const pages = readTree('webview', /\.ts$/);
const code = [...src, ...pages];
const tests = readTree('test', /\.(?:ts|mjs)$/, /^test\/programs\//);
const builders = [...readTree('packaging', /\.m[jt]s$/), ...readTree('.', /^\.\/esbuild\./)];
const prompts = readTree('prompts', /\.md$/);
const papers = [...readTree('docs', /\.md$/), ...readTree('.', /^\.\/[A-Z]+\.md$/)];
/** Lists of English words, which are data. */
const wordLists = ['src/base/words/stopWords.ts', 'src/gates/dream/dreamWords.ts'];
const packageFile = readTree('.', /^\.\/package\.json$/);
const plainTexts = [...code, ...prompts, ...papers, ...packageFile].filter(({ path }) => !wordLists.includes(path));

describe('the house rules', () => {
  test.each<[string, string[]]>([
    ['imports go downhill', houseRules.importsGoDownhill(code)],
    ['the outside world has one door', houseRules.outsideWorldHasOneDoor(code)],
    ['no circle of imports', houseRules.noCycles(code)],
    ['modules hold no state', houseRules.modulesHoldNoState(code)],
    ['nothing is exported twice', houseRules.noReExports(code)],
    ['nothing is left unfinished', houseRules.nothingIsLeftUnfinished([...code, ...tests, ...prompts, ...papers])],
    ['no test is left out or tried twice, no module replaced', houseRules.noTestIsLeftOut(tests)],
    ['no program outlives its test with a stream of the run', houseRules.noProgramGetsAStreamOfTheRun(tests)],
    ['test files are short', houseRules.testFilesAreShort(tests)],
    ['unit tests start no process', houseRules.unitsStartNoProcess([...tests, ...builders])],
    ['what ships imports nothing from the tests', houseRules.productImportsNoTest([...code, ...builders])],
    ['comments cite only what is here', houseRules.commentsNameWhatIsHere([...code, ...tests, ...papers])],
    ['no path of one machine', houseRules.noMachinePaths([...code, ...tests, ...prompts, ...papers])],
    ['words are plain', houseRules.wordsArePlain(plainTexts)],
    ['titles of tests are plain', houseRules.titlesArePlain(tests)],
    ["names that people read are the field's", houseRules.shownNamesAreTheFields([...src, ...packageFile])],
    ["names are the field's", houseRules.namesAreTheFields([...code, ...tests])],
    ['names are exported once', houseRules.namesAreExportedOnce(code)],
  ])('%s', (_name, violations) => expect(violations).toEqual([]));
});

test('ARCHITECTURE.md stays an overview: details of one thing belong into a page of docs/design', () => {
  const page = papers.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? '';
  expect(page).not.toBe('');
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(40_000);
});

test('every regular expression takes linear time, or says why it need not', { timeout: 600_000 }, async () => {
  expect(await superLinearPatterns(code)).toEqual([]);
});

describe('tables', () => {
  const literals = new Map([...src, ...tests].map(({ path, text }) => [path, stringsOf(text)]));

  test('every error code in use is in the table', () => {
    const written = src.flatMap(({ path, text }) =>
      [...text.matchAll(/\bcode: '([a-z]+\/[a-zA-Z]+)'/g)].map(([, code = '']) => ({ path, code })),
    );
    expect(written.filter(({ code }) => !Object.hasOwn(codes, code))).toEqual([]);
  });

  test('every error code of the table is in use', () => {
    const used = new Set([...literals].flatMap(([path, strings]) => (path === 'src/model/codes.ts' ? [] : strings)));
    expect(Object.keys(codes).filter((code) => !used.has(code))).toEqual([]);
  });

  const manifest = ['package.json', 'package.nls.json'].map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));

  test.each(Object.entries(tableRules))('%s', (_name, rule) =>
    expect(rule([...code, ...papers, ...manifest])).toEqual([]),
  );

  test('every harness that settings know has a file, and the table names it', () => {
    const table = src.find(({ path }) => path === 'src/harness/adapters.ts')?.text ?? '';
    for (const name of harnessNames) expect(table).toMatch(new RegExp(`'?${name}'?:`));
  });

  test('the protocol page names every request and every event', () => {
    const page = papers.find(({ path }) => path === 'docs/protocol.md')?.text ?? '';
    const names = [...Object.keys(requestSchemas), ...eventTypes];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('tests', () => {
  const present = new Set(tests.map(({ path }) => path));

  test.each(Object.keys(notUnits))('%s exists, and is in a folder of unit tests', (path) => {
    expect([...present]).toContain(path);
    expect(unitFolders).toContain(path.split('/')[1]);
  });

  test.each(otherCrashes)('%s exists', (path) => {
    expect([...present]).toContain(path);
  });

  test('every file whose name says that it holds tests is one that some project runs', () => {
    const all = [...code, ...readTree('test', /./, /^test\/programs\//)].map(({ path }) => path);
    const named = all.filter((path) => /\.(?:test|spec)\.\w+$/i.test(path));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !/^test\/.*\.test\.ts$/.test(path))).toEqual([]);
  });

  test.each(gateNames)('the gate %s has a file and a test file', (name) => {
    expect(src.map(({ path }) => path)).toContain(`src/gates/${name}.ts`);
    expect(present).toContain(`test/gates/${name}.test.ts`);
  });
});

describe('prompts', () => {
  const textOf = (name: string) => prompts.find(({ path }) => path === `prompts/${name}.md`)?.text ?? '';

  test.each(reasoningPhases)('%s has a prompt that tells of every tool it has', (phase) => {
    expect(textOf(phase)).not.toBe('');
    expect(unmentionedTools(toolsOfPrompt(phase), textOf(phase))).toEqual([]);
  });

  test('name only files and verbs that exist and that their phase has', () => {
    const ofPhases = prompts.filter(({ path }) => !Object.hasOwn(consultationPrompts, path.slice('prompts/'.length)));
    expect(ofPhases.flatMap(({ path, text }) => promptProblems(basename(path), text))).toEqual([]);
  });

  test.each(Object.entries(consultationPrompts))('%s tells of every tool of %s, and of no other', (file, source) => {
    const tools = consultationTools(src.find(({ path }) => path === source)?.text ?? '');
    const text = prompts.find(({ path }) => path === `prompts/${file}`)?.text ?? '';
    expect(tools).not.toEqual([]);
    expect(unmentionedTools(tools, text)).toEqual([]);
    expect(foreignTools(file, text, tools)).toEqual([]);
    expect(bareTools(file, text, tools)).toEqual([]);
  });

  test('of consultations are all held to that', () => {
    const below = prompts.filter(({ path }) => path.startsWith('prompts/routing/'));
    expect(below.map(({ path }) => path.slice('prompts/'.length)).filter((file) => !consultationPrompts[file])).toEqual(
      [],
    );
  });
});

test('sizes, for a reader to look at', () => {
  const byLines = (a: { lines: number }, b: { lines: number }) => b.lines - a.lines;
  const files = code.map(({ path, text }) => ({ name: path, lines: text.split('\n').length - 1 }));
  const functions = code.flatMap(({ path, text }) =>
    functionSizes(text).map(({ name, lines }) => ({ name: `${path} ${name}`, lines })),
  );
  for (const sizes of [files, functions]) {
    const largest = sizes.sort(byLines).slice(0, 3);
    console.log(largest.map(({ name, lines }) => `${String(lines).padStart(4)}  ${name}`).join('\n'));
    expect(largest.length).toBeGreaterThan(0);
  }
});

function readTree(directory: string, wanted: RegExp, unwanted = /(?:^|\/)node_modules\//): SourceFile[] {
  const at = join(root, directory);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: directory !== '.', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) =>
        `${directory}${join(entry.parentPath, entry.name)
          .slice(at.length)
          .replace(/^(?=[^/])/, '/')}`,
    )
    .filter((path) => wanted.test(path) && !unwanted.test(path))
    .map((path) => ({ path: path.replace(/^\.\//, ''), text: readFileSync(join(root, path), 'utf8') }))
    .sort((a, b) => a.path.localeCompare(b.path));
}

function stringsOf(text: string): string[] {
  return [...text.matchAll(/'([a-z]+\/[a-zA-Z]+)'/g)].map(([, string = '']) => string);
}
