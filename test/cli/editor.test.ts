import { expect, test } from 'vitest';
import { namedEditor } from '../../src/cli/editor.ts';
import { failureOf } from '../support/failureOf.ts';

test.each([
  [{ VISUAL: 'code --wait', EDITOR: 'vi' }, 'code --wait'],
  [{ VISUAL: ' ', EDITOR: 'vi' }, 'vi'],
  [{ EDITOR: 'vi' }, 'vi'],
])('the environment %j names the editor "%s"', (environment, editor) => expect(namedEditor(environment)).toBe(editor));

test('without an editor the error names both variables', async () => {
  const problem = await failureOf(async () => namedEditor({ EDITOR: '' }));
  expect(problem).toMatchObject({ code: 'cli/noEditor', message: 'Neither VISUAL nor EDITOR is set to an editor.' });
});
