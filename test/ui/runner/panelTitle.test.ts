import { expect, test } from 'vitest';
import { panelTitle } from '../../../src/ui/runner/panelTitle.ts';
import { id } from '../../support/fakeModel.ts';

test.each([
  ['shop', 'shop'],
  ['shop/search', 'search'],
  ['shop/search/index', 'index'],
])('the panel of %s is titled %s', (plan, title) => {
  expect(panelTitle(id(plan))).toBe(title);
});
