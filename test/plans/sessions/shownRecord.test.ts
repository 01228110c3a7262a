import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { loadShown, ShownRecord, shownMemory, shownPath } from '../../../src/plans/sessions/shownRecord.ts';
import { failureOf } from '../../support/failureOf.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { openSession } from './openedSession.ts';

test('what a session read of the memory is what it was given, and not what it wrote itself', async () => {
  const { world, call, active, open, transaction } = await openSession({ phase: 'reflect' });
  const directory = world.layout.session(transaction.session);
  await call('memory_set_body', { id: 'a', body: 'There are 4 cats by now.' });
  await call('memory_add', { title: 'New', body: 'Birds can fly.', source: 'decision' });
  await call('memory_list', { bodies: true });
  await call('memory_show', { id: 'a' });
  const { texts } = await loadShown(nodeDisk, directory);
  expect(texts.join('\n')).toMatch(/There are 3 cats\.[\s\S]*There are 3 dogs\./);
  expect(texts.join('\n')).not.toMatch(/4 cats|Birds/);
  await active.close();
  const lines = await readFile(shownPath(directory), 'utf8');
  const again = await open();
  await again.call('later', 'memory_show', { id: 'b' });
  expect(await readFile(shownPath(directory), 'utf8')).toBe(lines);
});

test('messages that a triage reads are shown to it', async () => {
  const { world, call, paths, transaction } = await openSession({ phase: 'triage' });
  const message = 'received:\n- {id: m, from: other, at: now, reason: r, body: The oven is hot., state: new}\n';
  await appendFile(join(paths.plan, 'backlog.yaml'), message);
  expect(await call('received_list')).toMatchObject({ isError: false });
  const { texts } = await loadShown(nodeDisk, world.layout.session(transaction.session));
  expect(texts.join('\n')).toContain('The oven is hot.');
});

test('an entry that the prompt has whole is not noted again', async () => {
  const directory = await makeTemporaryDirectory();
  const row = (id: string, place: 'full' | 'title') => ({ id, title: id, place, words: [] });
  const given = { given: 'relevant' as const, count: 2, entries: [row('a', 'full'), row('b', 'title')] };
  await writeFile(shownPath(directory), `${JSON.stringify(shownMemory('A says so.', given))}\n`);
  const record = await ShownRecord.open(nodeDisk, directory);
  const entries = ['a', 'b'].map((id) => ({ id, title: id, body: `Whole ${id}.` }));
  await record.noteMemory(entries);
  await record.noteMemory(entries);
  await record.close();
  expect((await loadShown(nodeDisk, directory)).texts).toEqual(['A says so.', 'b\nWhole b.']);
});

test('answers to its questions, notes that it was told and what came by itself count as shown; its other calls do not', async () => {
  const directory = await makeTemporaryDirectory();
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const call = (tool: string, text: string, more = {}) =>
    line({ call: text, tool, args: {}, result: { text, isError: false }, ...more });
  const [told, untold] = ['01JD0000000000000000000001', '01JD0000000000000000000002'];
  const note = (id: string, text: string) => line({ note: { id, at: 'now', text, returnAs: id } });
  const calls = [
    call('message/ask', 'An answer.'),
    call('message_reply', 'A later answer.'),
    call('memory/add', 'added entry own', { notes: [told] }),
  ];
  await writeFile(join(directory, 'calls.jsonl'), calls.join(''));
  await writeFile(join(directory, 'notes.jsonl'), note(told ?? '', 'A note.') + note(untold ?? '', 'Not told.'));
  const later = { at: 'now', call: 'c', tool: 'Read', entries: [], text: 'It came by itself.' };
  await writeFile(join(directory, 'given.jsonl'), line({ later }));
  await writeFile(shownPath(directory), line({ text: 'An entry.', entries: ['knowledge/tools/a.md'] }));
  expect(await loadShown(nodeDisk, directory)).toEqual({
    texts: ['An entry.', 'It came by itself.', 'An answer.', 'A later answer.', 'A note.'],
    entries: ['knowledge/tools/a.md'],
  });
});

test('a session whose folder is gone was shown nothing, and a damaged record is told and ends no session', async () => {
  const directory = await makeTemporaryDirectory();
  expect(await loadShown(nodeDisk, join(directory, 'gone'))).toEqual({ texts: [], entries: [] });
  await writeFile(shownPath(directory), 'damaged\n');
  const record = await ShownRecord.open(nodeDisk, directory);
  await record.note({ text: 'More.' });
  await record.close();
  expect((await failureOf(() => loadShown(nodeDisk, directory))).code).toBe('journal/corrupt');
});
