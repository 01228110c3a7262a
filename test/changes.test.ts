import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { houseRules } from './support/houseRules.ts';
import { type Edit, type SampleChange, sampleChanges } from './support/sampleChanges.ts';
import type { SourceFile } from './support/sourceText.ts';
import { tableRules } from './support/tableRules.ts';
import { makeTemporaryDirectory } from './support/temporaryDirectory.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Two compilers, and the tests of the tables in a process of their own, on a machine that has other work. */
const timeoutMs = 300_000;

describe('the table of costs', async () => {
  const page = await readFile(join(root, 'docs', 'design', 'house.md'), 'utf8');
  const rows = new Map(
    [...page.matchAll(/^\| ([^|]+) \| (\d edits?(?:, \d files?)?) \|/gm)].map(([, kind = '', cost = '']) => [
      kind,
      cost,
    ]),
  );

  test.each(sampleChanges)('has the true cost of $kind', (change) =>
    expect(rows.get(change.kind)).toBe(costOf(change)),
  );
});

test('one of each kind, made as the table of costs says, compiles and keeps the rules', {
  timeout: timeoutMs,
}, async () => {
  const tree = await copyTree();
  await apply(tree, () => true);
  await vitest(tree, ['test/support/writtenTables.test.ts'], { UPDATE_GOLDEN: '1' });
  expect(await compilers(tree)).toEqual([]);
  expect(await rulesBroken(tree)).toEqual([]);
  await vitest(tree, [
    ...['test/support/writtenTables.test.ts', 'test/manifest.test.ts', 'test/cli/program.test.ts'],
    ...['test/model/event.test.ts', 'test/model/settingRows.test.ts'],
    // The names of all commands stand in that file, which a new one has to change.
    ...['-t', '^(?!ravel has these commands)'],
  ]);
});

/** Of each kind one edit is left out in a round: the first, the second and the third, or its last. */
const rounds = process.env['RAVEL_EVERY_CHANGE'] === undefined ? [1] : [0, 1, 2];

test.each(rounds)('whatever edit is forgotten is named (round %i)', { timeout: timeoutMs }, async (round) => {
  const tree = await copyTree();
  const forgotten = sampleChanges.flatMap(({ edits }) => edits[Math.min(round, edits.length - 1)] ?? []);
  await apply(tree, (edit) => !forgotten.includes(edit));
  const said = [...(await compilers(tree)), ...(await rulesBroken(tree))];
  const unnamed = forgotten.filter(
    ({ namedBy: [path, word] }) => !said.some((line) => line.startsWith(path) && line.includes(word)),
  );
  expect(unnamed.map(({ path, namedBy }) => `${path}: ${namedBy.join(' … ')}`)).toEqual([]);
});

/** An edit is a file that is changed, in one place or in several. What `npm run tables` writes does not count. */
function costOf({ edits, files }: SampleChange): string {
  const added = Object.keys(files).length;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return [count(edits.length, 'edit'), ...(added === 0 ? [] : [count(added, 'file')])].join(', ');
}

/** All that the compilers and the tests of tables read. */
async function copyTree(): Promise<string> {
  const tree = await makeTemporaryDirectory();
  const names = await readdir(root);
  const copied = names.filter((name) =>
    /^(?:src|webview|test|docs|prompts|media|packaging|l10n|.*\.(?:json|md|mjs|mts|ts|png))$/.test(name),
  );
  for (const name of copied) {
    await cp(join(root, name), join(tree, name), { recursive: true, filter: (path) => !path.includes('node_modules') });
  }
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  const include = { extends: './tsconfig.json', include: ['src'] };
  await writeFile(join(tree, 'tsconfig.changes.json'), JSON.stringify(include));
  return tree;
}

async function apply(tree: string, isWanted: (edit: Edit) => boolean): Promise<void> {
  for (const { edits, files } of sampleChanges) {
    for (const { path, insert } of edits.filter(isWanted)) {
      let text = await readFile(join(tree, path), 'utf8');
      for (const [before, added] of insert) {
        expect(text.split(before).length - 1, `${path} has once: ${before}`).toBe(1);
        text = text.replace(before, () => `${added}${before}`);
      }
      await writeFile(join(tree, path), text);
    }
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), text);
    }
  }
}

/** The errors of both compilers, one line each. */
async function compilers(tree: string): Promise<string[]> {
  const outputs = ['tsconfig.changes.json', 'tsconfig.webview.json'].map((project) =>
    // More than one checker looks at the same types more than once.
    run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', project, '--pretty', 'false', '--checkers', '1'], {
      cwd: tree,
    }).then(
      ({ stdout }) => stdout,
      ({ stdout }) => String(stdout),
    ),
  );
  const lines = (await Promise.all(outputs)).flatMap((output) => output.split('\n'));
  return lines.filter((line) => line !== '');
}

/** The house rules that no sample can be excused from, and those of tables. */
async function rulesBroken(tree: string): Promise<string[]> {
  const sources = [...(await readTree(tree, 'src')), ...(await readTree(tree, 'webview'))];
  const others = ['package.json', 'package.nls.json', 'docs/vscode.md'].map(async (path) => ({
    path,
    text: await readFile(join(tree, path), 'utf8'),
  }));
  const { importsGoDownhill, outsideWorldHasOneDoor, noCycles, modulesHoldNoState, noReExports } = houseRules;
  const house = [importsGoDownhill, outsideWorldHasOneDoor, noCycles, modulesHoldNoState, noReExports];
  const all = [...sources, ...(await Promise.all(others))];
  return [...house.flatMap((rule) => rule(sources)), ...Object.values(tableRules).flatMap((rule) => rule(all))];
}

async function readTree(tree: string, directory: string): Promise<SourceFile[]> {
  const names = await readdir(join(tree, directory), { recursive: true });
  const paths = names.filter((name) => name.endsWith('.ts')).map((name) => `${directory}/${name}`);
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(tree, path), 'utf8') })));
}

/** Runs unit tests of the copy; fails with what they print. */
async function vitest(tree: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<void> {
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const ended = await run(
    process.execPath,
    // What the first run of a tree transformed, the second one loads; it goes with the tree.
    [program, 'run', '--project', 'unit', '--experimental.fsModuleCachePath', join(tree, 'modules'), ...words],
    {
      cwd: tree,
      env: { ...process.env, ...environment, CI: '' },
    },
  ).then(
    () => undefined,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
  expect(ended).toBeUndefined();
}
