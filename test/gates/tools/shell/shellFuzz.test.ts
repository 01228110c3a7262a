import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { testNeeding } from '../../../support/machine.ts';
import { createRandom } from '../../../support/seededRandom.ts';
import { runInBash, unseen } from '../../../support/shellOracle.ts';
import { seeShell } from '../../../support/shellSight.ts';
import { makeShellText } from '../../../support/shellTexts.ts';
import { trickyShell } from '../../../support/trickyShell.ts';

/** `RAVEL_SHELL_TEXTS` makes it a long search; 100 texts take about a second. */
const count = Number(process.env['RAVEL_SHELL_TEXTS'] ?? 250);
const batch = 125;
const sandbox = ['Linux', 'bubblewrap', 'user namespaces'] as const;

testNeeding(sandbox, 'the gate sees every command that bash runs, or refuses the text', () => {
  const seed = Number(process.env['RAVEL_SEED'] ?? randomInt(1_000_000));
  const random = createRandom(seed);
  const found: string[] = [];
  let compared = 0;
  for (let done = 0; done < count; done += batch) {
    const texts = Array.from({ length: Math.min(batch, count - done) }, () => makeShellText(random));
    const runs = runInBash(texts);
    for (const [index, text] of texts.entries()) {
      const run = runs[index];
      if (run === undefined) throw new Error(`RAVEL_SEED=${seed}: bash did not run ${JSON.stringify(text)}`);
      if (run.commands.length > 0 && typeof seeShell(text) !== 'string') compared += 1;
      const difference = unseen(text, run);
      if (difference !== undefined) found.push(`${JSON.stringify(text)}: ${difference}`);
    }
  }
  expect(found, `RAVEL_SEED=${seed}`).toEqual([]);
  // A reader that refuses everything would pass too.
  expect(compared, `RAVEL_SEED=${seed}`).toBeGreaterThan(count / 5);
});

testNeeding(sandbox, 'the gate reads tricky texts as bash does, and refuses few of them', () => {
  const runs = runInBash(trickyShell);
  const unlike = trickyShell.flatMap((text, index) => unseen(text, runs[index] ?? { commands: [], files: [] }) ?? []);
  expect(unlike).toEqual([]);
  expect(runs.filter(({ commands }) => commands.length > 0).length).toBeGreaterThan(trickyShell.length * 0.8);
  expect(trickyShell.filter((text) => typeof seeShell(text) === 'string').length).toBeLessThan(trickyShell.length / 10);
});
