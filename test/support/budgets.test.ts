import { expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { Budgets, formatUse } from './budgets.ts';
import { testProjects } from './projects.ts';

const moduleOf = (name: string) => ({ project: { name } }) as Pick<TestModule, 'project'>;

/** What a run prints and how it ends, if its projects take these seconds, one after another. */
function run(seconds: Readonly<Record<string, number>>, isStrict: boolean) {
  let nowMs = 1000;
  const lines: string[] = [];
  const codes: number[] = [];
  const budgets = new Budgets({
    isStrict,
    now: () => nowMs,
    print: (line) => lines.push(line),
    fail: () => codes.push(1),
  });
  for (const [name, taken] of Object.entries(seconds)) {
    budgets.onTestModuleQueued(moduleOf(name));
    nowMs += taken * 1000;
    budgets.onTestModuleEnd(moduleOf(name));
  }
  budgets.onTestRunEnd();
  return { printed: lines.join('\n'), failed: codes.length > 0 };
}

const { budgetSeconds } = testProjects.unit;

test('a line shows what a project used of its budget, and says when it is over', () => {
  expect(formatUse({ name: 'core', seconds: 213.6, budgetSeconds: 360 })).toBe('core      214 s of 360 s');
  expect(formatUse({ name: 'unit', seconds: 61, budgetSeconds: 60 })).toBe('unit       61 s of 60 s  OVER BUDGET');
});

test('the time of a project runs from its first file to the end of its last, and each project has its own', () => {
  const { printed } = run({ unit: 12, core: 100 }, true);
  expect(printed).toContain(formatUse({ name: 'unit', seconds: 12, budgetSeconds }));
  expect(printed).toContain(formatUse({ name: 'core', seconds: 100, budgetSeconds: testProjects.core.budgetSeconds }));
  expect(printed).not.toContain('editor');
});

test.each([
  ['a project over three times its budget fails a strict run', 3 * budgetSeconds + 1, true, true],
  ['a project at three times its budget fails no run', 3 * budgetSeconds, true, false],
  ['a project over its budget is only named if the run is not strict', 3 * budgetSeconds + 1, false, false],
])('%s', (_title, seconds, isStrict, failed) => {
  expect(run({ unit: seconds }, isStrict).failed).toBe(failed);
});

test('a run of no file of any project prints nothing', () => {
  expect(run({}, true).printed).toBe('');
});
