import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { createFakePorts } from '../fakePorts.ts';
import { samplePlan } from '../samples.ts';

const title = 'Let people find what they look for by its colour, its size and the words that they use for it';
const next = () => ({
  tasks: [
    {
      ...{ plan: samplePlan, id: 'find-by-colour-and-size', title, unblocks: 3, place: 1, phase: 'work' },
      lastRanMs: Date.parse('2026-11-20T10:00:00Z'),
    },
  ],
  ...{ more: 0, plans: 1, diagnostics: [], leftOut: { faulted: 0, running: 0, waiting: 0, paused: 0 } },
});

test('ravel next gives a program each task as one line with its whole title', async () => {
  const piped = await createFakePorts({ next } as never);
  expect(await runCommandLine(['next'], piped)).toBe(0);
  const rows = piped.written.stdout.trimEnd().split('\n');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^PLAN +TASK +TITLE +WHY$/);
  expect(rows[1]?.slice(rows[0]?.indexOf('TITLE'))).toMatch(new RegExp(`^${title}  unblocks 3, `));
});

test.each([60, 80])(
  'ravel next fits a terminal of %i columns, with the whole id and title of a task',
  async (columns) => {
    const terminal = await createFakePorts({ next } as never, { isTty: true, columns });
    expect(await runCommandLine(['next', '--no-color'], terminal)).toBe(0);
    const lines = terminal.written.stdout.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines).toContainEqual(expect.stringMatching(/(?:^| )find-by-colour-and-size$/));
    expect(terminal.written.stdout.replace(/\s+/g, ' ')).toContain(title);
  },
);
