import { expect, test } from 'vitest';
import { checkSeal, sealView } from '../../src/vault/viewSeal.ts';

const view = sealView({ source: 'backlog.yaml', frontmatter: ['a: 1'], body: '\n# Title\n\ntext\n' });

test('sealView puts the source and a hash in the first line of the body', () => {
  expect(view).toMatch(
    /^---\na: 1\n---\n\*Ravel makes this view from backlog\.yaml; change that file instead\.\* %%sha256:[0-9a-f]{64}%%\n\n# Title/,
  );
});

test.each([
  ['an unchanged view for generated', view, 'generated'],
  ['a view with a changed letter for edited', view.replace('text', 'test'), 'edited'],
  ['a view with an added line for edited', `${view}more\n`, 'edited'],
  ['a view with changed frontmatter for edited', view.replace('a: 1', 'a: 2'), 'edited'],
  [
    'a view with a changed hash for edited',
    view.replace(/sha256:./, 'sha256:f').replace(/sha256:f/, 'sha256:0'),
    'edited',
  ],
  ['a view with other line ends for edited', view.replaceAll('\n', '\r\n'), 'edited'],
  ['a view without its seal for foreign', view.replace(/\*Ravel.*\n/, ''), 'foreign'],
  ['a file of a person for foreign', '# Backlog\n\n## Task\n', 'foreign'],
  ['an empty file for foreign', '', 'foreign'],
])('checkSeal takes %s', (_, text, state) => {
  expect(checkSeal(text)).toBe(state);
});
