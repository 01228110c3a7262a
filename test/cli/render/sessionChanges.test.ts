import { describe, expect, test } from 'vitest';
import { diffOf, formatChanges } from '../../../src/cli/render/sessionChanges.ts';
import { colourStyle, plainStyle } from '../../../src/cli/render/style.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { ChangedText, ChangesPage } from '../../../src/model/requests/inspect.ts';

const plain = { style: plainStyle, columns: 90 };
const text = (content: string, fields: Partial<ChangedText> = {}): ChangedText => ({
  ...{ text: content, isThere: true, isBinary: false, isCut: false },
  ...fields,
});
const gone = text('', { isThere: false });

const page: ChangesPage = {
  ...{ plan: toQualifiedId('shop/project-root'), session: '01HZY0000000000000000000S1' as Ulid },
  ...{ phase: 'work', task: 'pay', state: 'finished', harness: 'scripted' },
  sets: [
    {
      ...{ set: 'c0ffee11c0ffee11', kind: 'commit', title: 'Pay', fileCount: 3, earlierCount: 1 },
      files: [
        { path: 'pay.js', status: 'changed', added: 2, removed: 1, changedBefore: true },
        { path: 'logo.png', status: 'added' },
      ],
    },
  ],
  claims: [
    { id: 'c1', text: 'It pays', verdict: 'evidenced', evidence: [{ kind: 'test', text: 'node --test' }] },
    { id: 'c2', text: 'It is fast', verdict: 'unsupported', evidence: [] },
    { id: 'c3', text: 'It is small', evidence: [] },
  ],
};
const diff = diffOf('c0ffee11c0ffee11', 'pay.js', text('a\n'), text('b\n'));

test('changes name who made them, each file with its counts, the diff, and each claim with what code found', () => {
  expect(formatChanges(page, { facts: true, diffs: [diff] }, plain)).toEqual([
    'shop/project-root 01HZY0000000000000000000S1  work · task pay · finished · changed by the session',
    '',
    'commit c0ffee11 Pay  3 files, +2 −1',
    '  M pay.js  +2 −1  a person had changed it before, too',
    '  A logo.png  not text',
    '  1 further file not listed',
    '  left out: 1 file that a person had changed before, and the session did not',
    '',
    ...['diff --git a/pay.js b/pay.js', '--- a/pay.js', '+++ b/pay.js', '@@ -1,1 +1,1 @@', '-a', '+b'],
    '',
    'The diff of 1 file is not shown; --files shows more.',
    '',
    'Claims',
    '  ✓ proved  c1  It pays',
    '      test: node --test',
    '  ✗ not proved  c2  It is fast',
    '      without evidence',
    '  ? not judged  c3  It is small',
    '      without evidence',
  ]);
});

test('a patch is the diff alone', () =>
  expect(formatChanges(page, { facts: false, diffs: [diff] }, plain)[0]).toBe('diff --git a/pay.js b/pay.js'));

test('a phase by hand was a person, and a session without changes says so', () => {
  const none: ChangesPage = { ...page, harness: 'person', sets: [], claims: [] };
  expect(formatChanges(none, { facts: true, diffs: [] }, plain)).toEqual([
    expect.stringMatching(/ · changed by a person, in a phase by hand$/),
    'It changed nothing that is still there to be seen.',
  ]);
});

describe('the diff of a file', () => {
  const check = (before: ChangedText, after: ChangedText, expected: readonly string[]) =>
    expect(diffOf('source', 'x', before, after).lines.slice(1)).toEqual(expected);

  test('that is new', () =>
    check(gone, text('a\n'), ['new file mode 100644', '--- /dev/null', '+++ b/x', '@@ -0,0 +1,1 @@', '+a']));
  test('that is gone', () =>
    check(text('a\n'), gone, ['deleted file mode 100644', '--- a/x', '+++ /dev/null', '@@ -1,1 +0,0 @@', '-a']));
  test('that is not text', () => check(text('', { isBinary: true }), text('a'), ['Binary file x changed']));
  test('that is empty', () => check(gone, text(''), ['new file mode 100644']));
  test('that is very long', () =>
    check(text('a\n', { isCut: true }), text('a\n'), ['(The end of a very long file is left out.)']));

  test('brings no colours of its own', () => {
    const painted = formatChanges(
      page,
      { facts: false, diffs: [diffOf('c0ffee11c0ffee11', 'pay.js', gone, text('\u001b[31mred\n'))] },
      { style: colourStyle, columns: 90 },
    );
    expect(painted.at(-1)).toBe(colourStyle.good('+\\u{1b}[31mred'));
  });
});
