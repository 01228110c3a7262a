import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import { parseTemplate, renderTemplate } from '../../src/harness/promptTemplate.ts';
import { foreign, ownWords } from '../../src/model/promptText.ts';
import { promptTokens } from '../../src/model/promptTokens.ts';
import { linesOutside } from '../support/fences.ts';

type Values = Readonly<Record<string, string>>;

const own = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([token, text]) => [token, ownWords(text)]));

function check(text: string, values: Values, expected: string) {
  const { text: rendered, parts } = renderTemplate(parseTemplate(text, 'prompts/p.md'), own(values));
  expect(rendered).toBe(expected);
  expect(parts.map((part) => part.text).join('')).toBe(expected);
}

function checkRefused(text: string, values: Values, expected: { message: string; range?: unknown }) {
  try {
    renderTemplate(parseTemplate(text, 'prompts/p.md'), own(values));
    expect.unreachable('the template was rendered');
  } catch (error) {
    if (!isRavelError(error, 'prompt/badToken')) throw error;
    expect(error.diagnostic).toMatchObject({ subject: 'prompts/p.md', file: 'prompts/p.md', ...expected });
  }
}

describe('rendering a prompt template', () => {
  test.each<[string, string, Values, string]>([
    ['keeps a text without tokens', 'plain\n', {}, 'plain\n'],
    ['keeps an empty text', '', {}, ''],
    ['inserts a value', 'do {{TASK}}!', { TASK: 'it' }, 'do it!'],
    ['inserts a value twice', '{{PLAN}}{{PLAN}}', { PLAN: 'p' }, 'pp'],
    ['inserts an empty value', 'a{{ATTEMPT_NOTE}}b', { ATTEMPT_NOTE: '' }, 'ab'],
    [
      'keeps text that only looks like a token',
      '{{not-a-token}} {TASK} { {TASK} }',
      {},
      '{{not-a-token}} {TASK} { {TASK} }',
    ],
    ['keeps a third brace as text', '{{{PLAN}}}', { PLAN: 'p' }, '{p}'],
    ['does not expand a value that names its own token', '{{TASK}}', { TASK: '{{TASK}}' }, '{{TASK}}'],
    [
      'does not expand a value that names another token',
      '{{TASK}} {{PLAN}}',
      { TASK: '{{PLAN}} {{X}}', PLAN: '$& $1' },
      '{{PLAN}} {{X}} $& $1',
    ],
    [
      'does not expand a token that two values form together',
      '{{TASK}}{{PLAN}}',
      { TASK: '{{PHA', PLAN: 'SE}}' },
      '{{PHASE}}',
    ],
  ])('%s', (_name, text, values, expected) => check(text, values, expected));

  test('says which part came from which token', () => {
    const template = parseTemplate('a {{TASK}} b{{ATTEMPT_NOTE}}{{PLAN}}', 'p.md');
    expect(template.tokens).toEqual(['ATTEMPT_NOTE', 'PLAN', 'TASK']);
    expect(renderTemplate(template, own({ TASK: 't', PLAN: 'p', ATTEMPT_NOTE: '' })).parts).toEqual([
      { name: 'template', text: 'a ' },
      { name: 'TASK', text: 't' },
      { name: 'template', text: ' b' },
      { name: 'PLAN', text: 'p' },
    ]);
  });

  const values = fc.record(Object.fromEntries(promptTokens.map((token) => [token, fc.string()])));
  test('inserts any value unchanged', () =>
    fc.assert(
      fc.property(values, (given) => {
        const text = promptTokens.map((token) => `${token}: {{${token}}}\n`).join('');
        check(text, given, promptTokens.map((token) => `${token}: ${given[token]}\n`).join(''));
      }),
    ));
});

describe('what others wrote', () => {
  const word = fc.constantFrom(
    '```',
    '````',
    '~~~',
    '`',
    '\n',
    '\r\n',
    '\r',
    ' ',
    'text',
    '# Heading',
    '\u2028',
    '\u{e0041}',
  );
  const hostile = fc.oneof(
    fc.array(word).map((words) => words.join('')),
    fc.string({ unit: 'binary' }),
  );
  const templates = [
    '{{README}}',
    'a {{README}} b',
    '{{README}}{{MEMORY}}',
    '# A\n\n{{README}}\n\n# B\n',
    '- {{README}}\n  x',
  ];

  test('never leaves its fence, wherever a template puts it', () =>
    fc.assert(
      fc.property(fc.constantFrom(...templates), hostile, hostile, (template, first, second) => {
        const marked = (text: string) => foreign('text', `${text}\nMARK\n${text}`);
        const values = { README: marked(first), ...(template.includes('MEMORY') && { MEMORY: marked(second) }) };
        const { text } = renderTemplate(parseTemplate(template, 'p.md'), values);
        expect(text).toContain('MARK');
        const own = linesOutside(text)
          .map((line) => line.trim())
          .filter((line) => line !== '');
        expect(own.join(' ')).toBe(
          template
            .replaceAll(/\{\{\w+\}\}/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        );
      }),
    ));
});

describe('rendering a prompt template is refused', () => {
  test.each<[string, string, Values, { message: string; range?: unknown }]>([
    [
      'for unknown tokens, sorted, each once',
      'x\n {{ZEBRA}} {{TASK}} {{APPLE}} {{ZEBRA}}',
      { TASK: 't' },
      {
        message: 'prompts/p.md has tokens that do not exist: APPLE, ZEBRA',
        range: { start: { line: 1, character: 20 }, end: { line: 1, character: 29 } },
      },
    ],
    ['for a token in lower case', '{{task}}', {}, { message: 'prompts/p.md has tokens that do not exist: task' }],
    ['for missing values', '{{TASK}} {{PLAN}}', {}, { message: 'prompts/p.md has no value for PLAN, TASK' }],
    ['for unused values', 'x', { TASK: '', PLAN: '' }, { message: 'prompts/p.md does not use PLAN, TASK' }],
    [
      'for missing and unused values at once',
      '{{TASK}}',
      { PLAN: 'p' },
      { message: 'prompts/p.md has no value for TASK and does not use PLAN' },
    ],
  ])('%s', (_name, text, values, expected) => checkRefused(text, values, expected));
});
