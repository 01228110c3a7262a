import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk, DiskFile } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { transcriptEvents } from '../../src/plans/transcriptFile.ts';
import { Transcripts } from '../../src/plans/transcripts.ts';
import { collect } from '../support/sessions.ts';
import { failingDisk, shortWritingDisk, systemError } from '../support/tracingDisk.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const other = '01M7X4TZFWPVQT6PFG4SYTM4BQ' as Ulid;
const stamp = { at: '2026-01-02T03:04:05Z', actor: toQualifiedId('Demo/project-root') };
const event = (verb: string, of = session): RavelEvent => ({
  ...stamp,
  ...{ type: 'session.verb', session: of, verb, applied: true, summary: 'done' },
});

/** The operations of a file as an object of its own, to be spread. */
function fileOf(file: DiskFile): DiskFile {
  return {
    read: (buffer, position) => file.read(buffer, position),
    write: (data) => file.write(data),
    sync: () => file.sync(),
    truncate: (length) => file.truncate(length),
    size: () => file.size(),
    close: () => file.close(),
  };
}

async function makeTranscripts(disk: Disk = nodeDisk) {
  const { layout } = await makeVaultFolder();
  const errors: unknown[] = [];
  const transcripts = new Transcripts(disk, layout, (error) => errors.push(error));
  const read = (of = session) => collect(transcriptEvents({ disk: nodeDisk, layout }, of));
  return { layout, transcripts, errors, read, path: layout.transcript(session) };
}

describe('a transcript', () => {
  test('holds the events of its session in order', async () => {
    const { transcripts, read, errors } = await makeTranscripts();
    const events = Array.from({ length: 20 }, (_, n) => event(`${n}`));
    for (const one of events) transcripts.append(one);
    transcripts.append(event('other', other));
    await transcripts.flush(session);
    expect(await read()).toEqual(events);
    await transcripts.stop();
    expect(await read(other)).toEqual([event('other', other)]);
    expect(errors).toEqual([]);
  });

  test('is not created for an event without a session', async () => {
    const { transcripts, layout } = await makeTranscripts();
    transcripts.append({ ...stamp, type: 'run.ended', reason: 'done' });
    await transcripts.stop();
    expect(existsSync(layout.sessions)).toBe(false);
  });

  test('continues at its end when it is reopened', async () => {
    const { transcripts, read } = await makeTranscripts();
    transcripts.append(event('one'));
    await transcripts.close(session);
    expect(await read()).toEqual([event('one')]);
    transcripts.append(event('two'));
    await transcripts.stop();
    expect(await read()).toEqual([event('one'), event('two')]);
  });

  test('loses a torn last line before the next event is written', async () => {
    const { transcripts, read, path } = await makeTranscripts();
    transcripts.append(event('one'));
    await transcripts.close(session);
    await appendFile(path, '{"type":"session.ve');
    transcripts.append(event('two'));
    await transcripts.stop();
    expect(await read()).toEqual([event('one'), event('two')]);
  });

  test('with nothing but a torn line starts over', async () => {
    const { transcripts, read, path } = await makeTranscripts();
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '{"torn');
    transcripts.append(event('one'));
    await transcripts.stop();
    expect(await read()).toEqual([event('one')]);
    expect((await readFile(path, 'utf8')).split('\n').length).toBe(2);
  });
});

