import { expect, test } from 'vitest';
import { NamedEntries } from '../../../src/knowledge/memory/namedEntries.ts';

const bodies = {
  whole: 'See `src/plans/runState.ts`.',
  end: 'The end of it: `plans/runState.ts`.',
  name: 'Only `runState.ts` opens that file.',
  bare: 'Without marks, runState.ts. It stands at an end.',
  line: 'At `src/plans/runState.ts:12`.',
  above: 'From above: packages/core/src/plans/runState.ts',
  elsewhere: 'Another package: other/core/src/plans/runState.ts',
  readme: 'Keep `README.md` short.',
  longer: 'A longer name: `oldrunState.ts` and `src/plans/runState.tsx`.',
  code: 'Call `readRunState()` once.',
  both: '`readRunState` and `writeRunState` go together.',
  word: 'It is `state` that matters.',
  chinese: '文件 `src/名字.ts` 只有一个。',
  empty: '',
};
const entries = Object.entries(bodies).map(([id, body]) => ({ id, title: '', body }));
const files = [
  'src/plans/runState.ts',
  'README.md',
  'docs/README.md',
  'src/名字.ts',
  'lib/only.ts',
  'a/index.ts',
  'b/index.ts',
];
const named = new NamedEntries(entries, { directory: '/base/packages/core', files });
const runState = 'whole end name bare line above';

test.each<[string, readonly string[], string, string]>([
  ['by its path, the end of it, or its name', ['src/plans/runState.ts'], '', runState],
  ['by its name from a command in another folder', ['plans/runState.ts'], '', runState],
  ['by no name that several files have', ['docs/README.md'], '', ''],
  ['by that name if it is the whole path', ['README.md'], '', 'readme'],
  ['by no copy that git does not keep', ['dist/plans/runState.ts'], '', ''],
  ['in any script', ['src/名字.ts'], '', 'chinese'],
  ['by an identifier of the lines that were touched', [], 'const a = readRunState(b);', 'code both'],
  ['by more of them first', [], 'writeRunState(readRunState())', 'both code'],
  ['by files before identifiers', ['README.md'], 'readRunState', 'readme code both'],
  ['by no word of a language', [], 'the state of it', ''],
  ['by nothing at all', [], '', ''],
])('finds entries %s', (_what, paths, code, expected) => {
  expect(
    named
      .find({ paths, code })
      .map(({ entry }) => entry.id)
      .join(' '),
  ).toBe(expected);
});

test('an identifier that many entries name leads to none of them', () => {
  const many = Array.from({ length: 4 }, (_, n) => ({ id: `${n}`, title: '', body: '`readRunState`' }));
  const { length } = new NamedEntries(many, { directory: '/a', files: [] }).find({ paths: [], code: 'readRunState' });
  expect(length).toBe(0);
});

test('thousands of entries that name one of thousands of files alike do not hold up a call', { timeout: 5000 }, () => {
  const alike = Array.from({ length: 10_000 }, (_, n) => ({ id: `e${n}`, title: '', body: 'See index.ts.' }));
  const project = { directory: '/base', files: alike.map((_, n) => `src/a${n}/index.ts`) };
  const index = new NamedEntries(alike, project);
  expect(index.find({ paths: ['src/a5/index.ts'], code: '' })).toEqual([]);
  const own = new NamedEntries(alike, { ...project, files: ['src/index.ts'] });
  expect(own.find({ paths: ['src/index.ts'], code: '' })).toHaveLength(10_000);
});
