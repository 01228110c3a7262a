import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testNeeding } from './machine.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

testNeeding(
  ['Linux', 'bubblewrap', 'user namespaces'],
  'bubblewrap confines a program: it cannot write outside the folder that it is given',
  async () => {
    const [inside, outside] = [await makeTemporaryDirectory(), await makeTemporaryDirectory()];
    const script = `echo in > ${join(inside, 'file')}; echo out > ${join(outside, 'file')}`;
    const { stderr } = spawnSync('bwrap', [...['--ro-bind', '/', '/'], '--bind', inside, inside, 'sh', '-c', script], {
      encoding: 'utf8',
    });
    expect(existsSync(join(inside, 'file'))).toBe(true);
    expect(existsSync(join(outside, 'file'))).toBe(false);
    expect(stderr).toMatch(/Read-only file system/);
  },
);
