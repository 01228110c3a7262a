import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGiven } from '../../src/cli/givenText.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { createFakePorts } from './fakePorts.ts';

test('a text is read from standard input or from a file relative to the working directory', async () => {
  const workingDirectory = await makeTemporaryDirectory();
  await writeFile(join(workingDirectory, 'body.md'), 'Greet.\n');
  const ports = { ...(await createFakePorts({}, { stdin: 'typed' })), workingDirectory };
  expect(await readGiven(ports, '--body-file', '-')).toBe('typed');
  expect(await readGiven(ports, '--body-file', 'body.md')).toBe('Greet.\n');
  expect(await failureOf(() => readGiven(ports, '--body-file', 'none.md'))).toMatchObject({
    code: 'cli/noFile',
    subject: '--body-file',
  });
});
