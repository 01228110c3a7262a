import { expect, test } from 'vitest';
import { NamedEntries } from '../../../src/knowledge/memory/namedEntries.ts';
import { touchedBy } from '../../../src/knowledge/memory/touched.ts';

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

/** Composed and decomposed. */
const [composed, decomposed] = ['src/Zoë.ts'.normalize('NFC'), 'src/Zoë.ts'.normalize('NFD')];

test.each<[what: string, body: string, files: readonly string[], touched: string, isFound: boolean]>([
  ['decomposed letters of a file that is composed', decomposed, [composed], composed, true],
  ['composed letters of a file that is decomposed', composed, [decomposed], decomposed, true],
  ['two slashes', 'src//plans//run.ts', ['src/plans/run.ts'], 'src/plans/run.ts', true],
  ['a part that is the folder itself', './src/./plans/run.ts', ['src/plans/run.ts'], 'src/plans/run.ts', true],
  ['another case than the only such file', 'SRC/Plans/Run.ts', ['src/plans/run.ts'], 'src/plans/run.ts', true],
  ['the case of one of two files', 'src/Run.ts', ['src/run.ts', 'src/Run.ts'], 'src/run.ts', false],
  ['the case of the other of two files', 'src/Run.ts', ['src/run.ts', 'src/Run.ts'], 'src/Run.ts', true],
  ['a case that two files can mean', 'RUN.ts', ['a/run.ts', 'b/run.ts'], 'a/run.ts', false],
  ['an absolute path in another form', '/base//src/./run.ts', ['src/run.ts'], 'src/run.ts', true],
])('an entry can name a file by %s', (_what, body, tracked, touched, isFound) => {
  const index = new NamedEntries([{ id: 'e', title: '', body: `See ${body} for it.` }], {
    directory: '/base',
    files: tracked,
  });
  expect(index.find(touchedBy({ tool: 'Read', input: { file_path: `/base/${touched}` } }, '/base'))).toHaveLength(
    isFound ? 1 : 0,
  );
});

test('a tool can touch a file in another case, or with letters in another form', () => {
  const index = new NamedEntries([{ id: 'e', title: '', body: 'See `src/Zoë.ts`.' }], {
    directory: '/base',
    files: [composed],
  });
  for (const path of ['SRC/zoë.TS', decomposed, 'src//./Zoë.ts', `/base/${decomposed}`, '../base/src/Zoë.ts']) {
    expect(index.find(touchedBy({ tool: 'Read', input: { file_path: path } }, '/base'))).toHaveLength(1);
  }
  expect(index.find(touchedBy({ tool: 'Bash', input: { command: `cat ${decomposed}` } }, '/base'))).toHaveLength(1);
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
