import { describe, expect, test } from 'vitest';
import { escapeTokens, promptPhase, resolvePathTokens, unknownPathTokens } from '../../src/imports/pathTokens.ts';

describe('resolvePathTokens makes paths relative to the project:', () => {
  test.each([
    ['{{PROJECT}}/docs/a.md', 'docs/a.md'],
    ['`{{PROJECT}}/a` and `{{DEV_ROOT}}/b`', '`a` and `../b`'],
    ['{{PLAN}}/memory.md', 'ravel/project-root/a/memory.md'],
    ['in {{PROJECT}}.', 'in ..'],
    ['in {{PROJECT}}/ and {{PLAN}}', 'in ./ and ravel/project-root/a'],
    ['the token `{{PROJECT}}` itself', 'the token `{{PROJECT}}` itself'],
    ['{{PROMPTS}}/a {{project}}/b {PROJECT}/c', '{{PROMPTS}}/a {{project}}/b {PROJECT}/c'],
    ['{{{{PROJECT}}/PLAN}}', '{{PLAN}}'],
  ])('%s', (text, expected) => expect(resolvePathTokens(text, 'ravel/project-root/a')).toBe(expected));
});

test('unknownPathTokens lists unknown tokens that begin a path, once each', () => {
  expect(unknownPathTokens('{{PROMPTS}}/a {{PROMPTS}}/b {{ORCHESTRATOR}}/c {{VAULT_CATALOG}}')).toEqual([
    'ORCHESTRATOR',
    'PROMPTS',
  ]);
});

test.each([
  ['prompt-work.md', 'work'],
  ['prompt-compact.md', 'dream'],
  ['prompt-git-commit-work.md', undefined],
  ['prompt-later.md', undefined],
  ['work.md', undefined],
])('promptPhase(%j) is %s', (file, phase) => expect(promptPhase(file)).toBe(phase));

test('escapeTokens turns a token the phase does not have into a plain word', () => {
  const { text, escaped } = escapeTokens('{{TASK}} {{TOOL_READ}} {{LATEST_SESSION}} {{a-b}} {{TOOL_READ}}', 'work');
  expect(text).toBe('{{TASK}} TOOL_READ LATEST_SESSION {{a-b}} TOOL_READ');
  expect(escaped).toEqual(['LATEST_SESSION', 'TOOL_READ']);
});
