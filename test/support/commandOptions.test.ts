import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const scripts = ['test/bench/run.mjs', 'test/mutations/run.mjs', 'test/support/beside.mjs', 'test/support/repeat.mjs'];

test.each(scripts)('%s says how to call it', (script) => {
  const asked = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
  expect([asked.status, asked.stderr]).toEqual([0, '']);
  expect(asked.stdout).toMatch(/^Usage: /);
  const wrong = spawnSync(process.execPath, [script, '--nonsense'], { encoding: 'utf8' });
  expect([wrong.status, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toMatch(/^Unknown option '--nonsense'[^\n]*\nUsage: /);
});
