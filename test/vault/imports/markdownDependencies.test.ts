import { describe, expect, test } from 'vitest';
import { resolveDependencies, titleIndex } from '../../../src/vault/imports/markdownDependencies.ts';

const index = titleIndex([
  { id: 'a-b-and-c', title: 'A, B, and `C`' },
  { id: 'print', title: 'Print' },
  { id: 'twin', title: 'Twin' },
  { id: 'twin-2', title: 'Twin' },
]);

describe('dependencies', () => {
  test.each<[string, string[], string]>([
    ['none', [], ''],
    ['`none`.', [], ''],
    ['—', [], ''],
    ['', [], ''],
    ['Print', ['print'], ''],
    ['`print`, A, B, and C.', ['print', 'a-b-and-c'], ''],
    ['Print,\n  A, B,\n  and `C`', ['print', 'a-b-and-c'], ''],
    ['Print, Print', ['print'], ''],
    ['Print (first)', [], 'Print (first)'],
    ['the two above, all done, Print, and paper', ['print'], 'the two above, all done; and paper'],
    ['none (but paper)', [], 'none (but paper)'],
    ['print, prints', ['print'], 'prints'],
    ['Twin', [], 'Twin'],
    ['twin-2', ['twin-2'], ''],
    ['Self', [], 'Self'],
  ])('%j', (text, linked, note) => {
    const withSelf = new Map([...index, ['Self', 'self']]);
    expect(resolveDependencies(text, 'self', withSelf)).toEqual({ linked, note });
  });
});
