import ignore from 'ignore';
import { expect, test } from 'vitest';
import { PathRules } from '../../../src/gates/policy/pathRules.ts';
import { compileLayer, ToolPolicy } from '../../../src/gates/policy/toolPolicy.ts';
import { growthOf } from '../../support/growth.ts';
import { workOf } from '../../support/workOf.ts';

const roots = { absolute: '/', home: '/people/ann', project: '/srv/demo' };

const patterns = [
  ...['*.pem', 'gen/', '/docs/**', '/src/*/a*/**', '**/a1*/**', '**/*key', '/a[0-9]b', '**', '/**', '*', '?x', '/src'],
  ...['a\\*b', '[ab]1', '**/node_modules/**/x*.ts', '/src/**/test', 'A*', '/*/lib/', '*a*', 'x**y', '/src/a1'],
];
const paths = [
  ...['a.pem', 'src/a.pem', 'gen/x', 'src/gen/x/y', 'docs', 'docs/a.md', 'src/lib/abc/d', 'src/a1', 'x/a12/y', 'mykey'],
  ...[
    'a5b',
    'bx',
    'deep/node_modules/p/q/xy.ts',
    'src/p/q/test',
    'src/test',
    'Abc',
    'abc',
    'a*b',
    'a1',
    'any/lib/x',
    'xzzy',
  ],
];

test('the index finds every rule that its pattern matches, and no other', () => {
  const rules = new PathRules<string>(false);
  for (const pattern of patterns) rules.add('project', pattern, pattern);
  for (const path of paths) {
    const file = `/srv/demo/${path}`;
    const found = [...rules.matching({ named: file, real: file }, roots, 'either')].sort();
    const expected = patterns.filter((pattern) => ignore({ ignorecase: false }).add(pattern).ignores(path)).sort();
    expect({ path, found }).toEqual({ path, found: expected });
  }
});

const judged = '/srv/demo/src/x/y/z/file.ts';

function make(rules: readonly string[]) {
  const layer = compileLayer('vault', '/vault/policy.yaml', { permissions: { deny: [...rules] } });
  return new ToolPolicy([layer], '/people/ann').for({ actor: 'a/project-root', phase: 'work' }, '/srv/demo');
}

test.each(['Read(**/a\u0001*/**)', 'Read(/src/*/a\u0001*/**)', 'Read(**/*x\u0001)', 'Read(/src/x/**/a\u0001)'])(
  'to judge a path by thousands of rules like %j takes less time than to read them',
  (unit) => {
    const texts = Array.from({ length: 5000 }, (_, n) => unit.replace('\u0001', String(n)));
    let policy = make(texts);
    const toRead = workOf(() => {
      policy = make(texts);
    });
    const toJudge = workOf(() => expect(policy.path('Read', { named: judged, real: judged })).toBeUndefined());
    expect(toJudge).toBeLessThan(toRead);
  },
);

test('to read rules and judge a path by them grows with their number alone', () => {
  const read = (text: string) => make(text.split('\n').slice(0, -1)).path('Read', { named: judged, real: judged });
  expect(growthOf(read, { unit: 'Read(**/a\u0001*/**)\n' }, { length: 16_384, enough: 24 })).toBeLessThan(24);
});

test('rules that no name leads to are limited, with the reason', () => {
  const deny = Array.from({ length: 201 }, (_, n) => `Read(/${'?'.repeat(n + 1)})`);
  const { faults } = compileLayer('vault', '/vault/policy.yaml', { permissions: { deny } });
  expect(faults).toMatchObject([
    {
      path: ['permissions', 'deny', 200],
      message: expect.stringMatching(/one rule too many.*slow down every request/),
    },
  ]);
  const everything = Array.from({ length: 300 }, (_, n) => `Edit(/part${n}/**)`);
  expect(compileLayer('vault', '/vault/policy.yaml', { permissions: { deny: everything } }).faults).toEqual([]);
});
