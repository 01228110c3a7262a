import { t } from '@vscode/l10n';
import type { QualifiedId } from '../../model/id.ts';

/** What a task of type `ravel` runs, as `tasks.json` has it. `package.json` has the schema of it. */
export interface RunTask {
  readonly run: 'next' | 'cycles';
  /** Only with `cycles`: the plan; as a person wrote it, so an owner may refuse it. */
  readonly plan?: string;
  /** From 1 to 9999; 1 unless told. */
  readonly cycles?: number;
  readonly harness?: string;
  /** The file that the scripted harness plays. */
  readonly scenario?: string;
}

/** As many as a list shows before a person types; `tasks.json` can name any plan. */
const plansOffered = 20;

/** What a definition asks for; undefined if it is not one that `package.json` describes. */
export function toRunTask(definition: Readonly<Record<string, unknown>>): RunTask | undefined {
  const { run, plan, cycles, harness, scenario } = definition;
  const isNext = run === 'next' && plan === undefined;
  const isCycles = run === 'cycles' && typeof plan === 'string' && plan !== '' && !plan.startsWith('-');
  if (!isNext && !isCycles) return undefined;
  if (cycles !== undefined && !(Number.isInteger(cycles) && Number(cycles) >= 1 && Number(cycles) <= 9999)) {
    return undefined;
  }
  if ([harness, scenario].some((text) => text !== undefined && (typeof text !== 'string' || text === ''))) {
    return undefined;
  }
  return definition as unknown as RunTask;
}

/** The arguments of `ravel` that run it. */
export function taskArguments({ run, plan, cycles = 1, harness, scenario }: RunTask): string[] {
  return [
    'run',
    ...(run === 'next' ? ['--next'] : [plan ?? '']),
    ...['--cycles', String(cycles)],
    ...(harness === undefined ? [] : ['--harness', harness]),
    ...(scenario === undefined ? [] : ['--scenario', scenario]),
  ];
}

/** How the list of tasks names it, behind `ravel: `. */
export function taskName({ run, plan, cycles = 1 }: RunTask): string {
  if (run === 'next') return cycles === 1 ? t('run next') : t`run the next ${cycles} cycles`;
  return cycles === 1 ? t`run cycle of ${plan ?? ''}` : t`run ${cycles} cycles of ${plan ?? ''}`;
}

/** What is offered without `tasks.json`: what is next in the vault, and a cycle of each of the first plans that are ready. */
export function offeredTasks(ready: readonly QualifiedId[]): RunTask[] {
  const ofPlans = ready.slice(0, plansOffered).map((plan) => ({ run: 'cycles', plan }) as const);
  return [{ run: 'next' }, ...ofPlans];
}
