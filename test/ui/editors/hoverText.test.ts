import { describe, expect, test } from 'vitest';
import type { DocumentReference } from '../../../src/model/document.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { PlanStatus } from '../../../src/model/requests/plans.ts';
import { hoverText } from '../../../src/ui/editors/hoverText.ts';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const plan = toQualifiedId('shop/project-root');
const reference: DocumentReference = { kind: 'plan', id: plan, range, target: { file: '/p' }, title: 'Sells things' };

/** Decodes the characters that are escaped for Markdown. */
function read(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

const status: PlanStatus = {
  ...{ plan, description: 'Sells things', phase: 'work', faults: [], directory: '/p', project: '/s', children: [] },
  counts: { ready: 2, blocked: 1, inProgress: 0, done: 0, received: 0, handoffs: 0 },
  ...{ memoryEntries: 0, memoryWords: 0 },
};

describe('the hover text of a name', () => {
  test('says what it names', () =>
    expect(read(hoverText(reference))).toBe('Plan **shop/project-root**\n\nSells things'));

  test('says what state a plan is in', () => {
    expect(read(hoverText(reference, status))).toContain('phase work · 2 ready · 1 blocked');
    expect(read(hoverText(reference, { ...status, waiting: 'a decision' }))).toContain('needs your answer');
  });

  test('says that the plan does not exist', () => {
    const { target: _, ...missing } = reference;
    expect(read(hoverText(missing))).toBe('Plan **shop/project-root**\n\nThis vault has no such plan.');
  });

  test.each(['[x](command:evil)', '<img src=x>', '**bold**', '![](http://e.org/i.png)'])('escapes %s', (title) => {
    const text = hoverText({ ...reference, title });
    expect(text).not.toContain(title);
    expect(read(text)).toContain(title);
  });
});
