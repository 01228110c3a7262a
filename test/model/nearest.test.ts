import { expect, test } from 'vitest';
import { nearestNames } from '../../src/model/nearest.ts';

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
