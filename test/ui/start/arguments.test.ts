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
])('planOf(%j) is %s', (argument, expected) => expect(planOf(argument)).toBe(expected));

test.each([
  ['/code', '/code'],
  [{ fsPath: '/code' }, '/code'],
  ['', undefined],
  [{ fsPath: 7 }, undefined],
  [null, undefined],
])('pathOf(%j) is %s', (argument, expected) => expect(pathOf(argument)).toBe(expected));
