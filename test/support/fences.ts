import { expect } from 'vitest';

/** The lines of a text that stand in no fenced block, as CommonMark has it; all that a reader takes for the end of a line is one. */
export function linesOutside(text: string): string[] {
  const outside: string[] = [];
  let fence = '';
  for (const line of text.split(/\r\n|[\n\r\u0085\u2028\u2029]/)) {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence !== '') {
      if (marks.startsWith(fence) && rest.trim() === '') fence = '';
    } else if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) fence = marks;
    else outside.push(line);
  }
  expect(fence).toBe('');
  return outside;
}
