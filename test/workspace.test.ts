import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts, engines } = JSON.parse(read('package.json'));
const oldestNode = Number(/\d+/.exec(engines.node)?.[0]);

interface Task {
  readonly label: string;
  readonly type: string;
  readonly script?: string;
  readonly command?: string;
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
  });

  test('recommends the same extensions as the container installs', () => {
    const { recommendations } = JSON.parse(read('.vscode/extensions.json'));
    const container = JSON.parse(read('.devcontainer/devcontainer.json'));
    expect(container.customizations.vscode.extensions).toEqual(recommendations);
  });
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
