import { expect, test } from 'vitest';
import { ask, type Objection, refuse, strictest } from '../../../src/gates/tools/objection.ts';

test.each<[string, Objection[], Objection]>([
  ['strictest returns nothing if there is no objection', [undefined, undefined], undefined],
  ['strictest returns the first question', [undefined, ask('a'), ask('b')], ask('a')],
  ['strictest prefers a refusal to an earlier question', [ask('a'), refuse('b'), refuse('c')], refuse('b')],
])('%s', (_name, objections, expected) => expect(strictest(objections)).toEqual(expected));
