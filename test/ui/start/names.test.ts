import { expect, test } from 'vitest';
import {
  categoryProblem,
  descriptionMessage,
  goalMessage,
  planNameProblem,
  projectNameMessage,
  titleProblem,
  vaultNameProblem,
} from '../../../src/ui/start/names.ts';

const parent = 'shop/project-root';

test.each<[string, string | undefined, string | undefined]>([
  ['a valid vault name', vaultNameProblem('My vault'), undefined],
  ['an empty vault name', vaultNameProblem('  '), 'Give the folder a name.'],
  [
    'a vault name with a slash',
    vaultNameProblem('a/b'),
    'Enter the name of one folder, without slashes, backslashes and colons.',
  ],
  ['a vault name of dots', vaultNameProblem('..'), 'A name that starts with a dot would be hidden.'],
  [
    'a vault name with a control character',
    vaultNameProblem('a\u0007'),
    'The part "a\u0007" has a character that a path cannot have.',
  ],
  ['a valid project name', projectNameMessage('shop'), undefined],
  ['a project name with a slash', projectNameMessage('a/b'), 'It holds a slash.'],
  [
    'the name of root plans for a project',
    projectNameMessage(' project-root '),
    'The name "project-root" is reserved for root plans.',
  ],
  ['a valid plan name', planNameProblem('price rounding', parent, ['search']), undefined],
  ['an empty plan name', planNameProblem('', parent, []), 'Give the plan a name, such as search or price-rounding.'],
  [
    'a plan name with a slash',
    planNameProblem('a/b', parent, []),
    'Enter one name without slashes. You choose its parent plan separately.',
  ],
  [
    'the name of an existing plan in other case',
    planNameProblem('Search', parent, ['search']),
    'A plan "search" already exists.',
  ],
  [
    'the reserved plan name',
    planNameProblem('project-root', parent, []),
    '"project-root" stands only once, right after the project.',
  ],
  ['a valid description', descriptionMessage('Finding things in the shop'), undefined],
  [
    'a blank description',
    descriptionMessage(' '),
    'One sentence that names the lasting scope, of at most 120 characters.',
  ],
  [
    'a description of 125 characters',
    descriptionMessage('x'.repeat(125)),
    'The description has 125 characters, 5 more than the 120 allowed.',
  ],
  ['a placeholder as description', descriptionMessage('tbd'), '"tbd" is a placeholder.'],
  ['a goal of several words', goalMessage('Search by colour'), undefined],
  [
    'a goal of one word',
    goalMessage(' Search '),
    '"Search" is one word: say in a sentence what is to be true in the end.',
  ],
  ['a valid title', titleProblem('Round prices'), undefined],
  ['an empty title', titleProblem(''), 'Describe the work in a few words.'],
  ['a title of 201 characters', titleProblem('x'.repeat(201)), 'The title has 201 characters; 200 are allowed.'],
  ['a valid category', categoryProblem('bug'), undefined],
  ['a blank category', categoryProblem(' '), 'Give it a category, such as bug or feature.'],
])('%s gets the expected message, or none if it is valid', (_name, problem, expected) =>
  expect(problem).toBe(expected),
);
