import { expect, test } from 'vitest';
import { namedEditor } from '../../src/cli/editor.ts';
import { failureOf } from '../support/failureOf.ts';

test.each([
  [{ VISUAL: 'code --wait', EDITOR: 'vi' }, 'code --wait'],
  [{ VISUAL: ' ', EDITOR: 'vi' }, 'vi'],
  [{ EDITOR: 'vi' }, 'vi'],
])('%j names %s', (environment, editor) => expect(namedEditor(environment)).toBe(editor));

test('without one both variables are named', async () => {
  const problem = await failureOf(async () => namedEditor({ EDITOR: '' }));
  expect(problem).toMatchObject({ code: 'cli/noEditor', message: 'Neither VISUAL nor EDITOR names an editor.' });
});
