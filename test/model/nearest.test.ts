import { expect, test } from 'vitest';
import { nearestNames, nearestPlans } from '../../src/model/nearest.ts';

const names = ['Demo/project-root', 'Demo/project-root/parser', 'Demo/project-root/printer', 'Shop/project-root'];

function check(text: string, ...expected: string[]): void {
  expect(nearestNames(text, names)).toEqual(expected);
}

test('the nearest names come first', () => {
  check('Demo/project-root/parse', 'Demo/project-root/parser', 'Demo/project-root/printer');
  check('demo/project-root', 'Demo/project-root', 'Shop/project-root');
});

test('a text far from every name yields none', () => {
  check('nothing of the kind whatsoever');
  check('');
});

test('at most the requested number of names is returned', () => {
  expect(nearestNames('aa', ['ab', 'ac', 'ad', 'ae'], 2)).toEqual(['ab', 'ac']);
});

const plans = ['shop/project-root', 'shop/project-root/till', 'bank/project-root'];

test.each([
  ['a root plan without a similar name has none near', 'nix/project-root', []],
  ['a root plan with a typing error is near', 'shp/project-root', ['shop/project-root']],
  ['the last name of a child plan means it', 'till/project-root', ['shop/project-root/till']],
  ['a child plan with a typing error is near', 'shop/project-root/tilt', ['shop/project-root/till']],
])('%s', (_title, text, expected) => expect(nearestPlans(text, plans)).toEqual(expected));
