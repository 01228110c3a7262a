import { describe, expect, onTestFinished, test } from 'vitest';
import { type AbsentPeer, type Closing, compareWithPeers, type Peer, startProgram } from './peers.ts';

const slow: Peer = { name: 'Slow', times: [20, 22] };
const fast: Peer = { name: 'Fast', times: [5, 6] };
const absent: AbsentPeer = { name: 'Absent', remedy: 'put it on PATH' };

describe('a goal that names peers', () => {
  test.each<[string, readonly (Peer | AbsentPeer)[], boolean | 'partly', string]>([
    ['is met ahead of all of them', [slow], true, 'Slow 21 ms (ours is 2.1 × that)'],
    ['is missed behind one of them', [slow, fast], false, 'Fast 5.5 ms (ours is 0.55 × that)'],
    ['is met in part where one is not there', [slow, absent], 'partly', 'not compared with Absent (put it on PATH)'],
    ['is missed behind one even so', [fast, absent], false, 'not compared with Absent'],
  ])('%s', (_name, peers, ok, said) => {
    const compared = compareWithPeers([10, 10], peers, (times) => `${times.reduce((a, b) => a + b) / 2} ms`);
    expect(compared).toEqual({ ok, note: expect.stringContaining(said) });
  });
});

describe('a program of the machine', () => {
  function start(script: string) {
    const closing: Closing = [];
    onTestFinished(async () => {
      for (const close of closing) await close();
    });
    return { closing, ready: startProgram(process.execPath, ['-e', script], /port (\d+) of \d+\s/, closing) };
  }

  test('is there once it says so, and ends when it is closed', async () => {
    const { closing, ready } = start('console.error(`port 12 of ${process.pid}`); setInterval(() => 0, 1000)');
    const match = await ready;
    expect(match?.[1]).toBe('12');
    const pid = Number(/of (\d+)/.exec(match?.input ?? '')?.[1]);
    for (const close of closing.splice(0)) await close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('that ends before is an error with what it said', async () => {
    await expect(start('console.log("no disk")').ready).rejects.toThrow('no disk');
  });

  test('that nobody installed is none', async () => {
    expect(await startProgram('ravel-has-no-such-program', [], /x/, [])).toBeUndefined();
  });
});
