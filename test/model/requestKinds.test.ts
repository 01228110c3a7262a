import { expect, test } from 'vitest';
import type { RequestName } from '../../src/model/protocol.ts';
import { isLasting, isReadOnly, outlivesClient } from '../../src/model/requestKinds.ts';

const rows: readonly (readonly [request: RequestName, params: unknown, looks: boolean])[] = [
  ['outline', {}, true],
  ['approval', { approval: 'x' }, true],
  // Starts programs to ask them for their versions.
  ['doctor', {}, false],
  ['harnesses', {}, false],
  ['decide', {}, false],
  ['state', { plan: 'x', verb: 'backlog/list', args: {} }, true],
  ['state', { plan: 'x', verb: 'backlog/delete', args: {} }, false],
];

test.each(rows)('the request %s with %j only looks: %s', (request, params, looks) => {
  expect(isReadOnly(request, params)).toBe(looks);
});

test.each([
  ['run_cycle', true, true],
  ['session_call', true, true],
  ['ask', true, true],
  ['adopt', false, true],
  ['doctor', false, false],
  ['status', false, false],
  ['attach', false, false],
  ['toString', false, false],
])('the request %s can last: %s, and outlives its client: %s', (request, lasts, outlives) => {
  expect([isLasting(request), outlivesClient(request, {})]).toEqual([lasts, outlives]);
});

test('only a state verb that changes something outlives its client', () => {
  const verbs = ['backlog/list', 'backlog/delete'];
  expect(verbs.map((verb) => outlivesClient('state', { plan: 'x', verb, args: {} }))).toEqual([false, true]);
});
