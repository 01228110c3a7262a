import { expect, test } from 'vitest';
import { ask, type Objection, refuse, strictest } from '../../../src/gates/tools/objection.ts';

test.each<[string, Objection[], Objection]>([
  ['none', [undefined, undefined], undefined],
  ['the first question', [undefined, ask('a'), ask('b')], ask('a')],
  ['a refusal, though a question came first', [ask('a'), refuse('b'), refuse('c')], refuse('b')],
])('%s', (_name, objections, expected) => expect(strictest(objections)).toEqual(expected));