describe('a transcript on a failing disk', () => {
  test('reports a failed open and writes the next event', async () => {
    const disk = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (name) => name === 'open' });
    const { transcripts, read, errors } = await makeTranscripts(disk);
    transcripts.append(event('lost'));
    transcripts.append(event('kept'));
    await transcripts.stop();
    expect(errors).toHaveLength(1);
    expect(await read()).toEqual([event('kept')]);
  });

  test('leaves no half line when a write fails midway', async () => {
    let writes = 0;
    const disk: Disk = {
      ...nodeDisk,
      open: async (path, mode, permissions) => {
        const file = await nodeDisk.open(path, mode, permissions);
        const write = (data: Uint8Array): Promise<number> => {
          writes++;
          if (writes === 3) throw systemError('EIO');
          return file.write(writes === 2 ? data.subarray(0, 30) : data);
        };
        return { ...fileOf(file), write };
      },
    };
    const { transcripts, read, errors } = await makeTranscripts(disk);
    for (const verb of ['one', 'lost', 'three']) transcripts.append(event(verb));
    await transcripts.stop();
    expect(errors).toHaveLength(1);
    expect(await read()).toEqual([event('one'), event('three')]);
  });

  test('reports ENOSPC when a write takes no bytes, instead of trying forever', async () => {
    const disk: Disk = {
      ...nodeDisk,
      open: async (path, mode, permissions) => ({
        ...fileOf(await nodeDisk.open(path, mode, permissions)),
        write: () => Promise.resolve(0),
      }),
    };
    const { transcripts, read, errors } = await makeTranscripts(disk);
    transcripts.append(event('lost'));
    await transcripts.stop();
    expect(errors).toMatchObject([{ code: 'ENOSPC' }]);
    expect(await read()).toEqual([]);
  });

  test.each(['file.size', 'file.read', 'file.truncate'] as const)(
    'reports a failed %s while repairing a torn line, and glues no event to that line',
    async (operation) => {
      const disk = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (name) => name === operation });
      const { transcripts, read, errors, path } = await makeTranscripts(disk);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '{"torn');
      transcripts.append(event('lost'));
      transcripts.append(event('kept'));
      await transcripts.stop();
      expect(errors).toHaveLength(1);
      expect(await read()).toEqual([event('kept')]);
    },
  );

  test('leaves no half line when the disk is full', async () => {
    const { transcripts, read, errors, layout } = await makeTranscripts(shortWritingDisk(nodeDisk, 200));
    for (const verb of ['one', 'two', 'three']) transcripts.append(event(verb));
    await transcripts.stop();
    expect(errors.length).toBeGreaterThan(0);
    const next = new Transcripts(nodeDisk, layout, (error) => errors.push(error));
    next.append(event('later'));
    await next.stop();
    expect(await read()).toEqual([event('one'), event('later')]);
  });
});

describe('the input and the output of a tool', () => {
  const output = (seq: number, body: object) =>
    ({ ...stamp, type: 'session.output', session, seq, output: body }) as RavelEvent;
  const started = (seq: number, text: string) =>
    output(seq, { kind: 'toolStarted', tool: 'Write', callId: 'a', input: { file_path: 'a', edits: [{ text }] } });
  const ended = (seq: number, text: string) =>
    output(seq, { kind: 'toolEnded', callId: 'a', isError: false, exitCode: 1, output: text });
  const said = output(9, { kind: 'text', text: 'w'.repeat(100_000) });
  const long = `${'a'.repeat(50_000)}${'z'.repeat(50_000)}`;
  const mark = (missing: string) => `\n… ${missing} characters are left out here …\n`;
  const short = `${'a'.repeat(16_384)}${mark('67,232')}${'z'.repeat(16_384)}`;

  test('is kept whole, or with a mark if it is long', async () => {
    const { transcripts, read } = await makeTranscripts();
    const whole = [started(1, 'x'.repeat(32_768)), ended(2, 'y'.repeat(32_768)), said];
    for (const one of [...whole, started(3, long), ended(4, long)]) transcripts.append(one);
    await transcripts.flush(session);
    expect(await read()).toEqual([...whole, started(3, short), ended(4, short)]);
    await transcripts.stop();
  });

  test('is kept with a mark in the place of what nests deeper than a transcript can hold', async () => {
    const { transcripts, read, errors } = await makeTranscripts();
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const input = (x: unknown) => output(1, { kind: 'toolStarted', tool: 'Write', callId: 'a', input: { x } });
    transcripts.append(input(nested(99)));
    transcripts.append(input(nested(200_000)));
    await transcripts.flush(session);
    const [whole, cut] = await read();
    expect([whole, errors]).toEqual([input(nested(99)), []]);
    expect(JSON.stringify(cut)).toContain('["[left out: nested more than 100 deep]"]');
    await transcripts.stop();
  });

  test('takes little room in a transcript that is large, also after a takeover', async () => {
    const { transcripts, read, path } = await makeTranscripts();
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(said)}\n`.repeat(200));
    transcripts.append(ended(10, long));
    await transcripts.flush(session);
    expect((await read()).at(-1)).toEqual(ended(10, `${'a'.repeat(512)}${mark('98,976')}${'z'.repeat(512)}`));
    await transcripts.stop();
  });
});
