import { expect, test } from 'vitest';
import { checkSeal, sealView } from '../../src/vault/viewSeal.ts';

const view = sealView({ source: 'backlog.yaml', frontmatter: ['a: 1'], body: '\n# Title\n\ntext\n' });

test('the first line of the body names the source and a hash', () => {
  expect(view).toMatch(
    /^---\na: 1\n---\n\*Ravel makes this view from backlog\.yaml; change that file instead\.\* %%sha256:[0-9a-f]{64}%%\n\n# Title/,
  );
});

test.each([
  ['as generated', view, 'generated'],
  ['a letter in the body', view.replace('text', 'test'), 'edited'],
  ['a line at the end', `${view}more\n`, 'edited'],
  ['the frontmatter', view.replace('a: 1', 'a: 2'), 'edited'],
  ['the hash', view.replace(/sha256:./, 'sha256:f').replace(/sha256:f/, 'sha256:0'), 'edited'],
  ['line ends', view.replaceAll('\n', '\r\n'), 'edited'],
  ['without the line', view.replace(/\*Ravel.*\n/, ''), 'foreign'],
  ['of a person', '# Backlog\n\n## Task\n', 'foreign'],
  ['empty', '', 'foreign'],
])('%s', (_, text, state) => {
  expect(checkSeal(text)).toBe(state);
});
