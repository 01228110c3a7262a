import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { givenForGoal, missingFacts } from '../bench/planQuality.ts';
import { type PlanCase, planCases } from '../bench/planQualityCases.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const prompts = resolve(import.meta.dirname, '../../prompts');

const small: PlanCase = {
  name: 'small',
  goal: 'Greet in French',
  files: {
    'README.md': '# Greeter\n\nTests: `make test`.\n',
    'src/greet.c': 'int greet(void); /* English alone */\n',
    'notes/words.txt': 'bonjour\n',
    '.gitignore': 'private/\n',
    'private/plan.txt': 'never shown\n',
  },
  needs: [
    { need: 'the function changes', facts: ['int greet(void)', 'English alone'] },
    { need: 'the words', facts: ['bonjour'] },
  ],
};

test('facts count as known if they are in the prompt or in a file that the tools of the session show', async () => {
  const given = await givenForGoal(small, { folder: await makeTemporaryDirectory(), prompts });
  expect(missingFacts(small, given)).toEqual([]);
  expect(given.prompt).toContain('Tests: `make test`.');
  expect(given.prompt).not.toContain('English alone');
});

test('a fact that is only in an ignored file, or nowhere, is missing', async () => {
  const hidden = { ...small, needs: [{ need: 'the secret plan', facts: ['never shown', 'bonjour', 'hola'] }] };
  const given = await givenForGoal(hidden, { folder: await makeTemporaryDirectory(), prompts });
  expect(missingFacts(hidden, given)).toEqual(['the secret plan: never shown', 'the secret plan: hola']);
});

test.each(planCases)(
  'every fact of the list for $name is in its repository, so that no list asks for too much',
  (one) => {
    const plans = (one.plans ?? []).flatMap(({ description, tasks }) => [description, ...tasks]);
    const said = [...Object.entries(one.files).flat(), ...(one.commits ?? []), ...plans].join('\n');
    expect(one.needs.flatMap(({ facts }) => facts.filter((fact) => !said.includes(fact)))).toEqual([]);
    // The goal alone must not answer them.
    expect(one.needs.flatMap(({ facts }) => facts.filter((fact) => one.goal.includes(fact)))).toEqual([]);
  },
);
