import { isRavelError } from '../../base/errors.ts';
import type { HarnessAdapter } from '../../harness/adapter.ts';
import type { Check, CheckSeverity } from '../../model/requests/doctor.ts';
import type { PlanServices } from '../services.ts';

type HarnessPorts = Pick<PlanServices, 'adapters' | 'settings' | 'environment' | 'runScript' | 'layout'>;

const versionTimeoutMs = 10_000;

/** Each harness: its program, its version, and whether somebody is logged in. No session is started. */
export async function checkHarnesses(ports: HarnessPorts, signal: AbortSignal): Promise<Check[]> {
  const checks: Check[] = [];
  for (const adapter of Object.values(ports.adapters)) checks.push(...(await checkHarness(ports, adapter, signal)));
  return checks;
}

async function checkHarness(ports: HarnessPorts, adapter: HarnessAdapter, signal: AbortSignal): Promise<Check[]> {
  const { settings, environment } = ports;
  const about = { check: 'harness', subject: adapter.name } as const;
  // What nobody runs by default may be missing.
  const isDefault = settings.run.harness === adapter.name;
  const bad: CheckSeverity = isDefault ? 'error' : 'info';
  try {
    const program = await adapter.locate(settings, environment);
    const { versionArguments: args } = adapter;
    if (args === undefined) return [{ ...about, severity: 'ok', message: 'It is a part of Ravel.' }];
    const version = await versionOf(ports, { program, args }, signal);
    if (version === undefined) {
      const message = `${program} does not say its version.`;
      return [{ ...about, severity: bad, message, fix: `\`${program} ${args.join(' ')}\` shows what is wrong` }];
    }
    return [{ ...about, severity: 'ok', message: `${version}, as ${program}.` }, ...(await checkLogin(ports, adapter))];
  } catch (error) {
    if (!isRavelError(error, 'harness/missing')) throw error;
    const { message, help } = error.diagnostic;
    return [{ ...about, severity: bad, message, ...(help !== undefined && { fix: help }) }];
  }
}

async function checkLogin({ settings, environment }: HarnessPorts, adapter: HarnessAdapter): Promise<Check[]> {
  const login = await adapter.findLogin?.(environment);
  if (login === undefined) return [];
  const about = { check: 'harness', subject: adapter.name, message: login.how } as const;
  switch (login.state) {
    case 'found':
      return [{ ...about, severity: 'ok' }];
    case 'unknown':
      return [{ ...about, severity: 'info' }];
    case 'missing': {
      const severity = settings.run.harness === adapter.name ? 'warning' : 'info';
      return [{ ...about, severity, fix: 'Start the program once by itself and log in.' }];
    }
  }
}

async function versionOf(
  { runScript, layout }: HarnessPorts,
  { program, args }: { readonly program: string; readonly args: readonly string[] },
  signal: AbortSignal,
): Promise<string | undefined> {
  const job = { program, args, workingDirectory: layout.root, timeoutMs: versionTimeoutMs };
  const { end, exitCode, output } = await runScript(job, signal);
  const line = output.trim().split('\n')[0]?.trim() ?? '';
  return end === 'exited' && exitCode === 0 && line !== '' ? line.slice(0, 100) : undefined;
}
