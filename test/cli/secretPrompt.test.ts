import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLinePath } from '../support/commandLine.ts';
import { startRavel } from '../support/runProgram.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { makeTerminalWorld, watchTerminal } from '../support/terminals.ts';

const value = 'plain words that open a door';

test('a person types a value at a real terminal, which shows nothing of it', async () => {
  const { root, start } = await makeTerminalWorld();
  const command = `"${process.execPath}" "${commandLinePath()}" secrets`;
  const info = await start(`export XDG_CONFIG_HOME="${root}"\n${command} set DOOR --in age\n${command} where DOOR`);
  const { client, seen, text, exit } = await watchTerminal(info);
  await seen('it is not shown');
  client.write(`${value}\r`);
  await exit;
  expect(text()).toContain('Kept: DOOR  age file');
  expect(text()).toMatch(/DOOR {2}age file .*its value is looked for/);
  expect(text()).not.toContain('words that open');
  expect(readFileSync(join(root, 'ravel/config.toml'), 'utf8')).toContain('DOOR = { age = ');
});

test('a value on standard input is in no argument, no output and no file', async () => {
  const home = await makeTemporaryDirectory();
  const program = startRavel(['secrets', 'set', 'DOOR', '--in', 'age'], {
    environment: { HOME: home },
    stdin: `${value}\n`,
  });
  expect(program.child.spawnargs.join(' ')).not.toContain(value);
  const { code, stdout, stderr } = await program.ended;
  expect([code, stderr]).toEqual([0, '']);
  const files = ['config.toml', 'age-identity.txt', 'secrets/DOOR.age'];
  const kept = files.map((name) => readFileSync(join(home, '.config/ravel', name), 'latin1'));
  for (const text of [stdout, ...kept]) expect(text).not.toContain(value);
  const again = startRavel(['--json', 'secrets', 'list'], { environment: { HOME: home } });
  expect((await again.ended).stdout).toContain('"state":"guarded"');
});
