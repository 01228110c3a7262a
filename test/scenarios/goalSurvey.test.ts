import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createGit, type Git } from '../../src/git/git.ts';
import { ProjectFiles } from '../../src/goals/projectFiles.ts';
import { type SurveyFacts, surveyProject } from '../../src/goals/survey.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { workUntil } from '../support/workOf.ts';
import { makeWorld, type World } from '../support/world.ts';

const facts: SurveyFacts = { project: 'shop', under: 'shop/project-root', plans: [], experts: [], commits: [] };

async function survey(world: Pick<World, 'project' | 'environment'>, known: SurveyFacts = facts): Promise<string> {
  const git = createGit({ clock: systemClock, disk: nodeDisk, environment: world.environment });
  return surveyProject(await ProjectFiles.open({ disk: nodeDisk, git }, world.project), known);
}

test('an empty project without a README and without git is surveyed as what it is', async () => {
  const world = await makeWorld({ files: { 'a.txt': 'a' } });
  rmSync(join(world.project, 'a.txt'));
  rmSync(join(world.project, '.git'), { recursive: true });
  const text = await survey(world);
  expect(text).toContain('0 files that git does not ignore.');
  for (const said of ['There is no README.', 'The project is empty.', 'Nothing at the top says how.'])
    expect(text).toContain(said);
});

test('files of plans are left out, also those of a project inside this one, and a source folder of that name is not', async () => {
  const files = ['pkg/ravel/project-root/backlog.yaml', 'pkg/ravel/project-root/sub/memory.yaml', 'src/ravel/index.ts'];
  const world = await makeWorld({ files: Object.fromEntries(files.map((path) => [path, 'x'])) });
  const git = createGit({ clock: systemClock, disk: nodeDisk, environment: world.environment });
  const { paths } = await ProjectFiles.open({ disk: nodeDisk, git }, world.project);
  expect(paths.filter((path) => files.includes(path))).toEqual(['src/ravel/index.ts']);
});

test('a project of 20,000 files with long texts gives at most 12,000 bytes, and the same ones each time', async () => {
  const world = await makeWorld({
    files: {
      'README.md': `# Ä long one\n${'ö '.repeat(40_000)}\n${'line of the README\n'.repeat(5000)}`,
      'package.json': JSON.stringify({
        name: 'shop',
        dependencies: Object.fromEntries([...Array(2000).keys()].map((n) => [`dependency-${n}`, '1'])),
      }),
      'TODO.md': '- [ ] An open point that is long enough to be cut some day\n'.repeat(3000),
    },
  });
  for (let folder = 0; folder < 200; folder++) {
    const path = join(world.project, 'src', `part-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 100; file++) writeFileSync(join(path, `file-${file}.ts`), '');
  }
  const tasks = [...Array(500).keys()].map((n) => ({ title: `Task ${n}`, status: 'not_started' as const }));
  const plans = [...Array(100).keys()].map((n) => ({
    plan: `shop/project-root/p${n}`,
    description: 'x'.repeat(120),
    tasks,
  }));
  const known = {
    ...facts,
    plans,
    experts: Array(500).fill('rust: knows Rust'),
    commits: Array(900).fill('Ü'.repeat(300)),
  };
  let text = '';
  const work = await workUntil(async () => {
    text = await survey(world, known);
  });
  expect(work).toBeLessThan(10_000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12_000);
  expect(text).toContain('- src/: 20,000 files (ts 20000)');
  expect(text).not.toContain('\uFFFD');
  for (const part of [
    'Beginning of the README',
    'Manifests',
    'Folders',
    'Open points in files',
    'Last commits',
    'Plans and their open tasks',
    'Experts',
  ])
    expect(text).toContain(`## ${part}`);
  expect(await survey(world, known)).toBe(text);
});

/** A repository whose index has files that are nowhere else: git lists them as it lists any others. */
async function indexFiles(world: World, paths: readonly string[]): Promise<void> {
  const hash = (await world.git('hash-object', '-w', '--', 'README.md')).trim();
  const list = join(world.root, 'index.txt');
  writeFileSync(list, paths.map((path) => `100644 ${hash}\t${path}\n`).join(''));
  await world.git('-c', `alias.fill=!git update-index --index-info < '${list}'`, 'fill');
}

test('a project of 100,000 files is surveyed with one look by git and a few files, and no folder hides another', async () => {
  const world = await makeWorld({
    files: { 'README.md': '# Shop\n', 'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }' },
  });
  const many = [
    ...[...Array(80_000).keys()].map((n) => `assets/pictures/${n % 100}/picture-${n}.png`),
    ...[...Array(20_000).keys()].map((n) => `src/part-${n % 100}/file-${n}.ts`),
    'zebra/last.rs',
  ];
  await indexFiles(world, many);
  const looks: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name, path) => void looks.push(`${name} ${path}`));
  const runs: (readonly string[])[] = [];
  const git = createGit({ clock: systemClock, disk: nodeDisk, environment: world.environment });
  const counted: Git = {
    ...git,
    run: (directory, args, options) => {
      runs.push(args);
      return git.run(directory, args, options);
    },
  };
  const files = await ProjectFiles.open({ disk, git: counted }, world.project);
  const text = await surveyProject(files, facts);
  // However many files there are, these are all that was done.
  expect(runs.map(([first]) => first)).toEqual(['ls-files']);
  expect(looks.length).toBeLessThan(20);
  expect([files.paths.length, files.isCut]).toEqual([50_000, true]);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12_000);
  for (const said of [
    '50,000 files that git does not ignore (there are more, which are not listed).',
    '- npm run test: node --test',
    '- src/: 20,000 files (ts 20000)',
    '- assets/: 29,997 files (png 29997)',
    '- zebra/: 1 file (rs 1)',
  ])
    expect(text).toContain(said);
  expect(await surveyProject(await ProjectFiles.open({ disk: nodeDisk, git }, world.project), facts)).toBe(text);
});

test('what says how tests are run is found in scripts, targets, runners and places', async () => {
  const world = await makeWorld({
    files: {
      'package.json': '{ "name": "a", "scripts": { "test": "node --test", "start": "node ." } }',
      Makefile: 'all: build\ntest-all : all\n\tmake\n',
      'go.mod': 'module a\n',
      'pytest.ini': '',
      'test/a.test.ts': '',
      '.github/workflows/ci.yml': '',
      'broken/package.json': '{',
    },
  });
  const text = await survey(world);
  const part = text.slice(text.indexOf('## How tests'), text.indexOf('## Folders'));
  for (const said of [
    'npm run test: node --test',
    'the target test-all',
    'go test ./...',
    'pytest.ini',
    '1 test file, such as test/a.test.ts',
    'ci.yml',
  ])
    expect(part).toContain(said);
  expect(part).not.toContain('npm run start');
});
