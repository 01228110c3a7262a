import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { interruptible } from '../../src/cli/interrupt.ts';
import { createFakePorts } from './fakePorts.ts';

test('interruptible passes on the value or the failure if there is no interrupt', async () => {
  const ports = await createFakePorts({});
  const none = () => undefined;
  expect(await interruptible(ports, async () => 7, none)).toEqual({ kind: 'finished', value: 7 });
  await expect(interruptible(ports, () => Promise.reject(new Error('no')), none)).rejects.toThrow('no');
});

test('the first interrupt asks to stop, the second one aborts, and later ones are ignored', async () => {
  const ports = await createFakePorts({});
  const calls: string[] = [];
  const work = createDeferred<number>();
  const outcome = interruptible(
    ports,
    (signal) => {
      signal.addEventListener('abort', () => calls.push('abort'));
      return work.promise;
    },
    (interrupt) => calls.push(interrupt),
  );
  ports.interrupt('SIGTERM');
  expect(calls).toEqual(['SIGTERM']);
  ports.interrupt('SIGINT');
  expect(await outcome).toEqual({ kind: 'interrupted', interrupt: 'SIGTERM', left: true });
  ports.interrupt('SIGINT');
  expect(calls).toEqual(['SIGTERM', 'abort']);
});
