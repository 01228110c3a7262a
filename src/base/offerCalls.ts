import { parentPort } from 'node:worker_threads';
import { assert } from './assert.ts';
import type { FromThread, ToThread } from './callThread.ts';
import { messageOf } from './errors.ts';

/** Answers calls of `CallThread` with the methods of an object; the thread ends once `end` has settled. */
export function offerCalls(offered: object, end: () => Promise<void> = () => Promise.resolve()): void {
  assert(parentPort !== null, 'calls are answered in a worker thread');
  parentPort.on('message', (message: ToThread) => {
    if ('ends' in message) void end().finally(() => parentPort?.close());
    else if ('ping' in message) send({ pong: true });
    else void answer(message.call, offered, message);
  });
}

/** Tells the other side something that it did not ask for. */
export function sendNotice(notice: unknown): void {
  send({ notice });
}

async function answer(
  call: number,
  offered: object,
  { name, argument }: { readonly name: string; readonly argument: unknown },
): Promise<void> {
  try {
    const method: unknown = Reflect.get(offered, name);
    assert(typeof method === 'function', 'only what is offered is called');
    send({ call, result: await Reflect.apply(method, offered, [argument]) });
  } catch (error) {
    send({ call, failure: messageOf(error) });
  }
}

function send(message: FromThread): void {
  assert(parentPort !== null, 'calls are answered in a worker thread');
  parentPort.postMessage(message);
}
