import { expect, test } from 'vitest';
import { convertSessions } from '../../src/imports/markdownSessions.ts';

const place = { file: '/session-log.md', subject: 'Demo' };

test.each<[string, object]>([
  [
    'Session 1 (2026-02-03T04:05:06Z) — Prices',
    { id: '2026-02-03-prices', timestamp: '2026-02-03T04:05:06Z', number: 1 },
  ],
  ['Session 2 (2026-02-03) - A: b', { id: '2026-02-03-a-b', timestamp: '2026-02-03', body: '**A: b**\n\nText\n' }],
  ['Session 3b (2026-02-03)', { id: '2026-02-03-session-3b', number: '3b', body: 'Text\n' }],
  ['Session 4: Prices', { id: 'prices', timestamp: '' }],
])('convertSessions reads the heading "%s"', (heading, expected) => {
  const { records, prose } = convertSessions(`### ${heading}\n\nText\n`, place);
  expect(records).toEqual([expect.objectContaining({ phase: 'work', ...expected })]);
  expect(prose).toBe('');
});

test('convertSessions keeps subsections in a session and leaves other headings in the prose', () => {
  const text =
    '# Session Log\n\n### Session 1 (t) — A\n\n#### In it\n\na\n\n### Session 2 (t) — A\n\nb\n\n## End\n\nz\n';
  const { records, prose, diagnostics } = convertSessions(text, place);
  expect(records.map(({ id, body }) => [id, body])).toEqual([
    ['a', '**A**\n\n#### In it\n\na\n'],
    ['a-2', '**A**\n\nb\n'],
  ]);
  expect(prose).toBe('# Session Log\n\n## End\n\nz\n');
  expect(diagnostics).toEqual([]);
});

test('convertSessions warns of a session without a time, with its line', () => {
  const [problem] = convertSessions('\n### Session 1 — A\n\na\n', place).diagnostics;
  expect(problem).toMatchObject({ code: 'import/unclear', severity: 'warning', range: { start: { line: 1 } } });
});
