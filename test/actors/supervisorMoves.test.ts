import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import type { MessageOutcome } from '../../src/model/message.ts';
import { failureOf } from '../support/failureOf.ts';
import { idOf, newMessage, numberOf, otherPlan, plan } from './messages.ts';

import { done, makeWorld, until } from './supervisorWorld.ts';

describe('moving an actor', () => {
  test('takes its messages, letters and effects to the new name', async () => {
    const { start, log } = await makeWorld();
    const to = toQualifiedId('Demo/project-root/renamed');
    const supervisor = await start({
      handle: async ({ id }) => {
        if (numberOf(id) === 1) throw new Error('boom');
        return done;
      },
    });
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    await supervisor.rename(plan, to);
    expect(await supervisor.deadLetters(to)).toMatchObject([{ id: idOf(1), actor: to }]);
    expect(await supervisor.deadLetters(plan)).toEqual([]);
    expect(supervisor.status(to).deadLetters).toBe(1);
    await supervisor.rename(plan, to);
    expect(await supervisor.send(newMessage(2, to))).toEqual({ id: idOf(2), seq: 2 });
    await supervisor.whenIdle(to);
    expect(log.at(-1)).toBe('handled 2 done');
    await supervisor.send(newMessage(3));
    await supervisor.whenIdle(plan);
    expect(await failureOf(() => supervisor.rename(plan, to))).toMatchObject({ code: 'actor/exists' });
    await supervisor.stop();
  });

  test('is refused while it is busy', async () => {
    const { start } = await makeWorld();
    const gate = createDeferred<MessageOutcome>();
    const supervisor = await start({ handle: () => gate.promise });
    await supervisor.send(newMessage(1));
    await until(supervisor, () => supervisor.status(plan).state.kind === 'active');
    expect(await failureOf(() => supervisor.rename(plan, otherPlan))).toMatchObject({ code: 'actor/busy' });
    gate.resolve(done);
    await supervisor.whenIdle(plan);
    await supervisor.stop();
  });

  test('under hold waits for its current message, and handles the rest under its new name', async () => {
    const { start, log } = await makeWorld();
    const gate = createDeferred<MessageOutcome>();
    const supervisor = await start({ handle: ({ id }) => (numberOf(id) === 1 ? gate.promise : Promise.resolve(done)) });
    await supervisor.send(newMessage(1));
    await supervisor.send(newMessage(2));
    await until(supervisor, () => supervisor.status(plan).state.kind === 'active');
    const held = supervisor.withPaused([plan, otherPlan], async () => {
      expect(log.filter((line) => line.startsWith('handled'))).toEqual(['handled 1 done']);
      expect(supervisor.status(plan).state.kind).toBe('dormant');
      expect(await failureOf(() => supervisor.send(newMessage(3)))).toMatchObject({ code: 'actor/busy' });
      expect(await failureOf(() => supervisor.withPaused([otherPlan], async () => undefined))).toMatchObject({
        code: 'actor/busy',
      });
      await supervisor.rename(plan, otherPlan);
      expect(supervisor.status(otherPlan).state.kind).toBe('dormant');
    });
    gate.resolve(done);
    await held;
    await supervisor.whenIdle(otherPlan);
    expect(log.at(-1)).toBe('handled 2 done');
    expect((await supervisor.send(newMessage(4))).seq).toBe(1);
    await supervisor.whenIdle(plan);
    await supervisor.stop();
  });

  test('under hold is refused during longer work, and nothing begins', async () => {
    const { start } = await makeWorld();
    const supervisor = await start();
    const gate = createDeferred<void>();
    const kept = supervisor.keepActive(plan, new AbortController().signal, () => gate.promise);
    const work = () => Promise.reject(new Error('begun'));
    expect(await failureOf(() => supervisor.withPaused([otherPlan, plan], work))).toMatchObject({ code: 'actor/busy' });
    gate.resolve();
    await kept;
    expect((await supervisor.send(newMessage(1))).seq).toBe(1);
    await supervisor.whenIdle(plan);
    await supervisor.stop();
  });

  test('to an archive can be undone, even under another name', async () => {
    const { start, directory } = await makeWorld();
    const supervisor = await start();
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    const archive = join(directory, 'archive', 'demo');
    await supervisor.archive(plan, archive);
    const to = toQualifiedId('Demo/project-root/restored');
    for (let n = 0; n < 2; n++) await supervisor.restore(archive, to);
    expect(await readdir(archive)).toEqual([]);
    expect(await supervisor.send({ ...newMessage(2), to })).toEqual({ id: idOf(2), seq: 2 });
    await supervisor.whenIdle(to);
    await supervisor.stop();
  });

  test('to an archive starts a new mailbox for its next message', async () => {
    const { start, directory } = await makeWorld();
    const supervisor = await start();
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    const archive = join(directory, 'archive', 'demo');
    await supervisor.archive(plan, archive);
    expect((await readdir(archive)).sort()).toEqual(['mailbox.cursor', 'mailbox.jsonl']);
    expect(await supervisor.send(newMessage(2))).toEqual({ id: idOf(2), seq: 1 });
    await supervisor.whenIdle(plan);
    await supervisor.stop();
  });
});
