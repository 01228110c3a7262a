import { describe, expect, test } from 'vitest';
import { toQualifiedId } from '../../src/model/id.ts';
import { type RequestName, requestSchemas } from '../../src/model/protocol.ts';
import { openModeOf, readingApi } from '../../src/ui/windowRole.ts';
import { createFakeApi } from '../support/fakeApi.ts';

describe('a window opens a vault', () => {
  const usual = { isTrusted: true, daemon: 'inWindow', mayOwn: true } as const;
  test.each([
    ['as its owner', usual, 'owner'],
    ['as a client beside a daemon', { ...usual, daemon: 'external' as const }, 'client'],
    ['as a client after it was dismissed', { ...usual, mayOwn: false }, 'client'],
    ['as a reader without trust', { ...usual, isTrusted: false }, 'reader'],
    [
      'as a reader without trust, even beside a daemon',
      { isTrusted: false, daemon: 'external' as const, mayOwn: false },
      'reader',
    ],
  ])('%s', (_name, facts, expected) => expect(openModeOf(facts)).toBe(expected));
});

describe('without trust', () => {
  test('a request that only looks is answered', async () => {
    const api = readingApi(createFakeApi({ outline: () => ({ plans: [], diagnostics: [] }) }));
    expect(await api.request('outline', {})).toEqual({ plans: [], diagnostics: [] });
  });

  test('a state verb that only looks is answered, one that changes something is refused', async () => {
    const listed = { result: { tasks: [] }, summary: '' };
    const api = readingApi(createFakeApi({ state: () => listed }));
    const plan = toQualifiedId('demo/project-root');
    expect(await api.request('state', { plan, verb: 'backlog/list', args: {} })).toEqual(listed);
    const adding = api.request('state', { plan, verb: 'backlog/add', args: {} });
    await expect(adding).rejects.toMatchObject({ code: 'ui/untrusted' });
  });

  const acting = [
    'run_phase',
    'run_cycle',
    'retry',
    'decide',
    'adopt',
    'create',
    'state',
    'send',
    'clean',
    'doctor',
    'harnesses',
    'inspect_project',
    'open_terminal',
    'rescan',
    'shutdown',
  ];
  test.each(acting as readonly RequestName[])('the request %s is refused', async (name) => {
    expect(Object.hasOwn(requestSchemas, name)).toBe(true);
    const api = readingApi(createFakeApi({}));
    await expect(api.request(name, {} as never)).rejects.toMatchObject({ code: 'ui/untrusted' });
  });
});
