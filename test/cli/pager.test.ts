import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/commandLine.ts';
import { namedPager } from '../../src/cli/pager.ts';
import { createFakePorts } from './fakePorts.ts';
import { samplePlan, sampleStatus } from './samples.ts';

test.each([
  [{}, 'less -R'],
  [{ PAGER: 'most -s' }, 'most -s'],
  [{ PAGER: ' ' }, undefined],
  [{ PAGER: 'cat' }, undefined],
  [{ TERM: 'dumb' }, undefined],
])('the environment %j names the pager %j', (environment, pager) => expect(namedPager(environment)).toBe(pager));

describe('a long result', () => {
  async function check(args: readonly string[], isTty: boolean, pages: boolean, expected: RegExp, isPaged: boolean) {
    const ports = await createFakePorts(
      { status: () => sampleStatus(), history: () => ({ cycles: [], total: 0 }) },
      { isTty, pages: () => pages },
    );
    expect(await runCommandLine(['history', samplePlan, ...args], ports)).toBe(0);
    expect(ports.written.stdout).toMatch(expected);
    expect(ports.asked.includes('page 1 lines')).toBe(isPaged);
  }

  const written = /^No phase of this plan has ended yet\.\n$/;
  test('goes to the pager on a terminal', () => check([], true, true, /^$/, true));
  test('is written if there is no pager', () => check([], true, false, written, true));
  test('is written if nothing of it goes to a terminal', () => check([], false, true, written, false));
  test('is written with --no-pager', () => check(['--no-pager'], true, true, written, false));
  test('is JSON with --json', () =>
    check(['--json'], true, true, /^\{"result":\{"cycles":\[\],"total":0\}\}\n$/, false));
});
