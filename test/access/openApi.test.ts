import { describe, expect, test } from 'vitest';
import { openApi, openApiOnce, resolvePlan, withApi, withOwner } from '../../src/access/openApi.ts';
import type { CorePort } from '../../src/access/ports.ts';
import { createDeferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { RavelError } from '../../src/base/errors.ts';
import { failure } from '../../src/model/codes.ts';
import { connect } from '../../src/server/client.ts';
import { createFakePorts } from '../cli/fakePorts.ts';
import { samplePlan, sampleRow, sampleStatus } from '../cli/samples.ts';
import { freshSocketPath, serve } from '../server/socket.ts';
import { failureOf } from '../support/failureOf.ts';
import { createFakeApi } from '../support/fakeApi.ts';

describe('withApi', () => {
  test('asks the running owner, whatever role it needs', async () => {
    const server = await serve(createFakeApi({ rescan: () => ({ plans: 9, linked: [], diagnostics: [] }) }));
    const findOwner = async () => ({ socketPath: server.socketPath, pid: 1 });
    const ports = await createFakePorts({}, { core: { findOwner } });
    for (const mode of ['owner', 'local', 'client'] as const) {
      const { role, plans } = await withApi(ports, undefined, mode, async ({ api, role }) => ({
        role,
        ...(await api.request('rescan', {})),
      }));
      expect({ role, plans }).toEqual({ role: 'client', plans: 9 });
    }
    expect(ports.asked).toEqual([]);
    await server.stop();
  });

  test.each(['owner', 'local'] as const)('opens the vault itself as %s if it has no owner', async (mode) => {
    const ports = await createFakePorts({});
    expect(await withApi(ports, '/v', mode, async ({ role, vault }) => `${vault} ${role}`)).toBe(`/v ${mode}`);
    expect(ports.asked).toEqual([`open /v as ${mode}`, 'stop']);
  });

  test.each([
    ['runner', 'goodbye'],
    ['owner', 'lost'],
  ] as const)('as %s ends the connections of its own clients as %s', async (mode, expected) => {
    const ports = await createFakePorts({});
    const heard = createDeferred<string>();
    await withApi(ports, undefined, mode, async ({ socketPath }) => {
      const client = await connect({ socketPath, clock: systemClock });
      client.onDidClose(heard.resolve);
    });
    expect(await heard.promise).toBe(expected);
  });

  test('opens the vault itself for a reader even beside an owner', async () => {
    const findOwner = async () => ({ socketPath: '/nobody/there', pid: 1 });
    const ports = await createFakePorts({}, { core: { findOwner } });
    expect((await openApiOnce(ports, '/v', 'reader')).role).toBe('local');
    expect(ports.asked).toEqual(['open /v as local']);
  });

  test('fails with server/gone if the owner is just leaving and it looks only once', async () => {
    const findOwner = async () => ({ socketPath: '/nobody/there', pid: 1 });
    const ports = await createFakePorts({}, { core: { findOwner } });
    await expect(openApiOnce(ports, '/v', 'owner')).rejects.toMatchObject({ code: 'server/gone' });
  });

  test('fails with cli/noOwner if it needs a client and the vault has no owner', async () => {
    const ports = await createFakePorts({});
    await expect(openApi(ports, undefined, 'client')).rejects.toMatchObject({ diagnostic: { code: 'cli/noOwner' } });
  });

  test('asks the next owner again what one left that passed by, and as often as many leave at most', async () => {
    let asked = 0;
    const leaves = createFakeApi({
      async rescan() {
        asked += 1;
        void leaving.stop('nothing');
        return new Promise(() => undefined);
      },
    });
    const leaving = await serve(leaves);
    const owners = [{ socketPath: leaving.socketPath, pid: 1 }];
    const ports = await createFakePorts({}, { core: { findOwner: async () => owners.shift() } });
    const roles: string[] = [];
    await withOwner(ports, undefined, async ({ api, role }) => {
      roles.push(role);
      if (role === 'client') await api.request('rescan', {});
    });
    expect({ asked, roles }).toEqual({ asked: 1, roles: ['client', 'owner'] });
    const gone = async () => {
      throw failure('server/gone', '/v', 'It left.');
    };
    expect(await failureOf(() => withOwner(ports, undefined, gone))).toMatchObject({ code: 'server/gone' });
    expect(ports.asked.filter((one) => one.startsWith('open'))).toHaveLength(11);
  });

  test('waits for an owner that is just leaving, and for one that is just starting', async () => {
    const server = await serve(createFakeApi({}));
    const steps = [{ socketPath: '/nobody/there', pid: 1 }, undefined, { socketPath: server.socketPath, pid: 2 }];
    const findOwner = async () => steps.shift();
    const open = async () => {
      throw failure('vault/owned', '/vault', 'Owned.');
    };
    const ports = await createFakePorts({}, { core: { findOwner, open } });
    const client = await openApi(ports, undefined, 'owner');
    expect(client.role).toBe('client');
    await client.stop();
    await server.stop();
  });

  test('stops the core again if its socket cannot be made', async () => {
    const asked: string[] = [];
    const open = async () => ({
      api: createFakeApi({}),
      socketPath: '/proc/none/s',
      sessionSocketPath: '/proc/none/t',
      stop: async () => void asked.push('stop'),
    });
    const ports = await createFakePorts({}, { core: { open } });
    await expect(openApi(ports, undefined, 'owner')).rejects.toMatchObject({ diagnostic: { subject: '/proc/none/s' } });
    expect(asked).toEqual(['stop']);
  });
});

test('a process that lost the vault to another one gives up its run, and says goodbye to its clients', async () => {
  const lost = createDeferred<RavelError>();
  const asked: string[] = [];
  const open: CorePort['open'] = async () => ({
    api: createFakeApi({ run_phase: () => new Promise(() => undefined) }),
    socketPath: await freshSocketPath(),
    sessionSocketPath: await freshSocketPath(),
    lost: lost.promise,
    stop: async () => void asked.push('stop'),
  });
  const ports = await createFakePorts({}, { core: { open } });
  const closed = createDeferred<void>();
  const leaving = withApi(ports, undefined, 'owner', async ({ api, onDidClose }) => {
    onDidClose(closed.resolve);
    lost.resolve(failure('vault/lost', '/vault', 'Another process owns the vault.'));
    return api.request('run_phase', { plan: 'demo' });
  });
  await expect(leaving).rejects.toMatchObject({ diagnostic: { code: 'vault/lost' } });
  await closed.promise;
  expect(asked).toEqual(['stop']);
});

test('a process that owns the vault gives up its run when a client asks it to shut down', async () => {
  const ports = await createFakePorts({ shutdown: () => ({}), run_phase: () => new Promise(() => undefined) });
  const leaving = withApi(ports, undefined, 'owner', async ({ api, socketPath }) => {
    const client = await connect({ socketPath, clock: systemClock });
    const running = api.request('run_phase', { plan: 'demo' });
    // Twice: the second request finds nothing left to stop.
    await Promise.all([client.request('shutdown', {}), client.request('shutdown', {})]);
    return running;
  });
  await expect(leaving).rejects.toMatchObject({ diagnostic: { code: 'run/stopped' } });
  expect(ports.asked).toEqual(['open /vault as owner', 'stop']);
});

describe('choosePlan', () => {
  test('resolves a short name to the whole id', async () => {
    const api = createFakeApi({ status: ({ plan }) => sampleStatus({ description: plan }) });
    expect(await resolvePlan(api, 'demo')).toBe(samplePlan);
  });
  test('picks the only plan if none is named', async () => {
    expect(
      await resolvePlan(createFakeApi({ list: () => ({ plans: [sampleRow()], diagnostics: [] }) }), undefined),
    ).toBe(samplePlan);
  });
  test('says how to make a first plan if there is none', async () => {
    const api = createFakeApi({ list: () => ({ plans: [], diagnostics: [] }) });
    expect(await failureOf(() => resolvePlan(api, undefined))).toMatchObject({
      code: 'plan/unknown',
      help: expect.stringContaining('ravel adopt DIR'),
    });
  });
});
