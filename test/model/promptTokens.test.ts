import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseTemplate } from '../../src/harness/promptTemplate.ts';
import { reasoningPhases } from '../../src/model/phase.ts';
import {
  consultationTokens,
  isPromptToken,
  type PromptToken,
  phaseTokens,
  promptTokens,
  systemTokens,
} from '../../src/model/promptTokens.ts';

function check(file: string, expected: readonly PromptToken[]) {
  const text = readFileSync(new URL(`../../prompts/${file}`, import.meta.url), 'utf8');
  expect(parseTemplate(text, `prompts/${file}`).tokens).toEqual(expected);
}

test.each(reasoningPhases)('the prompt of %s uses exactly the tokens of its phase', (phase) =>
  check(`${phase}.md`, phaseTokens[phase]),
);

test('the system prompt uses exactly its own tokens', () => check('system.md', systemTokens));

test.each(['memory-style.md', 'confined/none.md', 'confined/ask.md', 'confined/open.md'])(
  '%s is plain text, since it is itself a value',
  (file) => check(file, []),
);

test('every token is used by some prompt', () => {
  const used = new Set([...systemTokens, ...Object.values(phaseTokens).flat()]);
  expect([...used].sort()).toEqual(promptTokens);
});

test('every token of consultations is used by one of their prompts', () => {
  const routing = readdirSync(new URL('../../prompts/routing', import.meta.url)).map((name) => `routing/${name}`);
  const texts = ['consultation.md', 'answer.md', 'expert.md', 'absorb.md', 'horizon.md', 'plan.md', ...routing].map(
    (file) => readFileSync(new URL(`../../prompts/${file}`, import.meta.url), 'utf8'),
  );
  const used = new Set<string>(texts.flatMap((text) => parseTemplate(text, 'prompts').tokens));
  expect(consultationTokens.filter((token) => !used.has(token))).toEqual([]);
});

test.each<[string, boolean]>([
  ['TASK', true],
  ['task', false],
  ['TASKS', false],
])('isPromptToken(%j) is %s', (text, expected) => expect(isPromptToken(text)).toBe(expected));

// Reflect sees no backlog, dream sees only the memory, and the analysis sees no memory.
test('a prompt has no token for a file its phase must not see', () => {
  expect(phaseTokens.reflect).not.toContain('BACKLOG');
  expect(phaseTokens.dream.filter((token) => !token.startsWith('MEMORY'))).toEqual(['ANSWERS', 'ATTEMPT_NOTE']);
  expect(phaseTokens['analyse-work']).not.toContain('MEMORY');
});
