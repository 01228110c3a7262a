import { expect, test } from 'vitest';
import { isForPerson, ownedByPersons, personOnly } from '../../src/model/personOnly.ts';
import type { RequestName } from '../../src/model/protocol.ts';

test.each<[RequestName, unknown, boolean]>([
  ['hello', {}, false],
  ['list', {}, false],
  ['session_call', {}, false],
  ['judge_tool', {}, false],
  ['state', { verb: 'memory/list' }, false],
  ['state', { verb: 'memory/add' }, true],
  ['state', {}, true],
  ['decide', {}, true],
  ['run_phase', {}, true],
  ['rescan', {}, true],
  ['shutdown', {}, true],
])('%s with %j is for a person: %s', (name, params, expected) => expect(isForPerson(name, params)).toBe(expected));

test.each<[RequestName, unknown, string]>([
  ['state', { verb: 'memory/add' }, 'Call the session tool memory_add instead'],
  ['state', { verb: 'no/such' }, 'Use the tools of your session'],
  ['state', 'memory/add', 'Use the tools of your session'],
  ['dispatch', {}, 'Call the session tool message_dispatch instead'],
  ['ask', {}, 'Call the session tool message_ask instead'],
  ['decide', {}, 'Use the tools of your session'],
])('the refusal of %s with %j names what a session can do', (name, params, help) => {
  const { diagnostic } = personOnly(name, params, 'S1');
  expect(diagnostic).toMatchObject({ code: 'session/personOnly', subject: name });
  expect(diagnostic.message).toContain('session S1');
  expect(diagnostic.help).toContain(help);
});

test('a refusal says that the caller is unknown, or that a session cannot own the vault', () => {
  expect(personOnly('decide', {}, undefined).message).toContain('has ended');
  expect(ownedByPersons('/vault', 'S1').diagnostic).toMatchObject({ code: 'session/personOnly', subject: '/vault' });
});
