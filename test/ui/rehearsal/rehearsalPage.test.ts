import { expect, test } from 'vitest';
import { patchOfFile, rehearsalPage } from '../../../src/ui/rehearsal/rehearsalPage.ts';
import { sampleReport } from '../../support/rehearsalReport.ts';

test('the page of a rehearsal has all that it found, and runs nothing that others wrote', () => {
  const { text } = rehearsalPage(sampleReport);
  expect(text.match(/^## .*$/gm)).toEqual([
    '## Tasks',
    '## Memory',
    '## Source',
    '## Commits it would have made',
    '## Messages it would have sent',
    '## Questions you would have been asked',
    '## Refused by gates',
    '## Problems',
  ]);
  expect(text).toContain('The rehearsal ended early: the plan would need your answer here.');
  expect(text).toContain('$0.50 spent');
  expect(text).not.toContain('](command:');
});

test('each changed file leads to its own changes', () => {
  const { text, links } = rehearsalPage(sampleReport);
  const lines = text.split('\n');
  expect(links.map(({ path }) => path)).toEqual(['src/a.ts', 'other/src/a.ts', 'logo.png']);
  for (const { line, start } of links) expect(lines[line]?.slice(0, start)).toBe('- ');
  for (const { line, end } of links) expect(lines[line]?.slice(end)).toMatch(/^ (?:changed|added)/);
  const { patch } = sampleReport;
  const changes = patchOfFile(patch, 'src/a.ts');
  expect(changes).toMatch(/^diff --git a\/src\/a\.ts /);
  expect(changes).toContain('+two\n');
  expect(changes).not.toContain('three');
  expect(patchOfFile(patch, 'other/src/a.ts')).toContain('+three');
  expect(patchOfFile(patch, 'logo.png')).toBeUndefined();
});
