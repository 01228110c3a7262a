import { expect, test } from 'vitest';
import { convertMemory } from '../../../src/vault/imports/markdownMemory.ts';

function convert(text: string) {
  const { records, prose, diagnostics } = convertMemory(text, { file: '/memory.md', subject: 'Demo' });
  return { entries: records.map(({ id, title, body }) => [id, title, body]), prose, warnings: diagnostics.length };
}

test.each<[string, string, ReturnType<typeof convert>]>([
  [
    'an entry for each second heading, with all below it',
    '# Memory\n\nIntro\n\n## A\n\na\n\n### Sub\n\nb\n## B ##\nc\n---\n',
    {
      entries: [
        ['a', 'A', 'a\n\n### Sub\n\nb\n'],
        ['b', 'B', 'c\n'],
      ],
      prose: '# Memory\n\nIntro\n',
      warnings: 0,
    },
  ],
  [
    'third headings where there are no second ones',
    '# M\n### A\na\n',
    { entries: [['a', 'A', 'a\n']], prose: '# M\n', warnings: 0 },
  ],
  [
    'two of one title',
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
  ['an empty section', '## A\n\n## B\nb\n', { entries: [['b', 'B', 'b\n']], prose: '## A\n', warnings: 1 }],
  [
    'text behind the entries',
    '## A\na\n# End\nz\n',
    { entries: [['a', 'A', 'a\n']], prose: '# End\nz\n', warnings: 0 },
  ],
  ['no heading at all', 'a\nb\n', { entries: [['memory', 'Memory', 'a\nb\n']], prose: '', warnings: 1 }],
  ['a title alone', '# Memory\n', { entries: [], prose: '# Memory\n', warnings: 0 }],
  ['a title and a text', '# Shop\n\n- a\n', { entries: [['shop', 'Shop', '- a\n']], prose: '', warnings: 1 }],
  [
    'a heading in a fenced block',
    '## A\n```\n## B\n```\n',
    { entries: [['a', 'A', '```\n## B\n```\n']], prose: '', warnings: 0 },
  ],
])('%s', (_name, text, expected) => expect(convert(text)).toEqual(expected));
