import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, parse as parsePath, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts, engines, main } = JSON.parse(read('package.json'));
const oldestNode = Number(/\d+/.exec(engines.node)?.[0]);

/** Scripts that a command line runs by `npm run`, by their short names, or beside each other. */
function scriptsIn(command: string): string[] {
  const run = [...command.matchAll(/\bnpm (?:run (?:--silent )?([\w:]+)|(test|start)\b)/g)];
  const beside = [...command.matchAll(/beside\.mjs ((?:[a-z:]+ ?)+)/g)];
  return [
    ...run.map(([, named, short]) => named ?? short ?? ''),
    ...beside.flatMap(([, names = '']) => names.trim().split(' ')),
  ];
}

/** Files of the repository that a command line names; what a build makes is left out. */
function filesIn(command: string): string[] {
  const named = command.match(/(?<![\w/.$}-])(?:[\w-]+\/|\.[a-z]+\/)*[\w.-]+\.(?:mjs|ts|json)\b(?![\w/])/g) ?? [];
  return named.filter((path) => !path.startsWith('dist/'));
}

/** Each name of what is not there. */
function missing(commands: readonly string[]): string[] {
  return [
    ...commands.flatMap(scriptsIn).filter((script) => !Object.hasOwn(scripts, script)),
    ...commands.flatMap(filesIn).filter((path) => !existsSync(join(root, path))),
  ];
}

describe('what a command line names', () => {
  test.each([
    ['node test/support/beside.mjs build lint && vitest run test/tidy.test.ts', ['build', 'lint']],
    ['npm run --silent build && node dist/ravel.mjs demo', ['build']],
    ['npm test', ['test']],
    ['npm run test:unit', ['test:unit']],
  ])('the scripts of %s', (command, expected) => expect(scriptsIn(command)).toEqual(expected));

  test.each([
    ['node esbuild.mjs && tsc -p tsconfig.types.json', ['esbuild.mjs', 'tsconfig.types.json']],
    ['node dist/ravel.mjs demo', []],
    ['npx --no-install vitest run -c vitest.data.config.ts', ['vitest.data.config.ts']],
    ['node test/bench/run.mjs --report "$reports/benches.json"', ['test/bench/run.mjs']],
  ])('the files of %s', (command, expected) => expect(filesIn(command)).toEqual(expected));

  test('is there, for every script of the package', () => {
    const commands: readonly string[] = Object.values(scripts);
    expect(commands.flatMap(filesIn).length).toBeGreaterThan(10);
    expect(missing(commands)).toEqual([]);
  });
});

interface Task {
  readonly label: string;
  readonly type: string;
  readonly script?: string;
  readonly command?: string;
  readonly problemMatcher?: unknown;
}

const tasks: readonly Task[] = JSON.parse(read('.vscode/tasks.json')).tasks;

