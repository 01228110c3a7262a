import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { rules, takeOut } from './rules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('each rule has its own name', () => {
  const ids = rules.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

/** A rule whose text is no longer in its source proves nothing; the run of all of them is too long to find that out. */
test.each(rules)('the rule $id can be taken out of $file', (rule) => {
  expect(existsSync(root + rule.file) ? takeOut(rule, readFileSync(root + rule.file, 'utf8')).problem : 'gone').toBe(
    undefined,
  );
  expect(existsSync(root + rule.test) ? undefined : `${rule.test} is gone`).toBe(undefined);
});

describe('a rule cannot be taken out', () => {
  const check = (edits: readonly (readonly [string, string])[]) =>
    takeOut({ file: 'a.ts', edits }, 'one two one').problem;
  test('of a text that has it not, or twice', () => {
    expect(check([['three', '']])).toBe('a.ts has the text to replace 0 times: three');
    expect(check([['one', '']])).toBe('a.ts has the text to replace 2 times: one');
  });
  test('by an edit that changes nothing', () => expect(check([['two', 'two']])).toBe('a.ts stays as it is'));
});
