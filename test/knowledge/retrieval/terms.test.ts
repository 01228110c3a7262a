import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TermReader } from '../../../src/knowledge/retrieval/terms.ts';

function termsOf(text: string, reader = new TermReader()) {
  const found: { readonly parts: string[]; readonly wholes: string[] } = { parts: [], wholes: [] };
  reader.eachTerm(text, (term, isWhole) => (isWhole ? found.wholes : found.parts).push(term));
  return { parts: found.parts.join(' '), wholes: found.wholes.join(' ') };
}

function check(text: string, parts: string, wholes: string) {
  expect(termsOf(text)).toEqual({ parts, wholes });
}

test.each<[string, string, string, string]>([
  ['words by their stems, without stop words', 'The refunds are paid', 'refund paid', ''],
  ['a name in camel case', 'readPlanFile', 'read plan file', 'readplanfil'],
  ['the same name with underscores', 'read_plan_file', 'read plan file', 'readplanfil'],
  ['the same name with hyphens', 'read-plan-file', 'read plan file', 'readplanfil'],
  ['an acronym within a name', 'HTTPServer', 'http server', 'httpserver'],
  ['a path', 'src/plans/runState.ts', 'src plan run state ts', 'src/plans/runstate.ts runstate.ts runstat'],
  ['a path of Windows', 'src\\plans', 'src plan', 'src/plans'],
  ['a place in a file', 'src/a1.ts:12', 'src a1 ts 12', 'src/a1.ts a1.ts'],
  ['an error code', 'E_FOO-12', 'e foo 12', 'efoo12'],
  ['a version', '1.2.3', '1 2 3', '1.2.3 1.2'],
  ['a version with its letter', 'v1.2.3', 'v1 2 3', '1.2.3 1.2'],
  ['a date', '2026-04-23', '2026 04 23', '2026-04-23'],
  ['a function of a module', 'config::load()', 'config load', 'config.load'],
  ['the end of a sentence', 'See refund. Then', 'refund', ''],
  ['a language', 'C++ and C#', 'c++ c#', ''],
  ['Chinese by characters and pairs', '退款单', '退 款 单', '退款 款单'],
  ['Chinese beside Latin letters', 'API接口', 'api 接 口', '接口 api接口'],
  ['Arabic without its article', 'الكتاب', 'كتاب', ''],
  ['accents', 'Café', 'cafe', ''],
  ['signs alone', '-- // :: .. __', '', ''],
  ['what is too long for a word', 'x'.repeat(65), '', ''],
])('%s', (_what, text, parts, wholes) => check(text, parts, wholes));

test('a reader that remembers words reads the same as a new one', () => {
  const reader = new TermReader();
  return fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(termsOf(text, reader)).toEqual(termsOf(text));
    }),
  );
});
