import { expect, test } from 'vitest';
import { seeShell } from '../../support/shellSight.ts';

/** Where the program `a` may run, below the project. */
test.each<[string, string]>([
  ['cd x && a', 'x'],
  ['cd x; a', 'x .'],
  ['cd x || a', '.'],
  ['cd x || exit 1; a', 'x'],
  ['cd x || { echo no; exit 1; }; a', 'x'],
  ['! cd x && a', '.'],
  ['if cd x; then a; fi', 'x'],
  ['if ! cd x; then exit; fi; a', 'x'],
  ['(cd x); a', '.'],
  ['(cd x && a)', 'x'],
  ['{ cd x; }; a', 'x .'],
  ['cd x | b; a', '.'],
  ['cd x & a', '.'],
  ['echo $(cd x); a', '.'],
  ['cd x && cd .. && a', '.'],
  ['cd x && cd - && a', '.'],
  ['cd x && cd y && cd - && a', 'x'],
  ['command cd x && a', 'x'],
  ['builtin cd x && a', 'x'],
  ['eval cd x && a', 'x'],
  ['cd -P -- x && a', 'x'],
  ['f() { cd x; }; f && a', 'x'],
  ['f() { cd x && return; echo; }; f; a', '. x'],
  ['for d in x y; do (cd $d && a); done', 'x y'],
  ['while b; do cd x; break; cd ..; done; a', '. x'],
  ['until b; do cd x && break; done; a', '. x'],
  ['case $1 in b) cd x;; esac; a', '. x'],
  ['X=$(cd x) a', '.'],
])('%s runs a in %s', (text, expected) => {
  const seen = seeShell(text);
  if (typeof seen === 'string') expect.fail(seen);
  const folders = seen.filter(({ command }) => command.words[0]?.text === 'a').flatMap((each) => each.folders);
  const names = [...new Set(folders)].map((folder) => folder.slice('/srv/demo/'.length) || '.');
  expect(names.toSorted()).toEqual(expected.split(' ').toSorted());
});

test('a folder that may be any of too many is refused', () => {
  expect(seeShell('for d in x y; do cd $d && a && cd ..; done')).toMatch(/too many folders/);
  expect(seeShell('while b; do cd x; done')).toMatch(/too many folders|too much/);
  expect(seeShell(Array.from({ length: 20 }, (_, index) => `cd d${index}`).join(';'))).toMatch(/too many folders/);
});
