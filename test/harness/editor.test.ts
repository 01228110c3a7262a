import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runEditor } from '../../src/harness/editor.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const path = process.env['PATH'];

/** A program that writes its arguments and its folder into `seen`, and ends with the code that it is given first. */
async function makeEditor(folder: string): Promise<string> {
  const file = join(folder, 'my editor.sh');
  await writeFile(file, 'printf "%s\\n" "$PWD" "$@" > "$SEEN"\nexit "$1"\n');
  return `sh "${file}"`;
}

test.each([
  ['VISUAL goes before EDITOR', (editor: string) => ({ VISUAL: `${editor} 0`, EDITOR: 'no-such-editor' })],
  ['an empty VISUAL is none', (editor: string) => ({ VISUAL: ' ', EDITOR: `${editor} 0` })],
])('%s, arguments and all', async (_name, named) => {
  const folder = await makeTemporaryDirectory();
  const seen = join(folder, 'seen');
  const files = [join(folder, 'a b.yaml'), join(folder, "$(c) 'd'.yaml")];
  const environment = { PATH: path, SEEN: seen, ...named(await makeEditor(folder)) };
  expect(await runEditor({ files, workingDirectory: folder, environment })).toBe(0);
  expect((await readFile(seen, 'utf8')).trimEnd().split('\n')).toEqual([folder, '0', ...files]);
});

test('its exit code is told', async () => {
  const folder = await makeTemporaryDirectory();
  const environment = { PATH: path, SEEN: join(folder, 'seen'), EDITOR: `${await makeEditor(folder)} 3` };
  expect(await runEditor({ files: [], workingDirectory: folder, environment })).toBe(3);
});

test.each([
  [{}, 'neither VISUAL nor EDITOR names an editor'],
  [{ EDITOR: 'no-such-editor' }, 'the shell does not find "no-such-editor"'],
])('%j opens nothing, and says why', async (named, message) => {
  const folder = await makeTemporaryDirectory();
  const problem = await failureOf(async () =>
    runEditor({ files: [], workingDirectory: folder, environment: { PATH: path, ...named } }),
  );
  expect(problem).toMatchObject({ code: 'cli/noEditor', message });
});
