import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import {
  type CallRecord,
  callJournalPath,
  openCallJournal,
  readCalls,
  redoLastCall,
  type StagedEdits,
} from '../../../src/plans/proposals/callJournal.ts';
import { stagingPaths } from '../../../src/plans/transaction.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { type DiskOperationName, systemError, traceDisk } from '../../support/tracingDisk.ts';

const record = (call: string): CallRecord => ({
  ...{ call, tool: 'backlog_add', verb: 'backlog/add', args: { title: call } },
  result: { text: `done ${call}`, isError: false },
});
const edits = (text: string): StagedEdits => new Map([['backlog.yaml', text]]);

async function makeStaging(disk: Disk = nodeDisk) {
  const root = await makeTemporaryDirectory();
  const [session, paths] = [join(root, 'session'), stagingPaths(join(root, 'staging'))];
  await mkdir(paths.plan, { recursive: true });
  await mkdir(session);
  await writeFile(join(paths.plan, 'backlog.yaml'), 'before');
  const staged = join(paths.plan, 'backlog.yaml');
  return {
    ...{ paths, session, staged },
    open: (other = disk) => openCallJournal(other, paths, session),
    read: () => readFile(staged, 'utf8'),
  };
}

test('a call is found with its first answer by this journal and the next', async () => {
  const { open, read, session } = await makeStaging();
  const journal = await open();
  await journal.commit(record('one'), edits('after one'));
  expect(journal.find('one')).toEqual(record('one'));
  expect(journal.find('two')).toBeUndefined();
  await journal.close();
  const next = await open();
  expect(next.find('one')).toEqual(record('one'));
  expect(next.records).toEqual([record('one')]);
  await next.commit(record('two'), new Map());
  await next.close();
  expect(await readCalls(nodeDisk, session)).toEqual([record('one'), record('two')]);
  expect(await read()).toBe('after one');
});

test('an edit without a text removes the file', async () => {
  const { open, staged } = await makeStaging();
  const journal = await open();
  await journal.commit(record('one'), new Map([['backlog.yaml', undefined]]));
  await journal.close();
  expect(existsSync(staged)).toBe(false);
});

test('an edit that the disk refused is carried out before the staged copy is read again', async () => {
  let refusing = false;
  const { open, read, paths, session } = await makeStaging();
  const journal = await open(
    traceDisk(nodeDisk, (_n, name, path) => {
      if (refusing && name === 'rename' && path.startsWith(paths.plan)) throw systemError('ENOSPC');
    }),
  );
  refusing = true;
  await journal.commit(record('one'), edits('after one'));
  expect(journal.find('one')).toEqual(record('one'));
  expect(await read()).toBe('before');
  await expect(journal.settle()).rejects.toThrow(/full|space/i);
  refusing = false;
  await journal.settle();
  expect(await read()).toBe('after one');
  refusing = true;
  await journal.commit(record('two'), edits('after two'));
  await journal.close();
  await redoLastCall(nodeDisk, paths, session);
  expect(await read()).toBe('after two');
});

test('a call that the disk refused leaves no record and no edit, and the next call is taken', async () => {
  let refusing: DiskOperationName | undefined;
  const { open, read, session } = await makeStaging();
  const journal = await open(
    traceDisk(nodeDisk, (_n, name, path) => {
      if (name === refusing && path === callJournalPath(session)) throw systemError('ENOSPC');
    }),
  );
  await journal.commit(record('one'), edits('after one'));
  for (const operation of ['file.write', 'file.sync'] as const) {
    refusing = operation;
    await expect(journal.commit(record('two'), edits('after two'))).rejects.toMatchObject({ code: 'disk/full' });
    expect(journal.find('two')).toBeUndefined();
    expect(await read()).toBe('after one');
  }
  refusing = undefined;
  await journal.commit(record('three'), edits('after three'));
  await journal.close();
  expect(await readCalls(nodeDisk, session)).toEqual([record('one'), record('three')]);
  expect(await read()).toBe('after three');
});

describe('a call journal after a crash', () => {
  /** Interrupts the commit of a second call before each operation in turn, then reopens with a sound disk. */
  test('has both the record and its edits, or neither', async () => {
    const seen = new Set<string>();
    let finished = false;
    for (let cut = 1; !finished; cut++) {
      let armed = false;
      let count = 0;
      const disk = traceDisk(nodeDisk, () => {
        if (armed && ++count >= cut) throw new Error('the power is cut');
      });
      const { open, read } = await makeStaging();
      const journal = await open(disk);
      await journal.commit(record('one'), edits('after one'));
      armed = true;
      finished = await journal.commit(record('two'), edits('after two')).then(
        () => true,
        () => false,
      );
      armed = false;
      await journal.close().catch(() => undefined);
      const next = await open();
      const state = `${next.records.map(({ call }) => call).join(' ')}: ${await read()}`;
      await next.close();
      expect(['one: after one', 'one two: after two'], `cut before operation ${cut}`).toContain(state);
      seen.add(state);
    }
    expect(seen.size).toBe(2);
  });

  test('does not carry out edits without a record', async () => {
    const { open, paths, read } = await makeStaging();
    await writeFile(paths.redo, JSON.stringify({ call: 'one', edits: [['backlog.yaml', 'never']] }));
    await (await open()).close();
    const journal = await open();
    await journal.commit(record('other'), new Map());
    await journal.close();
    await (await open()).close();
    expect(await read()).toBe('before');
  });

  test('does not redo edits of an earlier call over a later one', async () => {
    const { open, staged, read } = await makeStaging();
    const journal = await open();
    await journal.commit(record('one'), edits('after one'));
    await journal.commit(record('two'), new Map());
    await journal.close();
    await writeFile(staged, 'later');
    await (await open()).close();
    expect(await read()).toBe('later');
  });

  test('drops a torn record and starts the next one on its own line', async () => {
    const { open, session } = await makeStaging();
    const journal = await open();
    await journal.commit(record('one'), new Map());
    await journal.close();
    await appendFile(callJournalPath(session), JSON.stringify(record('torn')).slice(0, 20));
    expect(await readCalls(nodeDisk, session)).toEqual([record('one')]);
    const next = await open();
    expect(next.find('torn')).toBeUndefined();
    await next.commit(record('two'), new Map());
    await next.close();
    expect(await readCalls(nodeDisk, session)).toEqual([record('one'), record('two')]);
  });
});