describe('the workspace of VS Code', () => {
  const [extension, testFile]: { readonly args: readonly string[]; readonly preLaunchTask: string }[] = JSON.parse(
    read('.vscode/launch.json'),
  ).configurations;

  test('has tasks whose scripts exist', () => {
    const named = tasks.flatMap(({ script, command }) => script ?? /^npm (\w+)/.exec(command ?? '')?.[1] ?? []);
    expect(named.length).toBe(tasks.length);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  test('starts the extension on the vault that the task before it makes', () => {
    const task = tasks.find(({ label }) => label === extension?.preLaunchTask);
    const [, folder = 'none'] = /--prepare "(.+)"/.exec(task?.command ?? '') ?? [];
    expect(extension?.args).toContain(`${folder}/vault`);
  });

  test('runs a test file with the program that npm test uses', () => {
    expect(testFile).toMatchObject({ program: expect.stringContaining('vitest') });
    const { program = '' } = testFile as { readonly program?: string };
    expect(existsSync(join(root, program.replace('${workspaceFolder}/', '')))).toBe(true);
  });

  test('maps the code of the extension, which the build puts where it is looked for', () => {
    const { outFiles } = extension as unknown as { readonly outFiles: readonly string[] };
    const { dir, ext } = parsePath(main);
    expect(outFiles).toContain(`\${workspaceFolder}/${posix.normalize(dir)}/**/*${ext}`);
  });

  test('makes the demo vault with an option that npm start has', () => {
    const command = tasks.find(({ label }) => label === 'Demo vault')?.command ?? '';
    const [, option] = /-- --(\w+) /.exec(command) ?? [];
    expect(option).toBeDefined();
    const [program = ''] = filesIn(scripts.start).filter((path) => path.startsWith('packaging/'));
    expect(read(program)).toContain(`${option}: { type: 'string' }`);
  });

  test('sees the end of a build from what the build prints', () => {
    const [dev] = tasks.filter(({ script }) => script === 'dev').map(({ problemMatcher }) => problemMatcher);
    const { background } = dev as { readonly background: { readonly endsPattern: string } };
    const [program = ''] = filesIn(scripts.dev);
    const printed = [...read(program).matchAll(/console\.log\([`'"](.+?)[`'"]/g)].map(([, text = '']) => text);
    const ends = printed.filter((text) => new RegExp(background.endsPattern).test(text));
    expect(ends.length).toBe(background.endsPattern.split('|').length);
  });

  test('recommends the same extensions as the container installs', () => {
    const { recommendations } = JSON.parse(read('.vscode/extensions.json'));
    const container = JSON.parse(read('.devcontainer/devcontainer.json'));
    expect(container.customizations.vscode.extensions).toEqual(recommendations);
  });
});

test('the container is built from a file that is there, and installs what the lock file names', () => {
  const { build, postCreateCommand } = JSON.parse(read('.devcontainer/devcontainer.json'));
  expect(existsSync(join(root, '.devcontainer', build.dockerfile))).toBe(true);
  expect(postCreateCommand).toMatch(/^npm ci\b/);
  expect(existsSync(join(root, 'package-lock.json'))).toBe(true);
});

test('the container has bubblewrap, git and a Node that Ravel runs on', () => {
  const text = read('.devcontainer/Dockerfile');
  expect(Number(/^FROM node:(\d+)/m.exec(text)?.[1])).toBeGreaterThanOrEqual(oldestNode);
  expect(text).toMatch(/install .*\bbubblewrap\b.*\bgit\b/);
});

describe('the forge', () => {
  const workflow = parse(read('.github/workflows/check.yml'));
  const { strategy, steps } = workflow.jobs.check;

  test('runs the same script as every other machine, from the oldest Node on, with the right to read alone', () => {
    expect(steps.at(-1)).toEqual({ run: '.ci/run' });
    expect(Math.min(...strategy.matrix.node)).toBe(oldestNode);
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  test('runs a script that can be run, all of whose scripts and files are there', () => {
    accessSync(join(root, '.ci/run'), constants.X_OK);
    const commands = read('.ci/run').split('\n');
    expect(commands.flatMap(scriptsIn)).toEqual(expect.arrayContaining(['test', 'demo']));
    expect(commands.flatMap(filesIn)).toEqual(expect.arrayContaining(['test/bench/run.mjs', 'vitest.data.config.ts']));
    expect(missing(commands)).toEqual([]);
  });

  test('sets only variables that the tests read', () => {
    const commands: string = steps.map(({ run = '' }: { readonly run?: string }) => run).join('\n');
    const set = [...commands.matchAll(/echo "(\w+)=.*>>"\$GITHUB_ENV"/g)].map(([, name = '']) => name);
    expect(set).toEqual(['RAVEL_CHROMIUM']);
    expect(read('test/editor/support/installBrowser.mjs')).toContain('RAVEL_CHROMIUM');
  });

  test('runs on Linux and macOS, on Linux with the sandbox', () => {
    expect(strategy.matrix.system).toEqual([expect.stringContaining('ubuntu'), expect.stringContaining('macos')]);
    const linux = steps.filter((step: { readonly if?: string }) => step.if === "runner.os == 'Linux'");
    expect(JSON.stringify(linux)).toContain('bubblewrap');
  });

  const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');

  test.each(forms)('has the form %s, with a name, a description and fields that have labels', (name) => {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`));
    const fields: { readonly type: string; readonly id: string; readonly attributes: { readonly label: string } }[] =
      form.body.filter(({ type }: { readonly type: string }) => type !== 'markdown');
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    expect(fields.filter(({ attributes }) => !attributes.label)).toEqual([]);
  });

  test('has a form for pull requests whose links lead somewhere', () => {
    const links = [...read('.github/pull_request_template.md').matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
    expect(links.filter((to) => !existsSync(join(root, '.github', to)))).toEqual([]);
  });
});
