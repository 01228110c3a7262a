import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { messageOf } from '../../src/base/errors.ts';
import { diagnostic } from '../../src/model/codes.ts';
import { ApiConnection } from '../../src/wire/apiConnection.ts';
import type { AnswerLine } from '../../src/wire/lineTransport.ts';

/** A connection whose requests the test settles, in the order they came. */
function makeConnection() {
  const sent: AnswerLine[] = [];
  const unheard: string[] = [];
  const signals: AbortSignal[] = [];
  const answer = createDeferred<unknown>();
  const connection = new ApiConnection({
    send: (line) => sent.push(line),
    ask(_request, _params, signal) {
      signals.push(signal);
      return answer.promise;
    },
    diagnosticOf: (error, request) => diagnostic('base/internal', request, messageOf(error)),
    onUnheard: (error, request) => unheard.push(`${request}: ${messageOf(error)}`),
  });
  return { connection, sent, unheard, signals, answer };
}

test('two requests at a time cannot have one id', async () => {
  const { connection, sent, answer } = makeConnection();
  const first = connection.answer({ id: 'a', request: 'list' });
  await connection.answer({ id: 'a', request: 'list' });
  expect(sent).toEqual([{ id: 'a', error: expect.objectContaining({ message: expect.stringContaining('id a') }) }]);
  answer.resolve(1);
  await first;
  await connection.answer({ id: 'a', request: 'list' });
  expect(sent.slice(1)).toEqual([1, 1].map((result) => ({ id: 'a', result })));
});

test('only a request that is under way can be cancelled', async () => {
  const { connection, signals, answer } = makeConnection();
  const asked = connection.answer({ id: 1, request: 'list' });
  expect([connection.cancel(2), connection.cancel(1), signals[0]?.aborted]).toEqual([false, true, true]);
  answer.resolve(1);
  await asked;
  expect(connection.cancel(1)).toBe(false);
});

const readsBacklog = { plan: 'a', verb: 'backlog/list', args: {} };

test.each([
  ['list', {}, true, []],
  ['doctor', {}, true, []],
  ['state', readsBacklog, true, []],
  ['state', { ...readsBacklog, verb: 'backlog/delete' }, false, ['state: torn']],
  ['run_cycle', {}, false, ['run_cycle: torn']],
  ['no_such_request', {}, true, []],
])('after its client left, %s with %j is aborted: %s', async (request, params, isAborted, failures) => {
  const { connection, sent, signals, unheard, answer } = makeConnection();
  const asked = connection.answer({ id: 1, request, params });
  connection.leave();
  expect(signals[0]?.aborted).toBe(isAborted);
  answer.reject(new Error('torn'));
  await asked;
  expect([sent, unheard]).toEqual([[], failures]);
});
