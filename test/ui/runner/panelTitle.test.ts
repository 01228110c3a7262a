import { expect, test } from 'vitest';
import { panelTitle } from '../../../src/ui/runner/panelTitle.ts';
import { id } from '../../support/fakeModel.ts';

test.each([
  ['shop', 'shop'],
  ['shop/search', 'search'],
  ['shop/search/index', 'index'],
])('the page of %s is called %s', (plan, title) => {
  expect(panelTitle(id(plan))).toBe(title);
});
