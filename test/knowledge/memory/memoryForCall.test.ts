import { expect, test } from 'vitest';
import { chooseForCall } from '../../../src/knowledge/memory/memoryForCall.ts';

const name = 'src/index.ts';

function namedOf(count: number, body = 'and more. '.repeat(30)) {
  return Array.from({ length: count }, (_, n) => ({ entry: { id: `e${n}`, title: `Entry ${n}`, body }, name }));
}

test('thousands of entries about one file do not hold up a call', { timeout: 5000 }, () => {
  const told = chooseForCall(namedOf(20_000), 9000);
  expect(told?.entries[0]).toEqual({ id: 'e0', title: 'Entry 0', name, whole: true });
  expect(told?.entries.at(-1)?.whole).toBe(false);
  expect(Buffer.byteLength(told?.text ?? '')).toBeLessThanOrEqual(9000);
});

test('two entries with one id are told as what they are', () => {
  const large = { id: 'same', title: 'Large', body: 'large '.repeat(1000) };
  const small = { id: 'same', title: 'Small', body: 'It is small.' };
  const told = chooseForCall(
    [small, large].map((entry) => ({ entry, name })),
    500,
  );
  expect(told?.entries.map(({ title, whole }) => [title, whole])).toEqual([
    ['Small', true],
    ['Large', false],
  ]);
  expect(told?.text).toContain('It is small.');
  expect(told?.text).toContain('- Large');
  expect(told?.text).not.toContain('large large');
});

test.each([
  ['of several bytes each', '漢字🎉'.repeat(100)],
  ['that are spelled out', '\u202ex'.repeat(100)],
  ['that make the fence longer', '`'.repeat(400)],
])('a text with characters %s keeps to the bytes', (_what, body) => {
  const told = chooseForCall(namedOf(50, body), 4000);
  expect(told?.entries[0]?.whole).toBe(true);
  expect(Buffer.byteLength(told?.text ?? '')).toBeLessThanOrEqual(4000);
});
