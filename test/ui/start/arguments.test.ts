import { expect, test } from 'vitest';
import { pathOf, planOf } from '../../../src/ui/start/arguments.ts';

const plan = 'shop/project-root';

test.each([
  [plan, plan],
  [{ plan }, plan],
  [{ id: plan }, plan],
  [{ plan: { plan } }, plan],
  ['no plan', undefined],
  [undefined, undefined],
  [{ plan: 7 }, undefined],
])('the plan of %j', (argument, expected) => expect(planOf(argument)).toBe(expected));

test.each([
  ['/code', '/code'],
  [{ fsPath: '/code' }, '/code'],
  ['', undefined],
  [{ fsPath: 7 }, undefined],
  [null, undefined],
])('the path of %j', (argument, expected) => expect(pathOf(argument)).toBe(expected));
