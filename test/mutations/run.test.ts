import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, 'run.mjs');

test('a rule that is taken out of a copy of the project fails its test there', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--only', 'gate-threw'], {
    encoding: 'utf8',
  });
  expect(stdout).toContain('killed  gate-threw');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed');
});
