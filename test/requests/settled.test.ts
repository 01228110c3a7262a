import { expect, test } from 'vitest';
import type { QualifiedId } from '../../src/model/id.ts';
import type { RequestName } from '../../src/model/protocol.ts';
import { untilSettled } from '../../src/requests/settled.ts';

/** What of an earlier owner's a request waits for. */
async function check(name: RequestName, params: object): Promise<string[]> {
  const waited: string[] = [];
  const wait = (what: string) => {
    waited.push(what);
    return Promise.resolve();
  };
  const start = {
    get done() {
      return wait('everything');
    },
    of: (plan: QualifiedId) => wait(plan),
    named: () => wait('named plans'),
  };
  const none = { has: () => false };
  await untilSettled(
    { start, live: none, consultations: none } as unknown as Parameters<typeof untilSettled>[0],
    name,
    params,
  );
  return waited;
}

const plan = 'greeter/project-root';

test.each<[RequestName, object, readonly string[]]>([
  ['status', { plan }, []],
  ['state', { plan: 'greeter', verb: 'backlog/add' }, [plan]],
  ['stop', { plan }, [plan]],
  ['dismiss', { plan }, [plan]],
  ['finish_manual_run', { plan }, [plan]],
  ['drop_manual_run', { plan }, [plan]],
  ['retry', { plan }, ['everything']],
  ['session_call', { session: 'x' }, ['named plans', 'everything']],
  ['send', { to: plan }, [plan]],
  ['dispatch', {}, ['named plans']],
  ['ask', { from: plan }, ['named plans', plan]],
])('%s with %j waits for %j', async (name, params, waited) => {
  expect(await check(name, params)).toEqual(waited);
});
