import { describe, expect, test } from 'vitest';
import { expertIdProblem, expertSchema, personaBytesMax } from '../../src/model/expert.ts';

const rust = {
  'actor-type': 'expert',
  'expert-id': 'rust',
  description: 'Knows Rust and its libraries',
  persona: 'You are precise about lifetimes.',
  'knowledge-scope': ['languages/rust'],
  tags: ['rust', 'async-io'],
};

test('a minimal declaration gets defaults and keeps unknown keys', () => {
  expect(expertSchema.parse({ ...rust, colour: 'red' })).toMatchObject({
    ...rust,
    colour: 'red',
    'project-knowledge': [],
    retrieval: { strategy: 'keyword', 'max-entries': 10, 'max-bytes': 32_768 },
    dialogue: { 'max-questions': 3, 'idle-minutes': 30 },
  });
});

test.each<[string, string]>([
  ['languages/rust', 'languages/rust'],
  ['languages/rust/', 'languages/rust'],
  ['knowledge/languages/rust/', 'languages/rust'],
  ['knowledge', 'knowledge'],
  ['knowledge/**', '**'],
])('the scope %s is %s below knowledge/', (written, meant) => {
  expect(expertSchema.parse({ ...rust, 'knowledge-scope': [written] })['knowledge-scope']).toEqual([meant]);
});

test('an expert needs no tags', () => {
  expect(expertSchema.parse({ ...rust, tags: undefined }).tags).toEqual([]);
});

describe('a faulty declaration is refused, with path and reason:', () => {
  test.each<[string, object, string, RegExp]>([
    ['another actor type', { 'actor-type': 'plan' }, 'actor-type', /expert/],
    ['no description', { description: undefined }, 'description', /string/],
    [
      'a description of 121 characters',
      { description: 'x'.repeat(121) },
      'description',
      /121 characters, 1 more than the 120 allowed/,
    ],
    ['a placeholder as description', { description: 'tbd' }, 'description', /placeholder/],
    ['a blank persona', { persona: ' ' }, 'persona', /empty/],
    [
      'a persona of 8 KiB and one byte',
      { persona: `${'é'.repeat(personaBytesMax / 2)}.` },
      'persona',
      /8193 bytes; at most 8192/,
    ],
    ['an empty scope', { 'knowledge-scope': [] }, 'knowledge-scope', /at least one folder/],
    ['a scope that leaves the vault', { 'knowledge-scope': ['../secrets'] }, 'knowledge-scope.0', /leads out/],
    ['an absolute scope', { 'knowledge-scope': ['/etc'] }, 'knowledge-scope.0', /leads out/],
    ['project knowledge without a folder', { 'project-knowledge': ['Demo'] }, 'project-knowledge.0', /no folder/],
    ['an unknown strategy', { retrieval: { strategy: 'guess' } }, 'retrieval.strategy', /keyword/],
    ['zero entries', { retrieval: { 'max-entries': 0 } }, 'retrieval.max-entries', />=1/],
    ['a tag twice', { tags: ['a', 'b', 'a'] }, 'tags', /"a" stands twice/],
    ['a tag in the wrong case', { tags: ['AsyncIo'] }, 'tags.0', /lower-case/],
    ['four questions', { dialogue: { 'max-questions': 4 } }, 'dialogue.max-questions', /at most 3/],
  ])('%s', (_name, change, path, message) => {
    const { error } = expertSchema.safeParse({ ...rust, ...change });
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
      [path, expect.stringMatching(message)],
    ]);
  });
});

test.each<[string, RegExp | undefined]>([
  ['rust', undefined],
  ['distributed-systems', undefined],
  ['Rust', /lower-case/],
  ['2d', /a letter first/],
  ['', /lower-case/],
  ['router', /reserved/],
  ['uncategorized', /reserved/],
  ['x'.repeat(65), /64/],
])('expertIdProblem(%j) matches %s', (id, problem) => {
  if (problem === undefined) expect(expertIdProblem(id)).toBeUndefined();
  else expect(expertIdProblem(id)).toMatch(problem);
});
