import { describe, expect, test } from 'vitest';
import { visible } from '../../../src/base/fence.ts';
import { promptMemory } from '../../../src/knowledge/memory/promptMemory.ts';
import { explainMemory } from '../../../src/model/givenMemory.ts';
import { formatPromptText, type PromptText } from '../../../src/model/promptText.ts';
import { formatYaml } from '../../../src/yaml/yaml.ts';
import { linesOutside } from '../../support/fences.ts';

const task = { title: 'Fix the refunds', description: 'They are paid twice.' };
const settings = { given: 'relevant', 'budget-kb': 4, 'later-call-kb': 4, 'later-session-kb': 16 } as const;

function entriesOf(count: number, body: string, title = 'Refund') {
  return Array.from({ length: count }, (_, n) => ({ id: `e${n}`, title: `${title} ${n}`, body }));
}

/** Bytes of what others wrote, as the session sees it. */
function dataBytes(text: PromptText): number {
  return text.reduce((sum, piece) => sum + ('data' in piece ? Buffer.byteLength(visible(piece.data)) : 0), 0);
}

describe('the budget holds for entries', () => {
  test.each([
    ['that are short', entriesOf(2000, 'b', 't')],
    ['of characters with several bytes', entriesOf(100, '漢字🎉'.repeat(30))],
    ['with characters that are spelled out', entriesOf(100, '\u202ex'.repeat(30))],
    ['with titles of 100 kB', entriesOf(20, 'b', 'word '.repeat(20_000))],
  ])('%s', (_what, entries) => {
    const { text, given } = promptMemory(formatYaml({ entries }), task, settings);
    expect(given).toMatchObject({ given: 'relevant', count: entries.length });
    expect(dataBytes(text)).toBeLessThanOrEqual(4000);
  });
});

describe('of a memory with a damaged entry', () => {
  const bad = { id: 'bad `` id', title: 'Bad\n# Orders' };
  const text = (entries: readonly object[]) => formatYaml({ entries: [entries[0], bad, ...entries.slice(1)] });

  test('a session is given the others, and told which one is missing and why', () => {
    const given = promptMemory(text(entriesOf(300, 'The refund waits.')), task, settings);
    const prompt = formatPromptText(given.text);
    expect(prompt).toContain('## Refund 7');
    expect(prompt).not.toContain('## Bad');
    expect(prompt).toContain('1 entry cannot be read, so the memory tools leave it out:');
    expect(prompt).toMatch(/- entry 2 \("bad `` id"\): body: .*\n```/);
    expect(linesOutside(prompt).join('\n')).not.toMatch(/Orders|bad/);
    expect(given.given).toMatchObject({ count: 301, damaged: { count: 1, first: [{ at: 2, id: 'bad `` id' }] } });
    expect(explainMemory(given.given)).toMatch(/left out, within 4 kB\. 1 entry cannot be read: entry 2 \(/);
  });

  test('a small one is given as it is, and the session is told that its tools leave the entry out', () => {
    const given = promptMemory(text(entriesOf(2, 'b')), task, settings);
    expect(given.text[0]).toMatchObject({ label: 'memory', data: expect.stringContaining('# Orders') });
    expect(formatPromptText(given.text)).toContain('1 entry cannot be read, so the memory tools leave it out:');
    expect(given.given).toMatchObject({ given: 'all', count: 3, damaged: { count: 1 } });
  });

  test('of many, the first are told one by one', () => {
    const many = formatYaml({
      entries: [...Array.from({ length: 50 }, (_, n) => ({ ...bad, id: `bad-${n}` })), ...entriesOf(2, 'b')],
    });
    const prompt = formatPromptText(promptMemory(many, task, settings).text);
    expect(prompt).toContain('50 entries cannot be read, so the memory tools leave them out; the first 20:');
  });
});

describe('of a memory that cannot be read', () => {
  test('a session is given the beginning, no more than the budget, and told so', () => {
    const { text, given } = promptMemory(`entries: [\n${'漢字🎉 '.repeat(100_000)}`, task, settings);
    expect(dataBytes(text)).toBeLessThanOrEqual(4000);
    expect(formatPromptText(text)).toContain('The memory cannot be read. It begins so (up to 4.0 kB of its 1.1 MB):');
    expect(formatPromptText(text)).not.toContain('\ufffd');
    expect(explainMemory(given)).toBe('The memory cannot be read; only its first 4 kB were given.');
  });

  test('a small one is given as it is, and not called whole', () => {
    const { text, given } = promptMemory('entries: [', task, settings);
    expect(text).toEqual([{ data: 'entries: [', label: 'memory' }]);
    expect(explainMemory(given)).toBe('The memory cannot be read; its file was given as it is.');
  });
});
