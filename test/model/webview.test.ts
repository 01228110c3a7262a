import { describe, expect, test } from 'vitest';
import { requestSchemas } from '../../src/model/protocol.ts';
import { foreignParameter, pageRequests, toEditorLine, toPageLine, toRunnerView } from '../../src/model/webview.ts';

const target = (value: unknown) => toPageLine({ type: 'open', target: value });

describe('toPageLine', () => {
  test.each([
    { type: 'ready', protocol: 1 },
    { type: 'request', id: 0, name: 'status', params: { plan: 'a' } },
    { type: 'cancel', id: 3 },
    { type: 'draft', key: 'note/a', text: 'Mind' },
    { type: 'draft', key: 'note/a', text: '' },
    { type: 'view', view: { plan: 'a/project-root', session: '01', tab: 'given' } },
    { type: 'open', target: { kind: 'file', place: { root: 'project', path: 'a', line: 3 } } },
    { type: 'open', target: { kind: 'text', path: 'a', text: '' } },
    { type: 'open', target: { kind: 'session', plan: 'a', session: 'b', tab: 'changes' } },
    { type: 'open', target: { kind: 'link', url: 'https://example.org' } },
    { type: 'open', target: { kind: 'manual' } },
    { type: 'open', target: { kind: 'dismiss' } },
    { type: 'open', target: { kind: 'rollBack', snapshot: '4f2a90c1' } },
    { type: 'open', target: { kind: 'putBack', path: 'src/a.ts', to: 'before' } },
    { type: 'open', target: { kind: 'putBack', to: 'after' } },
    { type: 'open', target: { kind: 'reject', approval: '01' } },
    { type: 'open', target: { kind: 'defer', approval: '01' } },
    { type: 'open', target: { kind: 'start', way: 'demo' } },
    { type: 'open', target: { kind: 'suggestion', approval: '01', as: 'preview' } },
    { type: 'open', target: { kind: 'rule', rule: 'billing' } },
    { type: 'open', target: { kind: 'why', about: '01' } },
    { type: 'view', view: { page: 'routing', suggestion: '01' } },
    {
      type: 'open',
      target: {
        kind: 'diff',
        path: 'a',
        title: 'b',
        before: { text: '' },
        after: { file: { root: 'plan', path: 'c' } },
      },
    },
  ])('accepts %j', (line) => expect(toPageLine(line)).toEqual(line));

  test.each([
    undefined,
    null,
    'ready',
    [],
    {},
    { type: 'ready' },
    { type: 'ready', protocol: '1' },
    { type: 'request', id: -1, name: 'status' },
    { type: 'request', id: 1.5, name: 'status' },
    { type: 'request', id: 1, name: 'shutdown' },
    { type: 'request', id: 1, name: 'session_call' },
    { type: 'request', id: 1, name: 'constructor' },
    { type: 'cancel' },
    { type: 'draft', key: '', text: 'Mind' },
    { type: 'draft', key: 'note/a', text: 'y'.repeat(100_001) },
    { type: 'view', view: { plan: '' } },
    { type: 'event', event: {} },
  ])('refuses %j', (line) => expect(toPageLine(line)).toBeUndefined());

  test.each([
    undefined,
    {},
    { kind: 'command', command: 'workbench.action.terminal.new' },
    { kind: 'file', place: { root: 'home', path: 'a' } },
    { kind: 'file', place: { root: 'plan' } },
    { kind: 'diff', path: 'a', title: 'b', before: { text: 1 }, after: { text: '' } },
    { kind: 'session', plan: 'a' },
    { kind: 'link', url: '' },
    { kind: 'suggestion', approval: '01', as: 'accepted' },
    { kind: 'rule' },
    { kind: 'why', about: 1 },
  ])('refuses to open %j', (value) => expect(target(value)).toBeUndefined());

  test('drops unknown keys of a target', () =>
    expect(target({ kind: 'plan', plan: 'a', command: 'b' })).toEqual({
      type: 'open',
      target: { kind: 'plan', plan: 'a' },
    }));
});

test('a page has no request that creates, removes or stops a vault, a plan or its owner, or drops a phase', () => {
  const never = [
    'shutdown',
    'session_call',
    'session_tools',
    'remove',
    'remove_project',
    'clean',
    'adopt',
    'import',
    'dismiss',
  ];
  expect(pageRequests.filter((name) => never.includes(name))).toEqual([]);
  expect(pageRequests.filter((name) => !Object.hasOwn(requestSchemas, name))).toEqual([]);
});

test.each(pageRequests)('of %s, a page gives only parameters that exist, and never a harness or a scenario', (name) => {
  expect(['harness', 'scenario'].map((key) => foreignParameter(name, { [key]: 'x' }))).toEqual(['harness', 'scenario']);
  expect(foreignParameter(name, {})).toBeUndefined();
});

test('what a page gives and its buttons need passes', () => {
  expect(foreignParameter('run_phase', { plan: 'a', phase: 'work', task: '01' })).toBeUndefined();
  expect(foreignParameter('run_phase', 'harness')).toBeUndefined();
});

describe('toEditorLine', () => {
  test.each([
    { type: 'show', view: { plan: 'a' }, window: {}, drafts: {} },
    { type: 'result', id: 1, result: undefined },
    { type: 'error', id: 1, error: {} },
    { type: 'events', events: [] },
    { type: 'opened', window: { readOnly: 'no' } },
  ])('accepts %j', (line) => expect(toEditorLine(line)).toBe(line));
  test.each([null, 3, { type: 'show' }, { type: 'result' }, { type: 'events' }, { type: 'toString' }])(
    'refuses %j',
    (line) => expect(toEditorLine(line)).toBeUndefined(),
  );
});

test('toRunnerView keeps the plan and drops invalid and unknown keys', () => {
  expect(toRunnerView({ plan: 'a', session: 3, tab: 'nowhere', more: 1 })).toEqual({ plan: 'a' });
  expect(toRunnerView({ session: 'a' })).toBeUndefined();
});
