import { describe, expect, test } from 'vitest';
import {
  disarmTokens,
  promptPhase,
  resolvePathTokens,
  unknownPathTokens,
} from '../../../src/vault/imports/pathTokens.ts';

describe('path tokens become paths from the project', () => {
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

test('tokens that begin a path and lead nowhere are told once each', () => {
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
])('%s is for %s', (file, phase) => expect(promptPhase(file)).toBe(phase));

test('a token that the phase is not given becomes a word', () => {
  const { text, disarmed } = disarmTokens('{{TASK}} {{TOOL_READ}} {{LATEST_SESSION}} {{a-b}} {{TOOL_READ}}', 'work');
  expect(text).toBe('{{TASK}} TOOL_READ LATEST_SESSION {{a-b}} TOOL_READ');
  expect(disarmed).toEqual(['LATEST_SESSION', 'TOOL_READ']);
});
