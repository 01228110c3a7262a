import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPager } from '../../src/harness/pager.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const environment = { PATH: process.env['PATH'] };

test('a pager gets the whole text and how less is to behave, unless the person said so', async () => {
  const out = join(await makeTemporaryDirectory(), 'out');
  const text = 'a line\n'.repeat(50_000);
  expect(await runPager({ pager: `(printenv LESS; cat) > ${out}`, text, environment })).toBe(true);
  expect(await readFile(out, 'utf8')).toBe(`FRX\n${text}`);
  await runPager({ pager: `printenv LESS > ${out}`, text, environment: { ...environment, LESS: 'S' } });
  expect(await readFile(out, 'utf8')).toBe('S\n');
});

test('a pager that is left before the end of the text counts as having shown it', async () => {
  const text = 'a line\n'.repeat(200_000);
  expect(await runPager({ pager: 'head -c 10 > /dev/null; exit 3', text, environment })).toBe(true);
});

test('a pager that does not exist has shown nothing', async () => {
  expect(await runPager({ pager: 'no-such-pager-at-all 2> /dev/null', text: 'x', environment })).toBe(false);
});
