import { describe, expect, onTestFinished, test } from 'vitest';
import { type AbsentPeer, type Closing, compareWithPeers, type Peer, startProgram } from './peers.ts';

const slow: Peer = { name: 'Slow', times: [20, 22] };
const fast: Peer = { name: 'Fast', times: [5, 6] };
const absent: AbsentPeer = { name: 'Absent', remedy: 'put it on PATH' };

describe('compareWithPeers', () => {
  test.each<[string, readonly (Peer | AbsentPeer)[], boolean | 'partly', string]>([
    ['meets the goal when we are ahead of every peer', [slow], true, 'Slow 21 ms (ours is 2.1 × that)'],
    ['misses the goal when we are behind one peer', [slow, fast], false, 'Fast 5.5 ms (ours is 0.55 × that)'],
    [
      'meets the goal partly when one peer is not installed',
      [slow, absent],
      'partly',
      'not compared with Absent (put it on PATH)',
    ],
    [
      'misses the goal when we are behind one peer and another is not installed',
      [fast, absent],
      false,
      'not compared with Absent',
    ],
  ])('%s', (_name, peers, ok, said) => {
    const compared = compareWithPeers([10, 10], peers, (times) => `${times.reduce((a, b) => a + b) / 2} ms`);
    expect(compared).toEqual({ ok, note: expect.stringContaining(said) });
  });
});

describe('startProgram', () => {
  function start(script: string) {
    const closing: Closing = [];
    onTestFinished(async () => {
      for (const close of closing) await close();
    });
    return { closing, ready: startProgram(process.execPath, ['-e', script], /port (\d+) of \d+\s/, closing) };
  }

  test('resolves when the program says that it is ready, and closing ends it', async () => {
    const { closing, ready } = start('console.error(`port 12 of ${process.pid}`); setInterval(() => 0, 1000)');
    const match = await ready;
    expect(match?.[1]).toBe('12');
    const pid = Number(/of (\d+)/.exec(match?.input ?? '')?.[1]);
    for (const close of closing.splice(0)) await close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('rejects with the output of a program that ends before it is ready', async () => {
    await expect(start('console.log("no disk")').ready).rejects.toThrow('no disk');
  });

  test('resolves with undefined when the program is not installed', async () => {
    expect(await startProgram('ravel-has-no-such-program', [], /x/, [])).toBeUndefined();
  });
});
