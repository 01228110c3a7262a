import { describe, expect, test } from 'vitest';
import { clientLineSchema, type RequestName, requestSchemas, toRequestName } from '../../src/model/protocol.ts';
import { failureOf } from '../support/failureOf.ts';

describe('the request', () => {
  test.each<[RequestName, unknown, boolean]>([
    ['hello', { protocol: 1 }, true],
    ['hello', { protocol: '1' }, false],
    ['status', { plan: 'Demo' }, true],
    ['status', { plan: '' }, false],
    ['run_phase', { plan: 'Demo', harness: 'scripted', phase: 'work' }, true],
    ['run_phase', { plan: 'Demo', phase: 'git-commit-work' }, false],
    ['run_phase', { plan: 'Demo', harness: 'nobody' }, false],
    ['run_cycle', { plan: 'Demo', cycles: 0 }, false],
    ['state', { plan: 'Demo', verb: 'backlog/list', args: {} }, true],
    ['state', { plan: 'Demo', verb: 'backlog/list' }, false],
    ['import', { directory: '/a', plan: 'Demo', description: 'd', dryRun: true }, true],
    ['import', { directory: '', plan: 'Demo', description: 'd' }, false],
    ['session_call', { session: 's', token: 't', call: '', tool: 'x', args: {} }, false],
    ['transcript', { session: 's', from: -1 }, false],
    // A newer client may say more than this server knows.
    ['list', { later: true }, true],
  ])('%s with %j is valid: %s', (name, params, expected) =>
    expect(requestSchemas[name].safeParse(params).success).toBe(expected),
  );
});

test('toRequestName returns a known name unchanged', () => expect(toRequestName('run_cycle')).toBe('run_cycle'));

test.each(['attach', 'toString', ''])('toRequestName refuses "%s"', (text) => {
  expect(() => toRequestName(text)).toThrow(`There is no request "${text}".`);
});

test.each([
  ['statsu', 'Did you mean "state" or "status"?'],
  ['fly', 'See docs/protocol.md for the list of requests.'],
  ['run-phase', 'Did you mean "run_phase"?'],
  ['unknown_command', 'See docs/protocol.md for the list of requests.'],
])('toRequestName refuses "%s" and says: %s', async (text, help) => {
  expect(await failureOf(async () => toRequestName(text))).toMatchObject({ help });
});

test('toRequestName quotes only the beginning of a name that is too long', async () => {
  const name = `${'x'.repeat(99)}…`;
  expect(await failureOf(async () => toRequestName('x'.repeat(5_000_000)))).toMatchObject({
    ...{ code: 'server/unknownRequest', subject: name, message: `There is no request "${name}".` },
  });
});

test.each<[unknown, boolean]>([
  [{ id: 0, request: 'list' }, true],
  [{ id: 1, request: 'list', params: {}, 'x-trace': 'a' }, true],
  [{ id: 'a-1', request: 'list' }, true],
  [{ id: '', request: 'list' }, false],
  [{ id: 'x'.repeat(201), request: 'list' }, false],
  [{ id: -1, request: 'list' }, false],
  [{ id: 1.5, request: 'list' }, false],
  [{ request: 'list' }, false],
  [{ id: 1 }, false],
  [[], false],
])('the client line %j is valid: %s', (line, expected) =>
  expect(clientLineSchema.safeParse(line).success).toBe(expected),
);
