import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import type { SecretRow } from '../../../src/model/secretState.ts';
import { createFakePorts, jsonLines } from '../fakePorts.ts';

const variable = { kind: 'environment', variable: 'DOOR_VALUE' } as const;
const command = { kind: 'command', program: 'pass', args: ['show', 'door'] } as const;
const guarded: SecretRow = { name: 'DOOR', place: variable, state: 'guarded' };
const absent: SecretRow = { name: 'NONE', place: variable, state: 'absent' };
const short: SecretRow = { name: 'SMALL', place: variable, state: 'short' };
const unseen: SecretRow = { name: 'WINDOW', place: { kind: 'editor' }, state: 'unseen' };
const again: SecretRow = {
  ...{ name: 'AGAIN', place: { kind: 'keychain' }, state: 'guarded', sameAs: ['DOOR'] },
};
const open: SecretRow = {
  ...{ name: 'OPEN', place: { kind: 'age', file: '/a.age', identity: '/id' }, state: 'guarded' },
  note: 'others can read /a.age, which is encrypted',
};
const failed: SecretRow = {
  name: 'KEY',
  place: command,
  state: 'failed',
  problem: 'its program pass ended with code 1',
};

test.each<[string, readonly SecretRow[], number, string]>([
  [
    'each secret, where it is kept and how it is',
    [guarded, absent, short, unseen, again, open],
    0,
    [
      'DOOR  variable DOOR_VALUE  its value is looked for',
      'NONE  variable DOOR_VALUE  has no value here',
      'SMALL  variable DOOR_VALUE  its value is too short to be looked for',
      'WINDOW  secret storage of the editor  is read by windows of the editor',
      'AGAIN  keychain of the system  its value is looked for; the same value as DOOR',
      'OPEN  age file /a.age  its value is looked for; others can read /a.age, which is encrypted',
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

test.each([
  ['a person types it', { isTty: true, answers: ['what opens'] }],
  ['it comes on standard input', { stdin: 'what opens\n' }],
])('ravel secrets set takes a value when %s, and never prints it', async (_how, given) => {
  const ports = await createFakePorts({}, { secrets: [guarded], ...given });
  expect(await runCommandLine(['secrets', 'set', 'DOOR', '--in', 'age'], ports)).toBe(0);
  expect(ports.asked).toEqual(['keep 10 characters as DOOR in age']);
  expect(ports.written.stdout).toBe('Kept: DOOR  variable DOOR_VALUE  its value is looked for\n');
  expect(ports.written.stdout + ports.written.stderr).not.toContain('what opens');
});

test('ravel secrets set keeps nothing if the person gives no value', async () => {
  const ports = await createFakePorts({}, { isTty: true });
  expect(await runCommandLine(['secrets', 'set', 'DOOR'], ports)).toBe(2);
  expect(ports.asked).toEqual([]);
  expect(ports.written.stderr).toContain('No value was given.');
});

test.each([[['DOOR', 'what-opens']], [['DOOR', '--value=what-opens']], [['DOOR', '--in', 'what-opens']]])(
  'a value is refused as an argument, and not repeated',
  async (args) => {
    const ports = await createFakePorts({}, { secrets: [guarded] });
    expect(await runCommandLine(['secrets', 'set', ...args], ports)).not.toBe(0);
    expect(ports.asked).toEqual([]);
    expect(ports.written.stdout + ports.written.stderr).not.toContain('what-opens');
  },
);

test('ravel secrets where says it of one, and ends with 1 if it cannot be read', async () => {
  const ports = await createFakePorts({}, { secrets: [guarded, failed] });
  expect(await runCommandLine(['secrets', 'where', 'DOOR'], ports)).toBe(0);
  expect(await runCommandLine(['secrets', 'where', 'KEY'], ports)).toBe(1);
  expect(await runCommandLine(['secrets', 'where', 'OTHER'], ports)).toBe(3);
  expect(ports.written.stdout).toContain(
    'DOOR  variable DOOR_VALUE  its value is looked for\nKEY  program pass  cannot',
  );
});

test('ravel secrets remove says what became of the value', async () => {
  const ports = await createFakePorts({}, { secrets: [guarded, again] });
  await runCommandLine(['secrets', 'remove', 'DOOR'], ports);
  await runCommandLine(['secrets', 'remove', 'AGAIN'], ports);
  expect(ports.written.stdout).toBe(
    'DOOR is not looked for any more. Its value stays in the variable DOOR_VALUE.\nRemoved from the keychain of the system: AGAIN\n',
  );
});
