import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { systemError, traceDisk } from '../../support/tracingDisk.ts';
import { done, openSession, setDone } from './openedSession.ts';

describe('a note from a person', () => {
  const note = (n: number, text = `Mind the cat, ${n}.`) => ({
    id: `01M0000000000000000000000${n}` as Ulid,
    at: '2026-01-02T03:04:05Z',
    text,
  });
  const told = /^A note of the person, sent 2026-01-02T03:04:05Z while you work:\n> Mind the cat, 1\.$/m;

  test('comes once, with the next answer', async () => {
    const { active, call, world, transaction } = await openSession();
    expect(await active.note(note(1))).toBe(true);
    expect(await active.note(note(1))).toBe(true);
    const first = await call('backlog_set_status', setDone);
    expect(first).toMatchObject({ isError: false, text: expect.stringMatching(told) });
    expect((await call('backlog_list')).text).not.toMatch(told);
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'session.noted', session: transaction.session, note: note(1).id }),
    );
  });

  test('also comes with an answer that only reads or refuses', async () => {
    const { active, call } = await openSession();
    await active.note(note(1));
    expect(await call('backlog_list')).toMatchObject({ isError: false, text: expect.stringMatching(told) });
    await active.note(note(2));
    const refused = await call('backlog_set_status', { id: 'nobody', status: 'done' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('> Mind the cat, 2.') });
    await active.note(note(3));
    expect((await call('nonsense')).text).toContain('> Mind the cat, 3.');
  });

  test('comes again with a repeated call but with no other, even with the next owner', async () => {
    const { active, call, open } = await openSession();
    await active.note(note(1));
    const first = await call('backlog_list', {}, 'same');
    expect(await call('backlog_list', {}, 'same')).toEqual(first);
    await active.close();
    const next = await open();
    expect(await next.call('same', 'backlog_list', {})).toEqual(first);
    expect((await next.call('other', 'backlog_list', {})).text).not.toMatch(told);
  });

  test('a note from a person that was not delivered is delivered by the next owner', async () => {
    const { active, open } = await openSession();
    await active.note(note(1));
    await active.close();
    const next = await open();
    expect(await next.note(note(1))).toBe(true);
    expect((await next.call('c', 'backlog_list', {})).text).toMatch(told);
  });

  test('holds finish_phase back once without counting as an attempt', async () => {
    const { active, call } = await openSession();
    await call('backlog_set_status', setDone);
    await call('backlog_set_results', { id: 'one', body: 'Greets.' });
    for (let n = 1; n <= 5; n++) {
      await active.note(note(n));
      const held = await call('finish_phase', done);
      expect(held).toMatchObject({ isError: true, text: expect.stringMatching(/^Not yet: .*finish_phase again/) });
      expect(held.text).toContain(`> Mind the cat, ${n}.`);
      expect(active.verdict).toBeUndefined();
    }
    expect(await call('finish_phase', done)).toMatchObject({ isError: false });
  });

  test('is quoted line by line, whatever its line ends', async () => {
    const { active, call } = await openSession();
    await active.note(note(1, 'one\r\ntwo\rthree\u2028four\n\n'));
    expect((await call('backlog_list')).text).toMatch(/:\n> one\n> two\n> three\n> four$/);
  });

  test('is not taken after the session has ended or its owner let it go', async () => {
    const { active, call } = await openSession({ phase: 'triage' });
    await call('finish_phase', { outcome: 'done', summary: 'Sorted.' });
    expect(await active.note(note(1))).toBe(false);
    await active.close();
    expect(await active.note(note(2))).toBe(false);
  });

  test('does not lose an edit that the disk still owes', async () => {
    let refusing = true;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (refusing && name === 'rename' && path.includes('/plan/') && path.includes('backlog'))
        throw systemError('ENOSPC');
    });
    const { active, call, read } = await openSession({ phase: 'triage', disk });
    await call('backlog_add', { title: 'Say hello', category: 'core' });
    await active.note(note(1));
    expect(await call('backlog_list')).toMatchObject({ isError: true });
    refusing = false;
    expect((await call('backlog_list')).text).toMatch(told);
    expect(await read('backlog.yaml')).toContain('say-hello');
  });
});
