import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CallThread } from '../../src/base/callThread.ts';
import { bundleProgram } from '../support/program.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

interface Offered {
  double(number: number): number;
  later(text: string): Promise<string>;
  fail(why: string): never;
  stick(what: null): void;
}

async function startThread(onNotice?: (notice: string) => void): Promise<CallThread<Offered, string>> {
  const program = await bundleProgram(new URL('../fixtures/offeredCalls.ts', import.meta.url).pathname);
  const thread = new CallThread<Offered, string>(program, {}, onNotice);
  onTestFinished(() => thread.kill('the test is over'));
  return thread;
}

test('calls are answered by their own results, whatever their order, and failures reach their callers alone', async () => {
  const thread = await startThread();
  const later = thread.call('later', 'slow');
  expect(await Promise.all([thread.call('double', 2), thread.call('double', 3)])).toEqual([4, 6]);
  await expect(thread.call('fail', 'no luck')).rejects.toThrow('no luck');
  expect(await later).toBe('slow');
});

test('a thread that stops does what it has to first, and tells what it did', async () => {
  const notices: string[] = [];
  const thread = await startThread((notice) => notices.push(notice));
  expect(await thread.call('double', 1)).toBe(2);
  await thread.stop();
  expect([await thread.gone, notices]).toEqual([0, ['saved']]);
  await thread.stop();
  await expect(thread.call('double', 1)).rejects.toThrow('the thread is gone');
});

test('a thread that is stuck has no turn, and its calls are told why it was ended', async () => {
  const thread = await startThread();
  await thread.turn();
  const call = thread.call('stick', null);
  let hasTurned = false;
  void thread.turn().then(() => {
    hasTurned = true;
  });
  const failed = expect(call).rejects.toThrow('it is stuck');
  await thread.kill('it is stuck');
  await failed;
  expect(hasTurned).toBe(false);
});

test('a thread that ends by itself fails every call that waits', async () => {
  const program = join(await makeTemporaryDirectory(), 'dying.mjs');
  await writeFile(
    program,
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(3));",
  );
  const thread = new CallThread<Offered>(program, {});
  const calls = [thread.call('double', 1), thread.call('double', 2)];
  for (const call of calls) await expect(call).rejects.toThrow('the thread ended with code 3');
  expect(await thread.gone).toBe(3);
});
