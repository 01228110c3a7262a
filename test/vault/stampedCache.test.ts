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

describe('what was put', () => {
  test('comes back for the same stamps, after writing and reading too', () => {
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
    ['another time of the change itself', [7, 100, 1_000_000.25, 1_000_000.75]],
    ['one file more', [...stamps, 1, 1, 1, 1]],
    ['one file less', []],
  ])('is not what was asked for: %s', (_name, other) => {
    const cache = StampedCache.parse(filled().format('1'), '1');
    expect(cache.get('a/project-root', other)).toBeUndefined();
  });

  test('is forgotten when nobody asked for it', () => {
    const cache = StampedCache.parse(filled().format('1'), '1');
    cache.get('a/project-root', stamps);
    expect(cache.isChanged).toBe(true);
    const next = StampedCache.parse(cache.format('1'), '1');
    expect(next.get('a/project-root', stamps)).toBe('{"x":1}');
    expect(next.get('c/project-root', [])).toBeUndefined();
  });
});

describe('no cache is', () => {
  function check(text: string): void {
    const cache = StampedCache.parse(text, '1');
    expect(cache.get('a/project-root', stamps)).toBeUndefined();
    expect(cache.isChanged).toBe(false);
  }

  test.each(['', '\n', 'ravel cache 1, 1, 0\n', 'anything else\nat all\n'])('%j', check);

  test('what another version wrote', () => check(filled().format('2')));

  test('a text with one character less, more or changed', () => {
    const text = filled().format('1');
    for (let at = 0; at < text.length; at++) {
      check(text.slice(0, at) + text.slice(at + 1));
      check(text.slice(0, at));
      check(`${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`);
    }
    check(`${text}x`);
  });
});

describe('a stamp is trusted', () => {
  const nowMs = 1_000_000;
  test.each<[boolean, string, readonly number[]]>([
    [true, 'two seconds after the last change', [7, 100, nowMs - 2001, nowMs - 2001]],
    [false, 'not before', [7, 100, nowMs - 1999, nowMs - 3000]],
    [false, 'not before the change of what is known of it', [7, 100, nowMs - 3000, nowMs - 1999]],
    [false, 'not from the future, where a clock was set back', [7, 100, nowMs + 86_400_000, nowMs + 86_400_000]],
    [true, 'where there is no file', [0, 0, 0, 0]],
    [false, 'not where one of several is not', [7, 100, 0, 0, 8, 100, nowMs, 0]],
    [true, 'whatever the inode and the size', [nowMs * 2, nowMs * 2, 0, 0]],
  ])('%s: %s', (expected, _name, given) => {
    expect(isSettled(given, nowMs)).toBe(expected);
  });
});
