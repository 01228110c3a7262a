import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import type { SecretRow } from '../../../src/model/secretState.ts';
import { createFakePorts, jsonLines } from '../fakePorts.ts';

const variable = { kind: 'environment', variable: 'DOOR_VALUE' } as const;
const command = { kind: 'command', program: 'pass', args: ['show', 'door'] } as const;
const guarded: SecretRow = { name: 'DOOR', place: variable, state: 'guarded' };
const absent: SecretRow = { name: 'NONE', place: variable, state: 'absent' };
const short: SecretRow = { name: 'SMALL', place: variable, state: 'short' };
const failed: SecretRow = {
  name: 'KEY',
  place: command,
  state: 'failed',
  problem: 'its program pass ended with code 1',
};

test.each<[string, readonly SecretRow[], number, string]>([
  [
    'each secret, where it is kept and how it is',
    [guarded, absent, short],
    0,
    [
      'DOOR  variable DOOR_VALUE  its value is looked for',
      'NONE  variable DOOR_VALUE  has no value here',
      'SMALL  variable DOOR_VALUE  its value is too short to be looked for',
    ].join('\n'),
  ],
  [
    'why one cannot be read, and ends with 1',
    [failed],
    1,
    'KEY  program pass  cannot be read: its program pass ended with code 1',
  ],
  ['that there are none', [], 0, 'Your configuration names no secret.'],
])('ravel secrets list says %s', async (_what, secrets, code, text) => {
  const ports = await createFakePorts({}, { secrets });
  expect(await runCommandLine(['secrets', 'list'], ports)).toBe(code);
  expect(ports.written.stdout).toBe(`${text}\n`);
});

test('ravel secrets list tells scripts the same', async () => {
  const ports = await createFakePorts({}, { secrets: [guarded] });
  await runCommandLine(['--json', 'secrets'], ports);
  expect(jsonLines(ports.written.stdout)).toEqual([{ result: [guarded] }]);
});
