import { describe, expect, test } from 'vitest';
import { delay, formatTimestamp, systemClock } from '../../src/base/clock.ts';
import { ManualClock } from '../support/manualClock.ts';

describe('delay', () => {
  test('ends when its time has come, not before', async () => {
    const clock = new ManualClock();
    const waiting = delay(clock, 100);
    clock.advance(99);
    expect(clock.scheduled).toBe(1);
    clock.advance(1);
    await waiting;
  });

  test('rejects with the reason when it is aborted, and leaves no timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const waiting = delay(clock, 100, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(clock.scheduled).toBe(0);
  });

  test('rejects at once if it was aborted before', async () => {
    const clock = new ManualClock();
    await expect(delay(clock, 100, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(clock.scheduled).toBe(0);
  });
});

describe('the system clock', () => {
  test('calls back later, and its monotonic time moves forward', async () => {
    const before = systemClock.monotonicMs();
    await new Promise<void>((resolve) => systemClock.schedule(1, resolve));
    expect(systemClock.monotonicMs()).toBeGreaterThan(before);
    expect(new Date(systemClock.wallMs()).getUTCFullYear()).toBeGreaterThan(2024);
  });

  test('does not call back after it was disposed', async () => {
    const called: string[] = [];
    systemClock.schedule(1, () => called.push('disposed')).dispose();
    await new Promise<void>((resolve) => systemClock.schedule(5, resolve));
    expect(called).toEqual([]);
  });
});

test.each<[number, string]>([
  [0, '1970-01-01T00:00:00Z'],
  [999, '1970-01-01T00:00:00Z'],
  [Date.UTC(2024, 1, 29, 23, 59, 59, 500), '2024-02-29T23:59:59Z'],
])('formatTimestamp(%d) is %s', (wallMs, expected) => expect(formatTimestamp(wallMs)).toBe(expected));
