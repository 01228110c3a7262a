import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { maskStoredIn } from '../../../src/gates/secrets/maskSecrets.ts';
import { createStoredValues } from '../../../src/gates/secrets/storedValues.ts';
import { maskOutput } from '../../../src/harness/secrets/maskOutput.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { failingDisk } from '../../support/tracingDisk.ts';

const value = 'plain words that open a door';
const stored = createStoredValues([
  { name: 'DOOR', value },
  { name: 'CARD', value: '4929123412341234' },
  { name: 'LONG', value: '31415926535897932384' },
]);
const mark = '[stored secret DOOR left out]';

/** Masks what an ended session wrote, and gives back its spool, its stderr and the names of its files. */
async function mask(spool: string, { disk = nodeDisk, state = 'ended' }: { disk?: Disk; state?: string } = {}) {
  const directory = await makeTemporaryDirectory();
  const limits = { timeMs: 1, outputBytes: 1, costUsd: 1, orphanMs: 1, orphanAfterStopMs: 1 };
  const named = { session: '01M7X4TZFWPVQT6PFG4SYTM4BP', harness: 'claude-code', bootId: 'x' };
  const host = { ...named, state, limits, startedAt: '2026-01-02T03:04:05.000Z' };
  writeFileSync(join(directory, 'host.json'), JSON.stringify(host));
  writeFileSync(join(directory, 'spool'), spool);
  writeFileSync(join(directory, 'stderr'), `it is ${value}\n`);
  const masking = maskOutput(disk, directory, (one) => maskStoredIn(one, stored));
  const error = await masking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  return { error, spool: read('spool'), stderr: read('stderr'), names: readdirSync(directory).toSorted() };
}

test('what an ended session wrote is masked, line by line, and nothing else is left', async () => {
  const found = await mask(`{"text":"${value}"}\nno JSON ${value}\n{"text": "fine"}\ncut ${value}`);
  expect(found).toEqual({
    error: undefined,
    spool: `{"text":"${mark}"}\nno JSON ${mark}\n{"text": "fine"}\ncut ${mark}`,
    stderr: `it is ${mark}\n`,
    names: ['host.json', 'spool', 'stderr'],
  });
});

test('what a session writes that still runs stays as it is', async () => {
  const line = `{"text":"${value}"}\n`;
  expect(await mask(line, { state: 'running' })).toMatchObject({ spool: line, stderr: `it is ${value}\n` });
});

test('one line that nests too deep is masked as text, and all others as ever', async () => {
  const nested = (text: string) => `{"x":${'['.repeat(6_000)}"${text}"${']'.repeat(6_000)}}\n`;
  const found = await mask(`{"text":"${value}"}\n${nested(value)}${nested('fine')}`);
  expect(found.spool).toBe(`{"text":"${mark}"}\n${nested(mark)}${nested('fine')}`);
  expect([found.error, found.stderr]).toEqual([undefined, `it is ${mark}\n`]);
});

test('a secret of digits is masked where it is a number, also one of more digits than numbers keep', async () => {
  const found = await mask('{"card":4929123412341234}\n{"long":31415926535897932384,"n":12345678901234567890}\n');
  const [card, long] = found.spool.split('\n');
  expect(card).toBe('{"card":"[stored secret CARD left out]"}');
  expect(long).toBe('{"long":[stored secret LONG left out],"n":12345678901234567890}');
});

test('a spool that cannot be masked keeps stderr from nothing, and leaves no half of itself', async () => {
  const matches = (name: string, path: string) => name === 'file.write' && path.endsWith('spool.masked');
  const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches });
  const found = await mask(`{"text":"${value}"}\n`, { disk });
  expect(found).toMatchObject({ error: { code: 'ENOSPC' }, stderr: `it is ${mark}\n` });
  expect(found.names).toEqual(['host.json', 'spool', 'stderr']);
});
