import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessIdentity } from '../../src/base/processes.ts';
import { formatClaim, isHeld, parseClaim, retryLater } from '../../src/vault/claim.ts';
import { tableOf } from '../support/locks.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const bare: ProcessIdentity = { pid: 10, startTime: 'own', bootId: 'boot' };
const own: ProcessIdentity = { ...bare, namespace: 'pid:[1]' };
/** In its container it has the number of ours. */
const contained: ProcessIdentity = { pid: 10, startTime: 'theirs', bootId: 'boot', namespace: 'pid:[2]' };
const staleMs = 15_000;

interface Look {
  readonly self?: ProcessIdentity;
  readonly living?: readonly ProcessIdentity[];
  /** Since the holder last touched its lock; negative for a stamp of the future. */
  readonly ageMs: number;
  readonly answers?: boolean;
}

async function check(holder: ProcessIdentity, { self = own, living = [], ageMs, answers }: Look, expected: boolean) {
  const path = join(await makeTemporaryDirectory(), 'daemon.lock.1');
  const clock = new ManualClock();
  const text = formatClaim({ identity: holder, info: { socket: '/their/socket' } });
  await writeFile(path, text);
  const stamp = new Date(clock.wallMs() - ageMs);
  await utimes(path, stamp, stamp);
  const claim = parseClaim(Buffer.from(text));
  expect(claim?.identity).toEqual(holder);
  const ports = {
    ...{ disk: nodeDisk, processes: tableOf(self, ...living), clock },
    ...(answers !== undefined && { answers: async (socket: string) => answers && socket === '/their/socket' }),
  };
  expect(claim && (await isHeld(ports, path, claim))).toBe(expected);
}

describe('the holder of a lock', () => {
  const gone: ProcessIdentity = { ...own, pid: 20 };
  const ofOtherBoot: ProcessIdentity = { ...own, bootId: 'other' };

  test.each<[string, ProcessIdentity, Look, boolean]>([
    ['of this container that is gone is dead, however young its lock is', gone, { ageMs: 0, answers: true }, false],
    ['of this container that runs lives, however old its lock is', gone, { living: [gone], ageMs: 1e9 }, true],
    ['of another container lives while its lock is touched', contained, { ageMs: staleMs }, true],
    ['of another container is dead after that', contained, { ageMs: staleMs + 1 }, false],
    ['of another container lives while its socket answers', contained, { ageMs: 1e9, answers: true }, true],
    ['of another container whose socket is silent is dead', contained, { ageMs: 1e9, answers: false }, false],
    ['of another container whose lock is of the future is dead', contained, { ageMs: -1e9 }, false],
    ['of another boot lives while its lock is touched', ofOtherBoot, { ageMs: 0 }, true],
    ['of another boot is dead after that', ofOtherBoot, { ageMs: staleMs + 1 }, false],
    ['that names no namespace is looked up', { ...bare, pid: 20 }, { ageMs: 0 }, false],
    ['is looked up if there are no namespaces', contained, { self: bare, ageMs: 0 }, false],
    ['of another boot is dead if there are no namespaces', { ...bare, bootId: 'x' }, { self: bare, ageMs: 0 }, false],
  ])('%s', (_name, holder, look, expected) => check(holder, look, expected));
});

describe('what is tried again later', () => {
  async function run(isDone: (tries: number) => boolean) {
    const clock = new ManualClock();
    let tries = 0;
    retryLater(clock, async () => {
      tries += 1;
      if (tries % 2 === 0) throw new Error('refused');
      return isDone(tries);
    });
    while (clock.scheduled > 0) {
      clock.advance(50);
      await new Promise(setImmediate);
    }
    return { tries, ms: clock.monotonicMs() };
  }

  test('ends when it is done', async () => {
    expect(await run((tries) => tries === 3)).toEqual({ tries: 3, ms: 350 });
  });

  test('ends after a minute', async () => {
    const { tries, ms } = await run(() => false);
    expect(tries).toBe(18);
    expect(ms).toBeLessThan(65_000);
  });
});
