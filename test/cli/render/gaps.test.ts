import { expect, test } from 'vitest';
import { formatGaps } from '../../../src/cli/render/gaps.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import type { KnowledgeGap } from '../../../src/model/requests/knowledge.ts';

const tags = (count: number): KnowledgeGap[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ kind: 'tag', text: `The tag "t${at}" is used once.`, entries: [`knowledge/${at}.md`] },
  }));

test('gaps begin with questions, and each kind ends with what to do', () => {
  const gaps: KnowledgeGap[] = [
    { kind: 'language', text: 'Few.', entries: ['knowledge/a.md', 'knowledge/b.md'] },
    { kind: 'unproven', text: '"A" is hardly proven.', entries: ['knowledge/a.md'] },
    { kind: 'question', text: 'expert:rust could not answer: Why?', entries: [] },
    ...tags(116),
  ];
  expect(formatGaps(gaps, plainStyle)).toEqual([
    'expert:rust could not answer: Why?',
    '  Add what is missing with `ravel knowledge add TITLE`, then ask again.',
    '',
    'Few.',
    '  Add more with `ravel knowledge add TITLE --folder languages/NAME`.',
    '',
    '"A" is hardly proven.  knowledge/a.md',
    '  If it holds, `ravel knowledge validate ENTRY`; if not, `ravel knowledge archive ENTRY --reason TEXT`.',
    '',
    '116 tags are used once: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, …',
    expect.stringContaining('`ravel knowledge list --tag TAG`'),
  ]);
});

test('a few tags are all named', () => {
  expect(formatGaps(tags(1), plainStyle)[0]).toBe('1 tag is used once: t0');
  expect(formatGaps(tags(10), plainStyle)[0]).toMatch(/^10 tags are used once: .*, t9$/);
  expect(formatGaps([], plainStyle)).toEqual(['No gaps were found.']);
});
