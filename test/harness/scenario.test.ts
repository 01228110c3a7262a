import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { loadScenario, parseScenario, stepsOf } from '../../src/harness/scenario.ts';
import type { SessionPurpose } from '../../src/model/sessionPurpose.ts';

function steps(source: string): unknown {
  const body = source.replaceAll('\n', '\n      ');
  const { scenario, diagnostics } = parseScenario(`version: 1\nphases:\n  work:\n    - ${body}\n`, 'demo.yaml');
  expect(diagnostics).toEqual([]);
  return scenario?.phases.work?.[0];
}

function problems(source: string): string[] {
  const { scenario, diagnostics } = parseScenario(source, 'demo.yaml');
  expect(scenario).toBeUndefined();
  return diagnostics.map(({ code, message, range }) => {
    expect(code).toBe('harness/badScenario');
    return `${(range?.start.line ?? -2) + 1}: ${message}`;
  });
}

test.each(['[', '- ', '{a: '])('a file of many %s is refused before it is parsed', (open) => {
  expect(problems(open.repeat(5000))).toEqual(['-1: the file is nested too deeply to be read']);
});

test('refuses a scenario that is too large before it is parsed', () => {
  const refusal = '-1: the file has 262145 characters, and a scenario has at most 262144; split it';
  expect(problems('#'.repeat(262_145))).toEqual([refusal]);
  expect(problems(']'.repeat(60_000))).toEqual(['-1: the file has more than 24576 keys, values and marks; split it']);
});

describe('a step', () => {
  const rows: readonly [string, unknown][] = [
    ['say: hello', { kind: 'say', text: 'hello' }],
    ['call: backlog_list', { kind: 'call', tool: 'backlog_list', input: {}, expect: 'ok' }],
    [
      'call: memory_add\nwith: { title: A }\nexpect: refused',
      { kind: 'call', tool: 'memory_add', input: { title: 'A' }, expect: 'refused' },
    ],
    ['edit: { path: a.ts, content: "" }', { kind: 'edit', path: 'a.ts', content: '' }],
    ['edit: { path: a.ts, replace: x, with: y }', { kind: 'edit', path: 'a.ts', replace: 'x', with: 'y' }],
    ['run: { command: node test.js }', { kind: 'run', command: 'node test.js' }],
    ['read: { path: a.ts }', { kind: 'read', path: 'a.ts' }],
    [
      'usage: { input-tokens: 10, output-tokens: 2, cost-usd: 0.01 }',
      { kind: 'usage', inputTokens: 10, outputTokens: 2, costUsd: 0.01 },
    ],
    ['usage: {}', { kind: 'usage', inputTokens: 0, outputTokens: 0 }],
    ['wait: 200ms', { kind: 'wait', durationMs: 200 }],
    ['wait: 1.5s', { kind: 'wait', durationMs: 1500 }],
    [
      'finish: { outcome: done, summary: It works. }',
      { kind: 'finish', outcome: 'done', summary: 'It works.', expect: 'ok' },
    ],
    [
      'finish: { outcome: done, summary: Lies. }\nexpect: refused',
      { kind: 'finish', outcome: 'done', summary: 'Lies.', expect: 'refused' },
    ],
    ['exit: 3', { kind: 'exit', code: 3 }],
    ['crash: SIGSEGV', { kind: 'crash', signal: 'SIGSEGV' }],
    ['flood: { megabytes: 50, to: stderr }', { kind: 'flood', megabytes: 50, to: 'stderr' }],
    ['hang: true', { kind: 'hang' }],
  ];
  test.each(rows)('the step “%s” is parsed as %j', (source, expected) => expect(steps(source)).toEqual(expected));
});

