import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import { messageBytesMax } from '../../../src/model/message.ts';
import { makeRouterWorld } from '../../support/routerWorld.ts';

const checkout = toQualifiedId('Shop/project-root/checkout');
const tooLong = { kind: 'refused', code: 'message/tooLong' };
const idTaken = { kind: 'refused', code: 'message/idTaken' };

test('the history keeps the beginning of a message that is too long, and recognises the message again', async () => {
  const world = await makeRouterWorld();
  const { router, history } = await world.open();
  const body = 'x'.repeat(5 * messageBytesMax);
  const message = world.message({ 'target-plan': checkout }, { body });
  expect(await router.route(message)).toMatchObject(tooLong);
  const text = await readFile(world.layout.routingHistory, 'utf8');
  expect(text.length).toBeLessThan(10_000);
  expect((await history.find(message.id))?.body).toMatch(/^x{999}… \(5242880 bytes; /);

  expect(await router.route(message)).toMatchObject(tooLong);
  expect(await router.route({ ...message, body: `${body}x` })).toMatchObject(idTaken);
  expect(await router.route({ ...message, body: 'Do it.' })).toMatchObject(idTaken);
  expect((await readFile(world.layout.routingHistory, 'utf8')).length).toBe(text.length);
});

test('the history keeps every character of any other message', async () => {
  const world = await makeRouterWorld();
  const { router, history } = await world.open();
  const body = 'ü'.repeat(messageBytesMax / 4);
  const message = world.message({ 'target-plan': checkout }, { body });
  expect(await router.route(message)).toEqual({ kind: 'routed', to: checkout });
  expect((await history.find(message.id))?.body).toBe(body);
});
