import { expect, test } from 'vitest';
import { type Code, failure } from '../../src/model/codes.ts';
import { sendOnce } from '../../src/model/sendOnce.ts';

/** Sends through `sendOnce` with this many failures before the first success, and counts the tries. */
async function send(code: Code, failures: number) {
  let tries = 0;
  const result = await sendOnce(async () => {
    tries++;
    if (tries <= failures) throw failure(code, 'connection', 'Not now.');
    return 'taken';
  }).catch((error: { code: string }) => error.code);
  return { tries, result };
}

test.each([
  ['server/gone', 2, { tries: 3, result: 'taken' }],
  ['actor/stopping', 1, { tries: 2, result: 'taken' }],
  ['run/stopped', 1, { tries: 2, result: 'taken' }],
  ['server/gone', 9, { tries: 3, result: 'server/gone' }],
  ['mailbox/full', 1, { tries: 1, result: 'mailbox/full' }],
] as const)('after %s failed %i times, sendOnce ends with %j', async (code, failures, expected) => {
  expect(await send(code, failures)).toEqual(expected);
});
