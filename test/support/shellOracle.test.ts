import { describe, expect, test } from 'vitest';
import { testNeeding } from './machine.ts';
import { type BashRun, runInBash, unseen } from './shellOracle.ts';

const ring = '/ring/p';
const ran = (words: readonly string[], folder = ring): BashRun => ({ commands: [{ folder, words }], files: [] });
const made = (...files: readonly string[]): BashRun => ({
  commands: [],
  files: files.map((file) => `${ring}/${file}`),
});

describe('what bash did and the gate did not see is told', () => {
  const cases: Readonly<Record<string, readonly [text: string, run: BashRun, told: string | undefined]>> = {
    'a command that was seen': ['a b', ran(['a', 'b']), undefined],
    'another command': ['a b', ran(['c']), 'bash ran ["c"]'],
    'a word more': ['a b', ran(['a', 'b', 'c']), 'bash ran'],
    'a word less': ['a b', ran(['a']), 'bash ran'],
    'another word': ['a b', ran(['a', 'c']), 'bash ran'],
    'a word that cannot be known': ['a "$x"', ran(['a', 'c']), undefined],
    'words that cannot be known': ['a $x', ran(['a', 'b', 'c']), undefined],
    'the program, if a word behind it cannot be known': ['a "$x"', ran(['b', 'c']), 'bash ran'],
    'another folder': ['cd src && a', ran(['a']), 'bash ran ["a"] in /ring/p'],
    'one of two folders': ['cd src; a', ran(['a']), undefined],
    'a file of a redirection': ['a > out', made('out'), undefined],
    'another file': ['a > out', made('out', 'other'), 'bash made the file /ring/p/other'],
    'a file that was only read': ['a < out', made('out'), 'bash made the file /ring/p/out'],
    'a file in another folder': ['a > out', made('src/out'), 'bash made the file /ring/p/src/out'],
    'a file that was there before': ['a', made('a.ts'), undefined],
    'a text that the gate refuses': ['${!x}', ran(['a']), undefined],
  };
  test.each(Object.entries(cases))('%s', (_name, [text, run, told]) => {
    const found = unseen(text, run);
    if (told === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(told);
  });
});

testNeeding(
  ['Linux', 'bubblewrap', 'user namespaces'],
  'bash tells what it runs, where, and which files it made',
  () => {
    const texts = [
      'a "b c" && cd src && eval "d\ne"',
      'echo x > out; command a',
      '(cd src; a); exec b',
      'none of it |',
    ];
    const folder = (name: string, ...words: string[]) => ({ folder: `${ring}${name}`, words });
    const [first, second, third, fourth] = runInBash(texts);
    expect(first?.commands).toEqual([
      folder('', 'a', 'b c'),
      folder('', 'cd', 'src'),
      folder('/src', 'eval', 'd\ne'),
      folder('/src', 'd'),
      folder('/src', 'e'),
    ]);
    expect(second?.commands).toEqual([folder('', 'echo', 'x'), folder('', 'command', 'a'), folder('', 'a')]);
    expect(second?.files).toContain(`${ring}/out`);
    expect(third?.commands).toEqual([
      folder('', 'cd', 'src'),
      folder('/src', 'a'),
      folder('', 'exec', 'b'),
      folder('', 'b'),
    ]);
    expect(fourth).toEqual({ commands: [], files: [] });
  },
);
