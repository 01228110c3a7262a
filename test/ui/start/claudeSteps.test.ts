import { expect, test } from 'vitest';
import type { InspectedHarness } from '../../../src/model/requests/doctor.ts';
import { claudeStep } from '../../../src/ui/start/claudeSteps.ts';

const base: InspectedHarness = { harness: 'claude-code', isDefault: true, state: 'missing', message: '' };

test.each<[string, Partial<InspectedHarness>, RegExp, readonly string[]]>([
  [
    'is ready',
    {
      state: 'ready',
      version: '2.1.329',
      program: '/bin/claude',
      login: { state: 'found', how: 'A login is stored.' },
    },
    /^Claude Code 2\.1\.329 is ready, as \/bin\/claude\. A login is stored\. Phases run with it\.$/,
    [],
  ],
  [
    'is ready but the vault runs another',
    { state: 'ready', version: '2.1.329', program: '/bin/claude', isDefault: false },
    /another harness/,
    ['settings'],
  ],
  [
    'is missing',
    { message: 'There is no program claude on PATH.' },
    /Install it, or choose its program file/,
    ['type npm install -g @anthropic-ai/claude-code', 'chooseFile', 'page'],
  ],
  [
    'is not executable',
    { state: 'notExecutable', message: '/x/claude may not be run.', fix: "`chmod +x '/x/claude'` lets you" },
    /Make the file executable/,
    ["type chmod +x '/x/claude'", 'chooseFile', 'again'],
  ],
  [
    'does not answer',
    { state: 'silent', program: '/x/claude' },
    /Start it once/,
    ['type /x/claude --version', 'chooseFile', 'again'],
  ],
  [
    'is too old',
    { state: 'tooOld', program: "/my tools/cl'aude", message: '2.0.1, as x, is older than 2.1.0.' },
    /older than 2\.1\.0/,
    [String.raw`type '/my tools/cl'\''aude' update`, 'chooseFile', 'again'],
  ],
  [
    'has no login',
    {
      state: 'noLogin',
      version: '2.1.5',
      program: '/x/claude',
      login: { state: 'missing', how: 'No login is stored.' },
    },
    /^Claude Code 2\.1\.5 is installed, but you are not logged in\. No login is stored\. Start it once and log in\.$/,
    ['type /x/claude', 'key', 'again'],
  ],
])('if Claude Code %s, the step offers what helps', (_name, look, message, actions) => {
  const step = claudeStep({ ...base, ...look });
  expect(step.message).toMatch(message);
  expect(step.isReady).toBe(look.state === 'ready');
  const said = step.buttons.map(({ action }) => (action.kind === 'type' ? `type ${action.text}` : action.kind));
  expect(said).toEqual(actions);
});

test('a message of the program is shown as one line without control characters', () => {
  const { message } = claudeStep({ ...base, state: 'tooOld', message: 'claude \u001b[31m0.1\nrun `rm`' });
  expect(message).toBe('claude [31m0.1 run `rm`');
});
