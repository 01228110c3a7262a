import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runEditor } from '../../src/harness/editor.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

/** A program that writes its folder and arguments to the file `seen` and exits with its first argument as the code. */
async function makeEditor(): Promise<{ readonly folder: string; readonly editor: string }> {
  const folder = await makeTemporaryDirectory();
  const file = join(folder, 'my editor.sh');
  await writeFile(file, 'printf "%s\\n" "$PWD" "$@" > seen\nexit "$1"\n');
  return { folder, editor: `sh "${file}"` };
}

const environment = { PATH: process.env['PATH'] };

test('an editor command can have arguments, and files can have any name', async () => {
  const { folder, editor } = await makeEditor();
  const files = [join(folder, 'a b.yaml'), join(folder, "$(c) 'd'.yaml")];
  expect(await runEditor({ editor: `${editor} 0`, files, workingDirectory: folder, environment })).toBe(0);
  const seen = await readFile(join(folder, 'seen'), 'utf8');
  expect(seen.trimEnd().split('\n')).toEqual([folder, '0', ...files]);
});

test('the editor’s exit code is returned', async () => {
  const { folder, editor } = await makeEditor();
  expect(await runEditor({ editor: `${editor} 3`, files: [], workingDirectory: folder, environment })).toBe(3);
});

test('a missing editor is named', async () => {
  const { folder } = await makeEditor();
  const job = { editor: 'no-such-editor', files: [], workingDirectory: folder, environment };
  expect(await failureOf(() => runEditor(job))).toMatchObject({
    code: 'cli/noEditor',
    message: 'The shell does not find "no-such-editor".',
  });
});
