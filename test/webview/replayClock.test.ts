import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  durationOf,
  pause,
  play,
  playedAt,
  positionAt,
  replayTimes,
  seek,
  startReplay,
  step,
  withSpeed,
} from '../../webview/session/replayClock.ts';

const at = (seconds: number) => ({ at: new Date(seconds * 1_000).toISOString() });

describe('replayTimes', () => {
  test.each([
    { of: 'no events', seconds: [], times: [] },
    { of: 'one event', seconds: [7], times: [0] },
    { of: 'events within one second', seconds: [7, 7, 7, 7], times: [0, 250, 500, 750] },
    { of: 'events within two seconds', seconds: [7, 7, 8], times: [0, 500, 1_000] },
    { of: 'events with a pause', seconds: [7, 10], times: [0, 3_000] },
    { of: 'events with a long pause', seconds: [7, 700], times: [0, 5_000] },
    { of: 'events of a clock that was set back', seconds: [7, 3], times: [0, 1_000] },
  ])('of $of are $times', ({ seconds, times }) => expect([...replayTimes(seconds.map(at))]).toEqual(times));

  test('are strictly increasing', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(100_000)), (seconds) => {
        const times = [...replayTimes(seconds.map(at))];
        expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
      }),
    ));
});

describe('a replay', () => {
  const times = replayTimes([7, 7, 8, 9].map(at));
  const replay = startReplay(times, 100, 4);

  test('plays at its speed', () => expect(positionAt(replay, 350)).toBe(1_000));
  test('plays every event that is due', () =>
    expect([0, 499, 500, 1_000, 9_999].map((ms) => playedAt(replay, ms))).toEqual([1, 1, 2, 3, 4]));
  test('ends with its last event', () => expect(positionAt(replay, 99_999)).toBe(durationOf(replay)));
  test('does not advance while it is paused', () => expect(positionAt(pause(replay, 350), 9_000)).toBe(1_000));
  test('continues at the place of the pause', () =>
    expect(positionAt(play(pause(replay, 350), 9_000), 9_100)).toBe(1_400));
  test('starts again if played after its end', () =>
    expect(positionAt(play(pause(replay, 99_999), 100_000), 100_000)).toBe(0));
  test('keeps its position if its speed changes', () => {
    const faster = withSpeed(replay, 200, 20);
    expect([positionAt(faster, 200), positionAt(faster, 210)]).toEqual([400, 600]);
  });
  test('at instant speed is at its end', () =>
    expect(positionAt(withSpeed(replay, 200, 'instant'), 200)).toBe(durationOf(replay)));
  test('can seek to any position within its duration', () =>
    expect([-5, 700, 9_999].map((ms) => positionAt(seek(pause(replay, 100), 100, ms), 500))).toEqual([0, 700, 2_000]));
  test('can step one event at a time', () => {
    const played: number[] = [];
    for (let one = startReplay(times, 100); played.length < 4; ) {
      one = step(one, 100);
      played.push(playedAt(one, positionAt(one, 9_000)));
    }
    expect(played).toEqual([2, 3, 4, 4]);
  });
});
