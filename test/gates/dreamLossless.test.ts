import { describe, expect, test } from 'vitest';
import { judgeDreamLossless } from '../../src/gates/dreamLossless.ts';
import type { DreamMap } from '../../src/model/memory.ts';
import { findingsOf, makeProposal } from './proposal.ts';

type Bodies = Readonly<Record<string, string>>;

/** Entries by id, all with the same title. `lost` lists what the findings must mention, in order. */
function check(before: Bodies, after: Bodies, lost: readonly string[], dreamMap: DreamMap = {}) {
  const memory = (bodies: Bodies) => ({
    'memory.yaml': { entries: Object.entries(bodies).map(([id, body]) => ({ id, title: 'Entry', body })) },
  });
  const findings = findingsOf(judgeDreamLossless(makeProposal('dream', memory(before), memory(after), { dreamMap })));
  expect({ findings, count: findings.length }).toMatchObject({ count: lost.length });
  lost.forEach((text, index) => {
    expect(findings[index]).toContain(text);
  });
}

/** Rewrites one entry; the rewriting is accepted if `lost` is empty. */
function rewrite(before: string, after: string, lost: readonly string[] = []) {
  check({ a: before }, { a: after }, lost);
}

describe('a dream can reword what it keeps', () => {
  test.each<[string, string]>([
    ['The cache is not shared between plans.', 'Plans do not share the cache between them.'],
    ['Sessions end after 30 seconds.', 'After 30 s a session ends.'],
    ['Sessions end after 30 seconds. Plans have 5 retries.', 'Plans: 5 retries.\n\n- A session ends after 30s.'],
    ['Use `readFile` for prompts.', 'For prompts, `readFile` is used.'],
    ["Don't edit views by hand.", 'Do not edit the views by hand.'],
    ['Only triage may delete tasks.', 'Tasks: only triage deletes them.'],
    ['The limit is 1,500 words.', 'The limit: 1500 words.'],
    ['There are three phases here.', 'There are 3 phases here.'],
    ['A line\nthat is wrapped, never cut.', 'A line that is wrapped, never cut.'],
  ])('"%s" as "%s"', (before, after) => rewrite(before, after));
});

describe('a dream is refused if it loses', () => {
  test.each<[string, string, string, string]>([
    ['a number', 'The pool has 8 workers.', 'The pool has workers.', '"8"'],
    ['a number by changing it', 'The pool has 8 workers.', 'The pool has 9 workers.', '"8"'],
    ['a unit', 'Sessions end after 30 s.', 'Sessions end after 30 ms.', '"30 s"'],
    ['a date', 'Measured on 2026-04-28 twice.', 'Measured twice on a day.', '"2026-04-28"'],
    ['a version', 'Needs v1.2.3 of zod.', 'Needs v1.2.4 of zod.', 'v1.2.3'],
    ['code', 'Call `save()` before exit.', 'Call it before exit.', '`save()`'],
    ['camelCase', 'The readPlanFile helper reads.', 'The helper reads.', '`readPlanFile`'],
    ['snake_case', 'Field blocked_reason is cleared.', 'Field is cleared.', '`blocked_reason`'],
    ['dotted', 'See config.models for models.', 'See config for models.', '`config.models`'],
    ['a digit word', 'Encoded as utf8 always.', 'Encoded as text always.', '`utf8`'],
    ['a code word to a longer one', 'The `plan` is read.', 'The `planner` is read.', '`plan`'],
    ['a path', 'Prompts live in src/prompts/work.md today.', 'Prompts live in src today.', '`src/prompts/work.md`'],
    ['a quoted term', 'It is called "the inbox" there.', 'It is called the box there.', '`the inbox`'],
    ['a flag', 'Run it with --force here.', 'Run it here.', '`--force`'],
    ['a "not"', 'The cache is not shared.', 'The cache is shared.', '"not"'],
    ['a "never"', 'Code never edits views.', 'Code edits views.', '"never"'],
    ['an "only"', 'Only triage deletes tasks.', 'Triage deletes tasks.', '"only"'],
    ['a "must"', 'Paths must be absolute.', 'Paths are absolute.', '"must"'],
    ['a "without"', 'It runs without a lock.', 'It runs with a lock.', '"without"'],
    ['an "except"', 'All files except views move.', 'All files and views move.', '"except"'],
    ['a "never" to a weaker word', 'Code never edits views.', 'Code should not edit views.', '"never"'],
    [
      'a whole sentence',
      'Alpha beta gamma stay. Quick brown foxes jump high.',
      'Alpha beta gamma stay.',
      'Quick brown foxes',
    ],
    [
      'a "not" by moving it',
      'The log is not read. The plan is written.',
      'The log is read. The plan is not written.',
      '"not"',
    ],
    [
      'a number by swapping it',
      'Timeout is 30 for reads. Retries are 5.',
      'Timeout is 5 for reads. Retries are 30.',
      '"30"',
    ],
  ])('%s', (_, before, after, lost) => {
    const memory = (body: string) => ({ 'memory.yaml': { entries: [{ id: 'a', title: 'Entry', body }] } });
    const findings = findingsOf(judgeDreamLossless(makeProposal('dream', memory(before), memory(after))));
    expect(findings[0]).toMatch(/^The entry "a" loses in "a"/);
    expect(findings[0]).toContain(lost);
  });
});

