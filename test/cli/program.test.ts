import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/commandLine.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createFakePorts } from './fakePorts.ts';

async function check(path: readonly string[], expected: readonly string[]): Promise<void> {
  let { command } = createProgram(await createFakePorts({}));
  for (const name of path) command = command.commands.find((one) => one.name() === name) ?? command;
  expect(command.commands.map((one) => one.name())).toEqual(expected);
}

test('ravel has these commands', () =>
  check(
    [],
    [
      ...['init', 'adopt', 'create', 'verify', 'plan', 'import', 'projects', 'rescan', 'rename', 'remove', 'archive'],
      ...[
        'experts',
        'receipts',
        'next',
        'status',
        'run',
        'retry',
        'rehearse',
        'dismiss',
        'stop',
        'attach',
        'logs',
        'state',
      ],
      ...['approvals'],
      ...['suggestions', 'rules'],
      ...[
        ...[
          'dispatch',
          'ask',
          'answer',
          'reply',
          'routing',
          'received',
          'route',
          'search',
          'knowledge',
          'ingest',
          'why',
          'policy',
        ],
        'note',
        'actors',
        'revive',
        'dead-letters',
        'since',
        'history',
        'changes',
        'snapshots',
        'rollback',
        'given',
        'context',
        'spending',
        'settings',
        'daemon',
        'shutdown',
        'doctor',
        'notify',
        'secrets',
        'open',
      ],
      ...['demo', 'mcp', 'completion', 'complete', 'hook', 'terminal', 'scripted'],
    ],
  ));
test('the help groups the commands by purpose, in a fixed order', async () => {
  const help = createProgram(await createFakePorts({})).command.helpInformation();
  const order = [
    'Projects and plans:',
    ' adopt',
    'Status and runs',
    ' run',
    'State, decisions',
    ' note',
    'The vault as a',
  ];
  const places = [...order, ' settings', ' doctor', ' demo'].map((text) => help.indexOf(text));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(help).not.toContain('Commands:');
});
test('ravel state has these nouns', () =>
  check(['state'], ['backlog', 'received', 'memory', 'session', 'phase', 'phase-summary', 'commits', 'message']));
test('ravel state received has these verbs', () =>
  check(['state', 'received'], ['list', 'show', 'promote', 'decline']));

test('the help of each command or of its group has an example', async () => {
  const { command } = createProgram(await createFakePorts({}));
  const hasExample = async (...words: readonly string[]) => {
    const ports = await createFakePorts({});
    await runCommandLine([...words, '--help'], ports);
    return ports.written.stdout.includes(`$ ravel ${words[0]}`);
  };
  const missing: string[] = [];
  for (const one of command.createHelp().visibleCommands(command)) {
    if (one.name() === 'help' || one.name() === 'state' || (await hasExample(one.name()))) continue;
    const inner = one.createHelp().visibleCommands(one);
    if (inner.length === 0) missing.push(one.name());
    for (const leaf of inner) {
      const words = [one.name(), leaf.name()] as const;
      if (leaf.name() !== 'help' && !(await hasExample(...words))) missing.push(words.join(' '));
    }
  }
  expect(missing).toEqual([]);
});

test('creating the program starts nothing', async () => {
  const program = createProgram(await createFakePorts({}));
  expect(program.context()).toBeUndefined();
  expect(program.exitCode()).toBe(0);
});

test('with the words of a command line, the state verbs of the noun that they name are complete, and no others are made', async () => {
  const ports = await createFakePorts({});
  const helpOf = (words: readonly string[] | undefined, path: readonly string[]) => {
    let { command } = createProgram(ports, words);
    for (const word of path) command = command.commands.find((one) => one.name() === word) ?? command;
    return command.helpInformation();
  };
  const add = ['state', 'backlog', 'add'];
  expect(helpOf([...add, 'x', '--title', 'y'], add)).toBe(helpOf(undefined, add));
  expect(helpOf(['help', 'state', 'backlog'], ['state', 'backlog'])).toBe(helpOf(undefined, ['state', 'backlog']));
  expect(helpOf(['status'], add)).not.toContain('--title');
});
