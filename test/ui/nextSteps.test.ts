import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codes } from '../../src/model/codes.ts';
import { nextStepOf } from '../../src/ui/nextSteps.ts';

const manifest: { contributes: { commands: { command: string }[]; views: { ravel: { id: string }[] } } } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const own = new Set([
  ...manifest.contributes.commands.map(({ command }) => command),
  ...manifest.contributes.views.ravel.map(({ id }) => `${id}.focus`),
]);
// Commands of the editor and of its built-in extensions.
const editors = new Set([
  'git.checkout',
  'workbench.action.reloadWindow',
  'workbench.extensions.action.checkForUpdates',
  'workbench.trust.manage',
]);

// Errors between an empty window and the first phase, and the commands each one leads to.
test.each([
  ['git/missing', ['ravel.openPage', 'workbench.action.reloadWindow']],
  ['git/notARepository', ['ravel.typeInTerminal', 'ravel.adoptProject']],
  ['git/noIdentity', ['ravel.typeInTerminal']],
  ['git/detachedHead', ['git.checkout']],
  ['vault/exists', ['ravel.openVault', 'ravel.createVault']],
  ['vault/none', ['ravel.openVault', 'ravel.createVault']],
  ['vault/newerSchema', ['workbench.extensions.action.checkForUpdates']],
  ['vault/unreadable', ['ravel.openVault']],
  ['project/exists', ['ravel.plans.focus']],
  ['project/inVault', ['ravel.adoptProject']],
  ['project/missing', ['ravel.adoptProject']],
  ['project/noRootPlan', ['ravel.adoptProject']],
  ['project/badLink', ['ravel.runDoctor']],
  ['plan/exists', ['ravel.createPlan']],
  ['plan/nothingReady', ['ravel.addTask']],
  ['harness/missing', ['ravel.connectClaudeCode', 'ravel.runDemo']],
  ['harness/notExecutable', ['ravel.connectClaudeCode']],
  ['harness/noScenario', ['ravel.runDemo']],
  ['disk/denied', []],
  ['disk/full', []],
  ['ui/noVault', ['ravel.createVault', 'ravel.openVault', 'ravel.runDemo']],
  ['ui/noPlan', ['ravel.adoptProject']],
  ['ui/untrusted', ['workbench.trust.manage']],
])('the error %s leads to known commands, with help that needs no command line', (code, commands) => {
  expect(Object.hasOwn(codes, code)).toBe(true);
  const step = nextStepOf({ code, subject: '/code/shop' });
  expect(step?.help).toMatch(/^[A-Z].*\.$/);
  // A person in an editor should not need a command line.
  expect(step?.help).not.toMatch(/--|`ravel/);
  expect(step?.actions.map(({ command }) => command)).toEqual(commands);
  for (const command of commands) expect(own.has(command) || editors.has(command), command).toBe(true);
});

test('the step for a folder without a repository opens the terminal there', () => {
  const [first] = nextStepOf({ code: 'git/notARepository', subject: '/code/shop' })?.actions ?? [];
  expect(first?.arguments).toEqual([{ text: 'git init', folder: '/code/shop' }]);
});

test('a code without a next step has none', () =>
  expect(nextStepOf({ code: 'yaml/syntax', subject: 'x' })).toBeUndefined());
