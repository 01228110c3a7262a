import { expect, test } from 'vitest';
import { countLines, readToolInput } from '../../webview/session/toolInput.ts';

test.each<[unknown, ReturnType<typeof readToolInput>]>([
  [undefined, {}],
  [null, { rest: 'null' }],
  ['a', { rest: '"a"' }],
  [{}, {}],
  [{ command: 'ls' }, { command: 'ls' }],
  [
    { command: 'ls', timeout: 3 },
    { command: 'ls', rest: '{\n  "timeout": 3\n}' },
  ],
  [{ file_path: 'a', old_string: 'b', new_string: 'c' }, { edit: { path: 'a', before: 'b', after: 'c' } }],
  [{ path: 'a', replace: 'b', with: 'c' }, { edit: { path: 'a', before: 'b', after: 'c' } }],
  [{ file_path: 'a', content: 'c' }, { edit: { path: 'a', before: '', after: 'c' } }],
  [{ file_path: 'a' }, { rest: '{\n  "file_path": "a"\n}' }],
])('readToolInput(%j) is %j', (input, expected) => expect(readToolInput(input)).toEqual(expected));

test('countLines counts the lines of an edit as an editor does', () =>
  expect(countLines({ before: '', after: 'a\nb\n' })).toEqual({ removed: 0, added: 2 }));