test('a dream is refused if it adds a "not" or a number', () => {
  rewrite('The cache is shared.', 'The cache is not shared.', ['says what no entry said: "not"']);
  rewrite('The pool has workers.', 'The pool has 8 workers.', ['says what no entry said: "8"']);
});

describe('a dream that merges entries', () => {
  const before = { a: 'The timeout is 30 s.', b: 'There are 5 retries.' };

  test('can merge two entries', () => {
    check(before, { a: 'The timeout is 30 s. There are 5 retries.' }, [], { b: ['a'] });
  });

  test('can split an entry', () => {
    check({ ...before, c: 'The timeout holds with 5 retries.' }, before, ['"c" loses'], { c: ['a'] });
    check({ ...before, c: 'Timeout 30 s. There are 5 retries.' }, before, [], { c: ['a', 'b'] });
  });

  test('is refused if it swaps numbers between entries', () => {
    check(before, { a: 'The timeout is 5 s.', b: 'There are 30 retries.' }, [
      '"a" loses',
      '"b" loses',
      '"a" says what no entry said',
      '"b" says what no entry said',
    ]);
    check(before, { a: 'The timeout is 5 s. There are 30 retries.' }, ['"a" loses', '"b" loses', 'no entry said'], {
      b: ['a'],
    });
  });

  test('is refused if it drops an entry or maps it to one that does not exist or does not hold its text', () => {
    check(before, { a: before.a }, ['The entry "b" is gone']);
    check(before, { a: before.a }, ['The entry "b" is gone'], { b: ['elsewhere'] });
    check(before, { a: before.a }, ['"b" loses'], { b: ['a'] });
  });

  test('can drop a duplicate that differs only in spacing, but not in the case of code', () => {
    check({ a: 'The pool has 8 workers.', b: 'The  pool has\n8 workers' }, { a: 'The pool has 8 workers.' }, []);
    check({ a: 'Use `Foo` here.', b: 'Use `foo` here.' }, { a: 'Use `Foo` here.' }, ['The entry "b" is gone']);
  });

  test('must keep what the title says', () => {
    const memory = (title: string) => ({ 'memory.yaml': { entries: [{ id: 'a', title, body: 'Body text stays.' }] } });
    const verdict = judgeDreamLossless(makeProposal('dream', memory('Limit is 7 plans'), memory('Limit of plans')));
    expect(findingsOf(verdict)[0]).toContain('"7"');
  });
});

test('other phases can drop entries', () => {
  const before = { 'memory.yaml': { entries: [{ id: 'a', title: 'A', body: 'The pool has 8 workers.' }] } };
  expect(judgeDreamLossless(makeProposal('reflect', before, { 'memory.yaml': { entries: [] } })).outcome).toBe(
    'accept',
  );
});

describe('an entry too long to be compared', () => {
  const long = 'A line. '.repeat(8193);
  const refused = 'the entry "long" has 65551 characters, and at most 65536 are compared';

  test('can stay as it is', () => check({ long, a: 'A pool.' }, { long, a: 'A pool.' }, []));
  test('is not rewritten, even to words that say the same', () =>
    check({ long }, { long: `${long} A line.` }, [
      'The change of "long" cannot be checked: the entry "long" has 65551',
      '"long" has 65559',
    ]));
  test('does not vanish into others', () =>
    check({ long, a: 'A line.' }, { a: 'A line.' }, [refused], { long: ['a'] }));
  test('takes no other up', () => check({ long, a: 'A pool.' }, { long }, [refused], { a: ['long'] }));
  test('comes from no shorter one', () => check({ a: 'A pool.' }, { a: 'A pool.', long }, [refused]));
});

test('a short entry and a long one below the bound are compared in full', () => {
  const long = 'A line. '.repeat(8000);
  rewrite(`${long}The pool has 8 workers.`, `${long}The pool has workers.`, ['"8"']);
});

test('a dream that loses very much is told a hundred losses, and how many more there are', () => {
  const names = Array.from({ length: 150 }, (_, n) => `\`name.n${n}x\``);
  rewrite(names.join(', '), 'Other words.', ['201 more facts.']);
});
