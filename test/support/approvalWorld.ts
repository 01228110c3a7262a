import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Core } from '../../src/core.ts';
import type { Decision, DecisionWord } from '../../src/model/approval.ts';
import type { Api } from '../../src/model/protocol.ts';
import type { ApprovalPage, ApprovalResults } from '../../src/model/requests/approvals.ts';
import { runHere } from './commandHere.ts';
import type { Ran } from './runProgram.ts';
import { backlogOf, done, isVerb, memoryOf, onFirst, runPhase, type Step, scenarioText } from './scenarioRuns.ts';
import { makeWorld, type World } from './world.ts';

export const doors = memoryOf({ doors: 'There are two doors.', windows: 'There is one window.' });

/** A reflection that rewrites an entry and adds another, so that a conflict leaves something that is none. */
export const rewriteAndLearn: readonly Step[] = [
  { call: 'memory_set_body', with: { id: 'doors', body: 'There are three doors.\n' } },
  { call: 'memory_add', with: { title: 'Learned', body: 'Something new.\n' } },
  done,
];

export function makeConflictWorld(): Promise<World> {
  return makeWorld({
    plan: { 'phase.md': 'reflect\n', 'memory.yaml': doors, 'backlog.yaml': backlogOf('first') },
    scenario: scenarioText({ reflect: rewriteAndLearn }),
  });
}

/** Runs the reflection, or a cycle that begins with it, while a person rewrites the same entry. */
export async function runIntoConflict(core: Core, world: World, cycles?: number): Promise<ApprovalPage> {
  let saved: Promise<void> = Promise.resolve();
  onFirst(core, isVerb('memory/set-body'), () => {
    saved = world.writePlan('memory.yaml', doors.replace('two doors', 'four doors'));
  });
  if (cycles === undefined) await runPhase(core, world);
  else await core.api.request('run_cycle', { plan: world.plan, scenario: world.scenario, cycles });
  await saved;
  return onlyApproval(core.api);
}

/** What the tests of a world with an unattributed change write into a file of its plan. */
export const unattributed = '# mine\n';

export interface UnattributedOptions {
  /** Put at the end of the file; `unattributed` without it. */
  readonly text?: string;
  readonly file?: string;
  readonly plan?: Readonly<Record<string, string>>;
}

/** A work session that runs tests which write into the plan's folder, a change that no verb accounts for. */
export async function makeUnattributedWorld(options: UnattributedOptions = {}): Promise<World> {
  const { text = unattributed, file = 'memory.yaml', plan = {} } = options;
  const steps: Step[] = [
    { run: { command: 'node --test' } },
    { call: 'backlog_set_results', with: { id: 'first', body: 'It works.' } },
    done,
  ];
  const world = await makeWorld({
    plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first'), 'memory.yaml': doors, ...plan },
    scenario: scenarioText({ work: steps }),
  });
  const given = [join(world.planDirectory, file), text].map((one) => JSON.stringify(one)).join(', ');
  const script = `import { appendFileSync } from 'node:fs';\nappendFileSync(${given});\n`;
  await world.write('changeUnattributed.test.mjs', script);
  return world;
}

/** The one thing that waits. */
export async function onlyApproval(api: Api): Promise<ApprovalPage> {
  const { approvals } = await api.request('approvals', {});
  const [first, ...others] = approvals;
  if (first === undefined || others.length > 0) throw new Error(`one question was expected, not ${approvals.length}`);
  return api.request('approval', { approval: first.approval });
}

export function decide(
  api: Api,
  { approval, contentHash }: { readonly approval: string; readonly contentHash: string },
  decision: DecisionWord,
  more: { readonly option?: string; readonly text?: string; readonly reason?: string } = {},
): Promise<ApprovalResults['decide']> {
  return api.request('decide', { approval, contentHash, decision, ...more });
}

/** Everything that was decided in the vault, oldest first. */
export async function decisions(world: Pick<World, 'vault'>): Promise<Decision[]> {
  const folder = join(world.vault, 'decisions');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  return Promise.all(names.map(async (name) => parse(await readFile(join(folder, name), 'utf8'))));
}

/** The command line as the person of the world runs it. */
export function ravel(
  world: World,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return runHere(args, { environment: { ...world.environment, RAVEL_VAULT: world.vault, ...environment } });
}
