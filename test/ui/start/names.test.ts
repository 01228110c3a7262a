import { expect, test } from 'vitest';
import {
  categoryProblem,
  descriptionMessage,
  planNameProblem,
  projectNameProblem,
  titleProblem,
  vaultNameProblem,
} from '../../../src/ui/start/names.ts';

const parent = 'shop/project-root';

test.each<[string, string | undefined, string | undefined]>([
  ['a vault', vaultNameProblem('My vault'), undefined],
  ['a vault without a name', vaultNameProblem('  '), 'Give the folder a name.'],
  [
    'a vault below another folder',
    vaultNameProblem('a/b'),
    'The name of one folder: no slash, no backslash, no colon.',
  ],
  ['a vault that climbs out', vaultNameProblem('..'), 'A name that starts with a dot would be hidden.'],
  [
    'a vault with a control character',
    vaultNameProblem('a\u0007'),
    'The part "a\u0007" holds a character that no path may hold.',
  ],
  ['a project', projectNameProblem('shop'), undefined],
  ['a project with a slash', projectNameProblem('a/b'), 'A plan id has the form <project>/project-root[/<child>...].'],
  ['a plan', planNameProblem('price rounding', parent, ['search']), undefined],
  ['a plan without a name', planNameProblem('', parent, []), 'Give the plan a name, such as search or price-rounding.'],
  [
    'two names at once',
    planNameProblem('a/b', parent, []),
    'One name: choose the plan above it first, then name this one.',
  ],
  ['a plan that is there', planNameProblem('Search', parent, ['search']), 'There is a plan "search" already.'],
  [
    'the reserved name',
    planNameProblem('project-root', parent, []),
    '"project-root" stands only once, right after the project.',
  ],
  ['a description', descriptionMessage('Finding things in the shop'), undefined],
  ['no description', descriptionMessage(' '), 'One sentence that names the lasting scope, of at most 120 characters.'],
  [
    'a long description',
    descriptionMessage('x'.repeat(125)),
    'The description has 125 characters, 5 more than the 120 allowed.',
  ],
  ['a placeholder', descriptionMessage('tbd'), '"tbd" is a placeholder.'],
  ['a title', titleProblem('Round prices'), undefined],
  ['no title', titleProblem(''), 'Say in a few words what is to be done.'],
  ['a long title', titleProblem('x'.repeat(201)), 'The title has 201 characters; 200 are allowed.'],
  ['a category', categoryProblem('bug'), undefined],
  ['no category', categoryProblem(' '), 'Give it a category, such as bug or feature.'],
])('%s', (_name, problem, expected) => expect(problem).toBe(expected));
