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

describe('the times of events', () => {
  test.each([
    { of: 'none', seconds: [], times: [] },
    { of: 'one', seconds: [7], times: [0] },
    { of: 'one second', seconds: [7, 7, 7, 7], times: [0, 250, 500, 750] },
    { of: 'two seconds', seconds: [7, 7, 8], times: [0, 500, 1_000] },
    { of: 'a pause', seconds: [7, 10], times: [0, 3_000] },
    { of: 'a long pause', seconds: [7, 700], times: [0, 5_000] },
    { of: 'a clock that was set back', seconds: [7, 3], times: [0, 1_000] },
  ])('of $of', ({ seconds, times }) => expect([...replayTimes(seconds.map(at))]).toEqual(times));

  test('are each later than the one before', () =>
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
  test('stands still while it is paused', () => expect(positionAt(pause(replay, 350), 9_000)).toBe(1_000));
  test('goes on where it was', () => expect(positionAt(play(pause(replay, 350), 9_000), 9_100)).toBe(1_400));
  test('begins anew after its end', () => expect(positionAt(play(pause(replay, 99_999), 100_000), 100_000)).toBe(0));
  test('keeps its place when its speed changes', () => {
    const faster = withSpeed(replay, 200, 20);
    expect([positionAt(faster, 200), positionAt(faster, 210)]).toEqual([400, 600]);
  });
  test('is at its end at once', () =>
    expect(positionAt(withSpeed(replay, 200, 'instant'), 200)).toBe(durationOf(replay)));
  test('can be put anywhere', () =>
    expect([-5, 700, 9_999].map((ms) => positionAt(seek(pause(replay, 100), 100, ms), 500))).toEqual([0, 700, 2_000]));
  test('goes on one event at a time', () => {
    const played: number[] = [];
    for (let one = startReplay(times, 100); played.length < 4; ) {
      one = step(one, 100);
      played.push(playedAt(one, positionAt(one, 9_000)));
    }
    expect(played).toEqual([2, 3, 4, 4]);
  });
});
