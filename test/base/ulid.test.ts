import { describe, expect, test } from 'vitest';
import { createUlids, deriveUlid } from '../../src/base/ulid.ts';
import { isUlid } from '../../src/model/id.ts';
import { ManualClock } from '../support/manualClock.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('createUlids', () => {
  test('takes time and randomness from its parameters', () => {
    const next = createUlids(new ManualClock(Date.UTC(2026, 0, 2)), (count) => new Uint8Array(count));
    expect(next()).toBe('01KDY021000000000000000000');
    expect(next()).toBe('01KDY021000000000000000001');
  });

  test('works at time zero', () => {
    const next = createUlids(new ManualClock(0), (count) => new Uint8Array(count));
    expect(next()).toBe('00000000010000000000000000');
  });

  test('uses every random byte once', () => {
    let asked = 0;
    const next = createUlids({ wallMs: () => 1_000_000 + asked++ }, (count) =>
      Uint8Array.from({ length: count }, (_, index) => (index % 32) * 8),
    );
    expect([next().slice(10), next().slice(10)]).toEqual(['FEDCBA9876543210', 'ZYXWVTSRQPNMKJHG']);
  });

  test.each([
    ['stands still', 0],
    ['runs', 1],
    ['is set back by a day', -dayMs],
  ])('returns unique, rising ids if the clock %s', (_name, jumpMs) => {
    const clock = new ManualClock();
    const next = createUlids(clock);
    const ids: string[] = [];
    for (let n = 0; n < 200; n++) {
      ids.push(next());
      clock.jumpWall(jumpMs);
    }
    expect(ids.every(isUlid)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('deriveUlid gives equal words the same ULID and different words another', () => {
  const one = deriveUlid(['reply', 'a', 'b']);
  expect(isUlid(one)).toBe(true);
  expect(deriveUlid(['reply', 'a', 'b'])).toBe(one);
  expect(deriveUlid(['reply', 'ab'])).not.toBe(one);
});
