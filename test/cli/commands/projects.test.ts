import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { createFakePorts } from '../fakePorts.ts';

test.each([[['projects', 'list']], [['projects']]])(
  'ravel %j lists each project with its folder or where it comes from',
  async (args) => {
    const projects = [
      { name: 'shop', path: '/code/shop', plans: 3 },
      { name: 'site', remote: 'git@host:site', plans: 0 },
      { name: 'toy', plans: 0 },
    ];
    const ports = await createFakePorts({ projects: () => ({ projects, diagnostics: [] }) });
    expect(await runCommandLine(args, ports)).toBe(0);
    expect(ports.written.stdout.split('\n')).toEqual([
      'shop  3 plans    /code/shop',
      'site  0 plans    not on this machine; git@host:site',
      'toy   0 plans    not on this machine',
      '',
    ]);
  },
);

test('ravel projects rename and remove become the owner, and say what they did', async () => {
  const plan = toQualifiedId('webshop/project-root');
  const names = [{ from: toQualifiedId('shop/project-root'), to: plan }];
  const ports = await createFakePorts({
    rename_project: () => ({ plan, directory: '/d', project: '/code/shop', names, diagnostics: [] }),
    remove_project: () => ({ archive: 'projects/x', plans: [plan], project: '/code/shop', diagnostics: [] }),
  });
  expect(await runCommandLine(['projects', 'rename', 'shop', 'webshop'], ports)).toBe(0);
  expect(await runCommandLine(['projects', 'remove', 'webshop'], ports)).toBe(0);
  expect(ports.asked.filter((line) => line.startsWith('open'))).toEqual([
    'open /vault as owner',
    'open /vault as owner',
  ]);
  expect(ports.written.stdout).toContain('Renamed to webshop/project-root.');
  expect(ports.written.stdout).toContain('Its folder stays as it is: /code/shop.');
  expect(ports.written.stdout).toContain('ravel archive restore projects/x');
});

describe('ravel rescan', () => {
  async function check(severities: readonly ('error' | 'warning')[], code: number, text: string): Promise<void> {
    const diagnostics = severities.map((severity) => diagnostic('project/notHere', 'shop', 'Gone.', { severity }));
    const ports = await createFakePorts({ rescan: () => ({ plans: 3, linked: ['shop'], diagnostics }) });
    expect(await runCommandLine(['rescan'], ports)).toBe(code);
    expect(ports.written.stdout).toContain(text);
  }

  test('with --obsidian names the files that it made', async () => {
    const ports = await createFakePorts({
      rescan: ({ obsidian }) => ({
        plans: 1,
        linked: [],
        made: obsidian === true ? ['Plans.md'] : [],
        diagnostics: [],
      }),
    });
    expect(await runCommandLine(['rescan', '--obsidian'], ports)).toBe(0);
    expect(ports.written.stdout).toBe('Made Plans.md.\n1 plan.\n');
  });
  test('exits with 0 if nothing is wrong', () => check([], 0, '3 plans, linked shop.'));
  test('exits with 0 after a warning', () => check(['warning'], 0, '3 plans, linked shop; 1 warning.'));
  test('exits with 2 after an error', () => check(['error'], 2, '1 error.'));
});
