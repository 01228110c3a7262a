import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseExpert } from '../../src/vault/expertStore.ts';

const usual = {
  description: 'Knows Rust',
  kind: 'expert',
  'schema-version': 1,
  tags: ['rust', 'async'],
  scope: { tier2: ['knowledge/languages/rust/**'], tier1: ['*/knowledge/rust/**', 'greeter/ravel/knowledge/rust'] },
  retrieval: { strategy: 'keyword_section', top_n: 6, max_bytes_per_entry: 1000 },
  model: null,
  dialogue: { allow_clarifying_questions: true, max_clarification_rounds: 2 },
};

const parse = (fields: object, body = '# Persona\n\nYou are precise.\n') =>
  parseExpert('rust', `---\n${stringify({ ...usual, ...fields })}---\n${body}`, 'rust.md');

test('a declaration of the older form is read as one of the present form', () => {
  const { expert, diagnostics } = parse({});
  expect(diagnostics).toEqual([]);
  expect(expert).toMatchObject({
    actor: 'expert:rust',
    body: '',
    expert: {
      persona: '# Persona\n\nYou are precise.',
      'knowledge-scope': ['languages/rust/**'],
      'project-knowledge': ['*/rust/**', 'greeter/rust'],
      retrieval: { strategy: 'keyword', 'max-entries': 6, 'max-bytes': 6000 },
      dialogue: { 'max-questions': 2, 'idle-minutes': 30 },
    },
  });
});

test('what it does not say has its own defaults', () => {
  const { expert } = parse({
    retrieval: { strategy: 'keyword_section' },
    dialogue: { allow_clarifying_questions: false },
  });
  expect(expert?.expert).toMatchObject({
    retrieval: { 'max-entries': 8, 'max-bytes': 8 * 4096 },
    dialogue: { 'max-questions': 0 },
  });
});

describe('a fault of it is told by the key that the file has', () => {
  test.each<[string, object, string, string?]>([
    ['a scope without folders', { scope: { tier2: [] } }, 'scope.tier2: it needs at least one folder'],
    ['a scope that leads out', { scope: { tier2: ['../x'] } }, 'scope.tier2.0: "../x" leads out'],
    ['an unknown strategy', { retrieval: { strategy: 'vector' } }, 'retrieval.strategy'],
    [
      'too many questions back',
      { dialogue: { max_clarification_rounds: 4 } },
      'dialogue.max_clarification_rounds: at most 3',
    ],
    ['a tag twice', { tags: ['a', 'a'] }, 'tags: the tag "a" stands twice'],
    ['a tag in capitals', { tags: ['Rust'] }, 'tags.0: a tag is lower-case'],
    ['121 characters', { description: 'x'.repeat(121) }, 'description'],
    ['a long persona', {}, 'the text below the frontmatter: the persona has', 'x'.repeat(8 * 1024 + 1)],
    ['no persona', {}, 'the text below the frontmatter: the persona is empty', '\n'],
  ])('%s', (_name, fields, message, body) => {
    const { expert, diagnostics } = parse(fields, body);
    expect(expert).toBeUndefined();
    expect(diagnostics.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
  });
});
