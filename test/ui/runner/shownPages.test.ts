import { expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { PageView } from '../../../src/model/webview.ts';
import { ShownPages } from '../../../src/ui/runner/shownPages.ts';

const plan = toQualifiedId('shop/project-root');
const id = '01M8CD2Z9V22HM1254898EE801' as Ulid;

test('a visible page shows its plan with its questions, or its question; a hidden or a closed one nothing', () => {
  const pages = new ShownPages();
  let view: PageView = { plan };
  let isVisible = true;
  const page = pages.add({ isVisible: () => isVisible, view: () => view });
  expect([pages.show({ plan }), pages.show({ plan, id }), pages.show({ id })]).toEqual([true, true, false]);
  view = { page: 'question', approval: id };
  expect([pages.show({ plan }), pages.show({ plan, id }), pages.show({})]).toEqual([false, true, false]);
  view = { page: 'routing' };
  expect(pages.show({ id })).toBe(false);
  view = { plan };
  isVisible = false;
  expect(pages.show({ plan })).toBe(false);
  isVisible = true;
  page.dispose();
  expect(pages.show({ plan })).toBe(false);
});
