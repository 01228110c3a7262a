import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { uncovered } from './covered.ts';

const root = resolve(import.meta.dirname, '../..');

const fileOf = (path: string, ...calls: readonly number[]) => ({
  path: resolve(root, path),
  f: Object.fromEntries(calls.map((count, n) => [n, count])),
});

test.each<[string, string, readonly number[], string, readonly string[]]>([
  ['a file none of whose functions was called is named', 'src/base/a.ts', [0, 0], '', ['src/base/a.ts']],
  ['a file with one function that was called is not named', 'src/base/a.ts', [0, 1], '', []],
  ['a file without functions is not named', 'src/base/a.ts', [], '', []],
  ['a file that imports the editor is left to the tests of the editor', 'src/ui/a.ts', [0], "import 'vscode';", []],
  [
    'a file that only names types of the editor is named',
    'src/ui/a.ts',
    [0],
    "import type { a } from 'vscode';",
    ['src/ui/a.ts'],
  ],
  ['a part of a page is left to the tests of the editor', 'webview/a.ts', [0], '', []],
  ['a file that starts a program is left to the tests that start it', 'src/cli/main.ts', [0], '', []],
])('%s', (_title, path, calls, text, named) => {
  expect(uncovered([fileOf(path, ...calls)], () => text)).toEqual(named);
});

test('a file that imports one which needs the editor is left to the tests of the editor', () => {
  const texts: Readonly<Record<string, string>> = {
    'src/ui/parts.ts': "import { a } from './trees/a.ts';",
    'src/ui/trees/a.ts': "import * as vscode from 'vscode';\nimport { b } from '../parts.ts';",
  };
  expect(uncovered([fileOf('src/ui/parts.ts', 0)], (path) => texts[path] ?? '')).toEqual([]);
});
