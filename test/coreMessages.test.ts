import { expect, test } from 'vitest';
import { AssertionError } from '../src/base/assert.ts';
import { MessageBus } from '../src/coreMessages.ts';
import { toQualifiedId } from '../src/model/id.ts';

const plan = toQualifiedId('Demo/project-root');

test('parts that were built with the bus reach what was connected later', async () => {
  const bus = new MessageBus();
  const { settled } = bus;
  const asked: string[] = [];
  bus.connect({
    send: () => Promise.reject(new Error('not sent')),
    router: { route: async () => 'routing' },
    settled: async (actor) => void asked.push(actor),
  });
  await settled(plan);
  expect(asked).toEqual([plan]);
});

test('a message before the bus is connected is an error of the program', () => {
  expect(() => new MessageBus().settled(plan)).toThrow(AssertionError);
});
