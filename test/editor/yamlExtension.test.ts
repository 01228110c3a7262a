import { expect, test } from 'vitest';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld({
  content: {
    plan: {
      'backlog.yaml': [
        'tasks:',
        '- id: a',
        '  title: A',
        '  category: x',
        '  status: nonsense',
        '- id: b',
        '  title: B',
        '  category: x',
        '  status: done',
        '  results: Fine.',
        '- id: b',
        '  title: Again',
        '  category: x',
        '  status: done',
        '',
      ].join('\n'),
    },
  },
  host: { others: ['redhat.vscode-yaml'] },
});

test('Ravel leaves a problem of the schema to the YAML extension if that is installed, and reports its own', async () => {
  const window = await editor.window();
  await window.openFile('projects/greeter/project-root/backlog.yaml');
  await window.keys('Control+Shift+M');
  const problems = window.page.locator('.markers-panel');
  await problems.getByText('the id "b" is on line').first().waitFor();
  // Such an extension has the schema of the status from our manifest.
  expect(await problems.getByText('is not a status').count()).toBe(0);
});
