import { describe, expect, test } from 'vitest';
import { isSettled, StampedCache } from '../../src/vault/stampedCache.ts';

const stamps = [7, 100, 1_000_000.25, 1_000_000.5];

function filled(): StampedCache {
  const cache = StampedCache.empty();
  cache.put('a/project-root', stamps, '{"x":1}');
  cache.put('b/project-root', [...stamps, 0, 0, 0, 0], '[]');
  cache.put('c/project-root', [], 'null');
  return cache;
}

describe('a cached value', () => {
  test('is returned for the same stamps, even after a round trip through text', () => {
    const cache = StampedCache.parse(filled().format('1.0.0'), '1.0.0');
    expect(cache.get('a/project-root', stamps)).toBe('{"x":1}');
    expect(cache.get('b/project-root', [...stamps, 0, 0, 0, 0])).toBe('[]');
    expect(cache.get('c/project-root', [])).toBe('null');
    expect(cache.isChanged).toBe(false);
  });

  test.each<[string, readonly number[]]>([
    ['another inode', [8, 100, 1_000_000.25, 1_000_000.5]],
    ['another size', [7, 101, 1_000_000.25, 1_000_000.5]],
    ['another time', [7, 100, 1_000_000.5, 1_000_000.5]],
    ['another change time', [7, 100, 1_000_000.25, 1_000_000.75]],
    ['one more file', [...stamps, 1, 1, 1, 1]],
    ['one file fewer', []],
  ])('is not returned for %s', (_name, other) => {
    const cache = StampedCache.parse(filled().format('1'), '1');
    expect(cache.get('a/project-root', other)).toBeUndefined();
  });

  test('is dropped if it was not asked for', () => {
    const cache = StampedCache.parse(filled().format('1'), '1');
    cache.get('a/project-root', stamps);
    expect(cache.isChanged).toBe(true);
    const next = StampedCache.parse(cache.format('1'), '1');
    expect(next.get('a/project-root', stamps)).toBe('{"x":1}');
    expect(next.get('c/project-root', [])).toBeUndefined();
  });
});

describe('a cache is discarded if it is', () => {
  function check(text: string): void {
    const cache = StampedCache.parse(text, '1');
    expect(cache.get('a/project-root', stamps)).toBeUndefined();
    expect(cache.isChanged).toBe(false);
  }

  test.each(['', '\n', 'ravel cache 1, 1, 0\n', 'anything else\nat all\n'])('%j', check);

  test('written by another version', () => check(filled().format('2')));

  test('damaged by one removed, added or changed character', () => {
    const text = filled().format('1');
    for (let at = 0; at < text.length; at++) {
      check(text.slice(0, at) + text.slice(at + 1));
      check(text.slice(0, at));
      check(`${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`);
    }
    check(`${text}x`);
  });
});

describe('isSettled', () => {
  const nowMs = 1_000_000;
  test.each<[boolean, string, readonly number[]]>([
    [true, 'for a file that changed more than two seconds ago', [7, 100, nowMs - 2001, nowMs - 2001]],
    [false, 'for a file modified less than two seconds ago', [7, 100, nowMs - 1999, nowMs - 3000]],
    [false, 'for a file whose metadata changed less than two seconds ago', [7, 100, nowMs - 3000, nowMs - 1999]],
    [false, 'for a file from the future', [7, 100, nowMs + 86_400_000, nowMs + 86_400_000]],
    [true, 'for a missing file', [0, 0, 0, 0]],
    [false, 'for several files, one of them recent', [7, 100, 0, 0, 8, 100, nowMs, 0]],
    [true, 'for any inode and size', [nowMs * 2, nowMs * 2, 0, 0]],
  ])('is %s %s', (expected, _name, given) => {
    expect(isSettled(given, nowMs)).toBe(expected);
  });
});
