import { expect, test } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';
import { formatLacks, NotRun } from './notRun.ts';

type Case = Pick<TestCase, 'fullName' | 'result' | 'meta'>;

function run(notes: readonly (string | undefined)[], isStrict: boolean) {
  const lines: string[] = [];
  let failed = false;
  const reporter = new NotRun({
    isStrict,
    print: (line) => lines.push(line),
    fail: () => {
      failed = true;
    },
  });
  for (const [n, note] of notes.entries()) {
    const result = note === undefined ? { state: 'passed' } : { state: 'skipped', note };
    const meta = () => ({ lacksRare: note === 'root' });
    reporter.onTestCaseResult({ fullName: `test ${n}`, result: () => result, meta } as Case);
  }
  reporter.onTestRunEnd();
  return { lines, failed };
}

test('the line counts the tests by their needs', () => {
  expect(formatLacks([{ test: 'a', needs: 'root' }])).toBe('Not run on this machine: 1 test (1 needs root)');
  const lacks = ['a loop device', 'root', 'a loop device'].map((needs, n) => ({ test: `${n}`, needs }));
  expect(formatLacks(lacks)).toBe('Not run on this machine: 3 tests (2 need a loop device, 1 needs root)');
});

test('each test that was not run is named, and the last line sums them up', () => {
  const { lines } = run([undefined, 'root'], false);
  expect(lines).toEqual(['  not run: test 1 (needs root)', 'Not run on this machine: 1 test (1 needs root)']);
});

test('a test that a name pattern leaves out is not counted', () => {
  const reporter = new NotRun({ isStrict: true, print: () => expect.unreachable(), fail: () => expect.unreachable() });
  const result = () => ({ state: 'skipped', note: undefined });
  reporter.onTestCaseResult({ fullName: 'left out', result } as unknown as Case);
  reporter.onTestRunEnd();
});

test.each([
  ['a test that was not run fails a strict run', ['bubblewrap', 'root'], true, true],
  ['a test that was not run fails no run that is not strict', ['bubblewrap'], false, false],
  ['a test that lacks what is rare fails no strict run', ['root'], true, false],
  ['a strict run in which every test ran does not fail', [undefined], true, false],
])('%s', (_title, notes, isStrict, failed) => {
  expect(run(notes, isStrict).failed).toBe(failed);
});

test.each([
  ['a whole run names the tests of the editor that a machine cannot run', ['unit', 'core', 'crash', 'real'], 1],
  ['a run of some projects does not name them', ['unit', 'core'], 0],
])('%s', (_title, projects, count) => {
  const lines: string[] = [];
  let failures = 0;
  const reporter = new NotRun({
    isStrict: true,
    print: (line) => lines.push(line),
    fail: () => {
      failures++;
    },
    editorLack: 'a Chromium',
  });
  for (const name of projects) reporter.onTestModuleEnd({ project: { name } } as Pick<TestModule, 'project'>);
  reporter.onTestRunEnd();
  expect(lines.filter((line) => line.includes('1 needs a Chromium'))).toHaveLength(count);
  expect(failures).toBe(count);
});
