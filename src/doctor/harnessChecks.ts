import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import type { HarnessAdapter } from '../harness/adapter.ts';
import type { HarnessName } from '../model/harnesses.ts';
import type { Check, CheckSeverity, InspectedHarness } from '../model/requests/doctor.ts';
import { defaultSettings } from '../model/settings.ts';
import { isOlder, versionIn } from '../model/version.ts';
import type { PlanServices } from '../plans/services.ts';
import { overrideSettings } from '../vault/settings.ts';

type HarnessServices = 'adapters' | 'settings' | 'overrides' | 'environment' | 'runScript' | 'layout';

export interface HarnessPorts extends Pick<PlanServices, HarnessServices> {
  /** Whether this process owns the vault, and so starts what the vault names anyway. */
  readonly isOwner: boolean;
}

/** How long a program may take to say its version, in milliseconds. */
const versionTimeoutMs = 10_000;

/** Each harness, or one: its program, its version, and whether the user is logged in. No session is started. */
export async function inspectHarnesses(
  ports: HarnessPorts,
  only: HarnessName | undefined,
  signal: AbortSignal,
): Promise<InspectedHarness[]> {
  const harnesses: InspectedHarness[] = [];
  for (const adapter of Object.values(ports.adapters)) {
    if (only === undefined || adapter.name === only) harnesses.push(await inspectHarness(ports, adapter, signal));
  }
  return harnesses;
}

export async function checkHarnesses(ports: HarnessPorts, signal: AbortSignal): Promise<Check[]> {
  return (await inspectHarnesses(ports, undefined, signal)).flatMap(toChecks);
}

function toChecks({ harness, isDefault, state, message, fix, login }: InspectedHarness): Check[] {
  const about = { check: 'harness', subject: harness } as const;
  const remedy = defined({ fix });
  // A harness that is not the default can be missing.
  const bad = (severity: CheckSeverity): CheckSeverity => (isDefault ? severity : 'info');
  switch (state) {
    case 'ready':
    case 'noLogin': {
      const severities = { found: 'ok', unknown: 'info', missing: bad('warning') } as const;
      return [
        { ...about, severity: 'ok', message },
        ...(login === undefined
          ? []
          : [{ ...about, severity: severities[login.state], message: login.how, ...remedy }]),
      ];
    }
    case 'notStarted':
      return [{ ...about, severity: 'info', message, ...remedy }];
    case 'tooOld':
      return [{ ...about, severity: bad('warning'), message, ...remedy }];
    default:
      return [{ ...about, severity: bad('error'), message, ...remedy }];
  }
}

async function inspectHarness(
  ports: HarnessPorts,
  adapter: HarnessAdapter,
  signal: AbortSignal,
): Promise<InspectedHarness> {
  const { settings, environment } = ports;
  const { name: harness, versionArguments: args, oldestVersion } = adapter;
  const about = {
    harness,
    isDefault: settings.run.harness === harness,
    ...defined({ oldestVersion }),
  };
  try {
    const program = await adapter.locate(settings, environment);
    if (args === undefined) return { ...about, state: 'ready', message: 'It is a part of Ravel.' };
    if (!ports.isOwner && (await ownProgram(ports, adapter)) !== program) {
      const message = `${program} was not started to ask its version: the vault names it, and no process owns the vault.`;
      const fix = `if you trust the vault, \`${program} ${args.join(' ')}\` asks it, and \`ravel daemon\` owns the vault`;
      return { ...about, state: 'notStarted', program, message, fix };
    }
    const output = await versionOf(ports, { program, args }, signal);
    if (output === undefined) {
      const fix = `\`${program} ${args.join(' ')}\` shows what is wrong`;
      return { ...about, state: 'silent', program, message: `${program} does not say its version.`, fix };
    }
    const version = versionIn(output);
    const found = {
      ...about,
      program,
      ...defined({ version }),
      message: `${output}, as ${program}.`,
    };
    if (version !== undefined && oldestVersion !== undefined && isOlder(version, oldestVersion)) {
      const message = `${output}, as ${program}, is older than ${oldestVersion}, the first that has what a session needs.`;
      return { ...found, state: 'tooOld', message, fix: `Update it, such as by \`${program} update\`.` };
    }
    const login = await adapter.findLogin?.(environment);
    if (login?.state !== 'missing') return { ...found, state: 'ready', ...defined({ login }) };
    return { ...found, state: 'noLogin', login, fix: 'Start the program once by itself and log in.' };
  } catch (error) {
    const state = isRavelError(error, 'harness/missing') ? 'missing' : 'notExecutable';
    if (!isRavelError(error) || (state !== 'missing' && error.code !== 'harness/notExecutable')) throw error;
    const { message, help } = error.diagnostic;
    return { ...about, state, message, ...defined({ fix: help }) };
  }
}

/** What would be started if the vault said nothing: by the person's own settings, and where programs usually are. */
async function ownProgram(
  { overrides = {}, environment }: HarnessPorts,
  adapter: HarnessAdapter,
): Promise<string | undefined> {
  try {
    return await adapter.locate(overrideSettings(defaultSettings, overrides).settings, environment);
  } catch (error) {
    if (isRavelError(error)) return undefined;
    throw error;
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
