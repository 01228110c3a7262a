import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { icons } from '../../webview/icons.ts';

const styles = readFileSync(
  fileURLToPath(new URL('../../node_modules/@vscode/codicons/dist/codicon.css', import.meta.url)),
  'utf8',
);

test.each(Object.entries(icons))('the icon %s has the character that the font gives it', (name, character) => {
  const code = new RegExp(`\\.codicon-${name}:before \\{ content: "\\\\([0-9a-f]+)"`).exec(styles)?.[1];
  expect(character.codePointAt(0)?.toString(16)).toBe(code);
});
