import { expect, test } from 'vitest';
import type { RequestName } from '../../src/model/protocol.ts';
import { isReadOnly } from '../../src/model/requestKinds.ts';

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
