import { createDeferred } from '../base/async.ts';
import { defined } from '../base/defined.ts';
import { messageOf } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import { scenarioHarness } from '../model/harnesses.ts';
import { isUlid } from '../model/id.ts';
import type { terminalRequests } from '../model/requests/terminals.ts';
import type { TerminalInfo } from '../model/terminal.ts';
import { assertNotManual } from '../plans/phases/manualRuns.ts';
import type { PhaseRunOptions } from '../plans/phases/phaseRunner.ts';
import { retryPhase } from '../plans/phases/retry.ts';
import { assertOwner, type HandlersOf, type ParsedParams, type RequestContext } from './handlers.ts';

export const terminalHandlers: HandlersOf<typeof terminalRequests> = {
  async terminals({ services }) {
    return { terminals: await services.terminals.list() };
  },

  async open_terminal(context, params) {
    assertOwner(context);
    const { services, directory } = context;
    const location = await directory.find(params.plan);
    await services.terminals.check();
    if (params.kind === 'shell') {
      return services.terminals.startShell({
        terminal: services.newUlid(),
        plan: location.id,
        cwd: location.projectDirectory,
        title: `Shell: ${location.id}`,
        size: params.size,
      });
    }
    const open = (await services.terminals.list()).find(({ kind, plan }) => kind === 'work' && plan === location.id);
    return open ?? openWork(context, location, params);
  },

  async close_terminal(context, { terminal }) {
    assertOwner(context);
    const { services, locks } = context;
    const found = (await services.terminals.list()).find((one) => one.terminal === terminal);
    if (!isUlid(terminal) || found === undefined) {
      throw failure('terminal/unknown', terminal, `There is no terminal "${terminal}".`);
    }
    if (found.kind === 'work' && (await locks.stop(found.plan))) return { closed: true };
    return { closed: await services.terminals.close(terminal) };
  },
};

/**
 * Runs the work phase of a plan with a person at its terminal: the same transaction as without one. Resolves once there
 * is something to look at; the phase then continues even if its caller is gone.
 */
async function openWork(
  context: RequestContext,
  location: PhaseRunOptions['location'],
  { size, harness, task, scenario, retry }: Extract<ParsedParams<'open_terminal'>, { kind: 'work' }>,
): Promise<TerminalInfo> {
  const { services, runner, live } = context;
  assertNotManual(live, location.id);
  // Only the scripted harness plays scenarios, so to name one is to name the harness.
  const chosen = harness ?? (scenario === undefined ? undefined : scenarioHarness);
  const options: PhaseRunOptions = {
    location,
    phase: 'work',
    terminal: size,
    ...defined({ harness: chosen, task, scenario }),
  };
  const started = createDeferred<void>();
  const over = new AbortController();
  const report = context.locks.withActiveSlot(location.id, undefined, (stop) => {
    const run = { ...options, onStarted: started.resolve };
    return retry === true ? retryPhase(services, runner, run, stop) : runner.run(run, stop);
  });
  // Until the phase has started, the caller hears what is wrong; afterwards the phase itself tells how it ended.
  const notStarted = ({ summary }: { readonly summary: string }) =>
    started.reject(failure('plan/waiting', location.id, summary));
  void report
    .then(notStarted, (error: unknown) => {
      started.reject(error);
      services.log.debug('a work phase in a terminal ended', { plan: location.id, message: messageOf(error) });
    })
    .finally(() => over.abort());
  await started.promise;
  const session = live.of(location.id);
  if (session === undefined)
    throw failure('terminal/gone', location.id, 'The session ended before its terminal was there.');
  return services.terminals.waitFor(session, over.signal);
}