describe('a scenario error names its line for', () => {
  const rows: readonly [string, string, string[]][] = [
    [
      'broken syntax',
      'version: 1\nphases: [',
      ['2: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
    ['a wrong version', 'version: 2\nphases: {}', ['1: version: Invalid input: expected 1']],
    ['an unknown key', 'version: 1\nphases: {}\nspeed: 3', ['1: Unrecognized key: "speed"']],
    ['a code phase', 'version: 1\nphases:\n  git-commit-work: []', ['3: phases: Unrecognized key: "git-commit-work"']],
    [
      'an unknown step',
      'version: 1\nphases:\n  work:\n    - dance: true',
      ['4: phases.work.0: a step is a mapping with exactly one of'],
    ],
    [
      'two steps in one',
      'version: 1\nphases:\n  work:\n    - say: a\n    - say: b\n      read: { path: c }',
      ['5: phases.work.1: a step is a mapping with exactly one of'],
    ],
    [
      'a misspelt field',
      'version: 1\nphases:\n  work:\n    - call: x\n      wiht: {}',
      ['4: phases.work.0: Unrecognized key: "wiht"'],
    ],
    [
      'half an edit',
      'version: 1\nphases:\n  work:\n    - edit:\n        path: a\n        replace: b',
      ['5: phases.work.0.edit: with: Invalid input'],
    ],
    [
      'a wait without a unit',
      'version: 1\nphases:\n  work:\n    - wait: "20"',
      ['4: phases.work.0.wait: a wait is a number'],
    ],
    [
      'an empty summary',
      'version: 1\nphases:\n  work:\n    - finish: { outcome: done, summary: " " }',
      ['4: phases.work.0.finish.summary: '],
    ],
    ['an alias', 'version: 1\nphases:\n  work: &a [say: x]\n  triage: *a', ['4: a scenario has no aliases']],
    ['a list instead of a mapping', '- 1', ['1: Invalid input: expected object']],
    ['an empty file', '', ['-1: Invalid input: expected object']],
  ];
  test.each(rows)('%s', (_name, source, expected) => {
    const found = problems(source);
    expect(found).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(found[index]).toContain(start);
  });
});

const nested =
  'version: 1\nphases:\n  work:\n    - call: x\n      with: { id: "${task}", deep: ["a ${task} b ${HOME}"] }';

test('only the task token is filled in, at any depth', () => {
  const { scenario } = parseScenario(nested, 'demo.yaml');
  if (scenario === undefined) throw new Error('the scenario did not parse');
  const played = (purpose: SessionPurpose, task?: string) => stepsOf(scenario, { purpose, task, prompt: '' });
  expect(played('work', 'mend-$&')).toMatchObject([{ input: { id: 'mend-$&', deep: ['a mend-$& b ${HOME}'] } }]);
  expect(played('work')).toEqual(scenario.phases.work);
  expect(played('triage', 'mend')).toBeUndefined();
});

const asked = `
version: 1
consultations:
  route:
    - when: about invoices
      steps: [{ say: billing }]
    - when: about stock
      steps: [{ say: warehouse }]
    - steps: [{ say: nobody }]
  answer:
    - when: about invoices
      steps: [{ say: yes }]
`;

const alternatives: readonly (readonly [SessionPurpose, string, string | undefined])[] = [
  ['route', 'a message about invoices and about stock', 'billing'],
  ['route', 'a message about stock', 'warehouse'],
  ['route', 'a message', 'nobody'],
  ['answer', 'a question about invoices', 'yes'],
  ['answer', 'a question', undefined],
  ['check', 'a message about invoices', undefined],
  ['work', 'a message about invoices', undefined],
];

test.each(alternatives)('a scripted %s session asked “%s” says %s', (purpose, prompt, said) => {
  const { scenario, diagnostics } = parseScenario(asked, 'demo.yaml');
  expect(diagnostics).toEqual([]);
  if (scenario === undefined) throw new Error('the scenario did not parse');
  const steps = stepsOf(scenario, { purpose, prompt });
  expect(steps).toEqual(said === undefined ? undefined : [{ kind: 'say', text: said }]);
});

test('a missing scenario file is a missing scenario', async () => {
  await expect(loadScenario(nodeDisk, '/nowhere/scenario.yaml')).rejects.toMatchObject({ code: 'harness/noScenario' });
});
