import { expect, test } from 'vitest';
import { Scrollback } from '../../src/terminals/scrollback.ts';

function readAll(scrollback: Scrollback, from: number, unitsMax: number) {
  const pieces: string[] = [];
  let at = from;
  for (let piece = scrollback.read(at, unitsMax); piece !== undefined; piece = scrollback.read(at, unitsMax)) {
    pieces.push(piece.text);
    at = piece.next;
  }
  return { text: pieces.join(''), at };
}

test('scrollback is read from any position in pieces', () => {
  const scrollback = new Scrollback(100);
  for (const text of ['one ', 'two ', '', 'three']) scrollback.add(text);
  expect(readAll(scrollback, 0, 3)).toEqual({ text: 'one two three', at: 13 });
  expect(readAll(scrollback, 5, 100)).toEqual({ text: 'wo three', at: 13 });
  expect(scrollback.read(13, 100)).toBeUndefined();
});

test('a piece of scrollback never ends within a surrogate pair', () => {
  const scrollback = new Scrollback(100);
  scrollback.add('ab😀cd');
  expect(scrollback.read(0, 3)).toEqual({ from: 0, next: 2, text: 'ab' });
  expect(scrollback.read(2, 3)).toEqual({ from: 2, next: 5, text: '😀c' });
});

test('scrollback keeps the end, and a reader whose text is gone starts at a line', () => {
  const scrollback = new Scrollback(10);
  scrollback.add('lost for ever\n');
  scrollback.add('half a\nline\n');
  scrollback.add('the end');
  expect(scrollback.start).toBe(14);
  expect(scrollback.read(0, 100)).toEqual({ from: 21, next: 26, text: 'line\n' });
  expect(readAll(scrollback, 0, 100).text).toBe('line\nthe end');
  // A reader that has come this far misses nothing.
  expect(readAll(scrollback, 14, 100).text).toBe('half a\nline\nthe end');
});

test('scrollback keeps the terminal modes that were set in dropped text, even if a sequence came in two writes', () => {
  const scrollback = new Scrollback(4);
  for (const text of ['\u001b[?25l\u001b[?2004;1006h', '\u001b[?1', '049h\u001b[?25h', 'kept']) scrollback.add(text);
  expect(scrollback.read(0, 100)?.text).toBe('\u001b[?25h\u001b[?2004h\u001b[?1006h\u001b[?1049hkept');
});
