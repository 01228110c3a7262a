import { expect, test } from 'vitest';
import { convertMemory } from '../../src/imports/markdownMemory.ts';

function convert(text: string) {
  const { records, prose, diagnostics } = convertMemory(text, { file: '/memory.md', subject: 'Demo' });
  const entries = records.map(({ id, title, body, tags }) => [id, title, body, ...(tags === undefined ? [] : [tags])]);
  return { entries, prose, warnings: diagnostics.length };
}

test.each<[string, string, ReturnType<typeof convert>]>([
  [
    'makes an entry of each second-level heading, with all below it',
    '# Memory\n\nIntro\n\n## A\n\na\n\n#### Sub\n\nb\n## B ##\nc\n---\n',
    {
      entries: [
        ['a', 'A', 'a\n\n#### Sub\n\nb\n'],
        ['b', 'B', 'c\n'],
      ],
      prose: '# Memory\n\nIntro\n',
      warnings: 0,
    },
  ],
  [
    'makes an entry of each third-level heading, with the section as its tag',
    '# M\n## Rules\n### A\na\n#### More\nm\n### B\nb\n## Rest\nr\n### C\nc\n## D\nd\n',
    {
      entries: [
        ['a', 'A', 'a\n#### More\nm\n', ['Rules']],
        ['b', 'B', 'b\n', ['Rules']],
        ['rest', 'Rest', 'r\n'],
        ['c', 'C', 'c\n', ['Rest']],
        ['d', 'D', 'd\n'],
      ],
      prose: '# M\n',
      warnings: 0,
    },
  ],
  [
    'leaves an empty learning in the prose, with a warning',
    '## Rules\n### A\n_none_\n### B\nb\n',
    { entries: [['b', 'B', 'b\n', ['Rules']]], prose: '### A\n_none_\n', warnings: 1 },
  ],
  [
    'uses third-level headings if there are no second-level ones',
    '# M\n### A\na\n',
    { entries: [['a', 'A', 'a\n']], prose: '# M\n', warnings: 0 },
  ],
  [
    'gives unique ids to equal titles',
    '## A\na\n## A\nb\n',
    {
      entries: [
        ['a', 'A', 'a\n'],
        ['a-2', 'A', 'b\n'],
      ],
      prose: '',
      warnings: 0,
    },
  ],
  [
    'leaves an empty section in the prose, with a warning',
    '## A\n\n## B\nb\n',
    { entries: [['b', 'B', 'b\n']], prose: '## A\n', warnings: 1 },
  ],
  [
    'leaves a later first-level heading in the prose',
    '## A\na\n# End\nz\n',
    { entries: [['a', 'A', 'a\n']], prose: '# End\nz\n', warnings: 0 },
  ],
  [
    'makes one entry of a text without headings, with a warning',
    'a\nb\n',
    { entries: [['memory', 'Memory', 'a\nb\n']], prose: '', warnings: 1 },
  ],
  ['makes no entry of a title alone', '# Memory\n', { entries: [], prose: '# Memory\n', warnings: 0 }],
  [
    'makes one entry of a title and a text, with a warning',
    '# Shop\n\n- a\n',
    { entries: [['shop', 'Shop', '- a\n']], prose: '', warnings: 1 },
  ],
  [
    'ignores a heading in a fenced block',
    '## A\n```\n## B\n```\n',
    { entries: [['a', 'A', '```\n## B\n```\n']], prose: '', warnings: 0 },
  ],
])('convertMemory %s', (_name, text, expected) => expect(convert(text)).toEqual(expected));

test('convertMemory tells a hundred warnings, and how many more there are', () => {
  const { diagnostics } = convertMemory('## A\n'.repeat(1200), { file: '/memory.md', subject: 'Demo' });
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.at(-1)?.message).toBe('1,100 more places should be looked at.');
});
