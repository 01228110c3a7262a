import { basename, join, resolve } from 'node:path';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { type Diagnostic, isRavelError } from '../../base/errors.ts';
import { plural, shellWord } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import { saysMoreThan } from '../../model/goal.ts';
import { descriptionLengthMax, descriptionProblem } from '../../model/plan.ts';
import type { Api } from '../../model/protocol.ts';
import type { AddedExperts } from '../../model/requests/experts.ts';
import type { CommandContext } from '../context.ts';
import type { Ports } from '../ports.ts';
import { formatCommandRows, type LabelledCommand } from '../render/commandRows.ts';
import { countDiagnostics, formatDiagnostics } from '../render/diagnostics.ts';
import { describeAdded } from './experts.ts';
import { describePutAway } from './relocations.ts';

/** Options of `ravel init`; `experts` is true where no ids follow the flag. */
export interface InitFlags {
  readonly name?: string;
  /** The project that the new vault begins with, and what it is for. */
  readonly adopt?: string;
  readonly description?: string;
  readonly experts?: true | readonly string[];
}

export async function init(context: CommandContext, directory: string, options: InitFlags): Promise<number> {
  const { ports } = context;
  const { adopt: project, description } = options;
  if (description !== undefined && project === undefined) {
    throw failure('cli/usage', '--description', 'It says what a project is for: name the project with --adopt.');
  }
  const problem = description === undefined ? undefined : descriptionProblem(description);
  if (problem !== undefined) throw failure('plan/badDescription', 'init', `It cannot be the description: ${problem}.`);
  const vault = resolve(ports.workingDirectory, directory);
  const name = options.name ?? basename(vault);
  const ids = idsOf(options.experts);
  await ports.core.createVault(vault, name, ids === 'all' ? [] : ids);
  const added = ids === undefined ? undefined : await addToNewVault(ports, vault, ids);
  const offer = 'Experts come with Ravel: `ravel experts add` lists them.';
  const made = [`Made the vault "${name}" in ${vault}.`, ...(added === undefined ? [offer] : describeAdded(added))];
  const named: LabelledCommand = [`export RAVEL_VAULT=${shellWord(vault)}`, 'this shell works in it'];
  const next = (...rows: readonly LabelledCommand[]) => formatCommandRows('Next:', [named, ...rows], context.columns);
  if (project === undefined) {
    const lines = next(['ravel adopt PROJECT --description TEXT', 'gives a project its first plan']);
    context.result({ vault, name, ...defined({ added }) }, [...made, ...lines]);
    return 0;
  }
  // The vault is there, whatever becomes of the adoption.
  const adopted = await adoptInto(context, vault, project, defined({ description })).catch((error: unknown) => {
    context.note([
      ...made,
      'The project is not adopted; see the error.',
      ...next(['ravel adopt PROJECT --description TEXT', 'once you have corrected what the error names']),
    ]);
    throw error;
  });
  context.result({ vault, name, ...defined({ added }), adopted: adopted.value }, [
    ...made,
    ...adopted.lines,
    ...next(...adopted.next),
  ]);
  return 0;
}

/** The experts that a new vault gets: `all`, those that are named, or none. */
function idsOf(experts: InitFlags['experts']): 'all' | readonly string[] | undefined {
  return experts === true || experts?.includes('all') === true ? 'all' : experts;
}

function addToNewVault(ports: Ports, vault: string, ids: 'all' | readonly string[]): Promise<AddedExperts> {
  return withApi(ports, vault, 'owner', ({ api }) =>
    api.request('add_experts', ids === 'all' ? {} : { experts: [...ids] }),
  );
}

export async function adopt(context: CommandContext, project: string, options: AdoptFlags): Promise<number> {
  const { value, lines, next } = await adoptInto(context, context.globals.vault, project, options);
  context.result(value, [...lines, ...formatCommandRows('Next:', next, context.columns)]);
  return 0;
}

interface AdoptFlags {
  readonly description?: string;
  readonly name?: string;
}

/** What a person and a program are told of an adoption. */
interface Adopted {
  readonly value: object;
  readonly lines: readonly string[];
  readonly next: readonly LabelledCommand[];
}

async function adoptInto(
  context: CommandContext,
  vault: string | undefined,
  project: string,
  { description, name: named }: AdoptFlags,
): Promise<Adopted> {
  const { ports, globals } = context;
  return withApi(ports, vault, 'local', async ({ api }) => {
    const path = resolve(ports.workingDirectory, project);
    const name = defined({ name: named });
    const adoptAs = (about: { description?: string }) => api.request('adopt', { project: path, ...about, ...name });
    const adopted = await adoptAs(defined({ description })).catch(async (error: unknown) => {
      // Only a project without a root plan needs a description, and a user who adopts a clone cannot know that.
      if (description !== undefined || !isRavelError(error, 'plan/badDescription')) throw error;
      return adoptAs({ description: await askDescription(ports, globals.json === true) });
    });
    // What keeps its phases from running, such as a folder without git, is better heard now than at the first run. The
    // adoption itself is done.
    const inspected = await api.request('inspect_project', { project: path });
    const diagnostics = inspected.diagnostics.map((problem): Diagnostic => ({ ...problem, severity: 'warning' }));
    const lines = [
      `Adopted as ${adopted.plan}. Its files are in ${join(path, 'ravel')}, to be committed with the project.`,
      ...formatDiagnostics(diagnostics, context.style, context.columns),
      ...uncommittedLines(inspected.uncommitted),
      ...describedBadly(adopted.plan, description),
    ];
    const plan = shellWord(adopted.plan);
    const next: LabelledCommand[] = [
      [`ravel plan "GOAL" --under ${plan}`, 'proposes plans and tasks'],
      ...firstTaskRows(plan),
    ];
    return { value: { ...adopted, diagnostics }, lines, next };
  });
}

export async function create(context: CommandContext, plan: string, options: { description: string }): Promise<number> {
  // What an earlier plan of that id left is put away by the owner alone.
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const created = await api.request('create', { plan, description: options.description });
    context.result(created, [
      `Created ${created.plan}, in ${created.directory}.`,
      ...describePutAway(created),
      ...describedBadly(created.plan, options.description),
      ...formatCommandRows('Next:', firstTaskRows(shellWord(created.plan)), context.columns),
    ]);
    return 0;
  });
}

/** What a plan without tasks needs before it can run; `plan` is a word of a shell. */
function firstTaskRows(plan: string): LabelledCommand[] {
  return [
    [`ravel state backlog add ${plan} --title TEXT --category TEXT`, 'adds a task'],
    [`ravel run ${plan}`, 'runs one cycle'],
  ];
}

/** Sessions of other plans choose a receiver by its description, which a name alone does not help. */
function describedBadly(plan: string, description: string | undefined): string[] {
  if (description === undefined || saysMoreThan(description, plan.split('/'))) return [];
  return [
    `The description "${description.trim()}" only repeats a name. Say in a sentence what the plan is for, in its plan-state.md.`,
  ];
}

/** Exit code 2 when anything is an error; warnings alone leave it at 0. */
export async function verify(context: CommandContext): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const result = await whileCounting(context, api, () => api.request('verify', {}));
    const { diagnostics, plans } = result;
    const verdict = diagnostics.length === 0 ? 'all is well' : countDiagnostics(diagnostics);
    context.result(result, [
      ...formatDiagnostics(diagnostics, context.style, context.columns),
      `${plural(plans, 'plan')}: ${verdict}.`,
    ]);
    return diagnostics.some(({ severity }) => severity === 'error') ? 2 : 0;
  });
}

/** Shows how far a verification is that takes long. */
export async function whileCounting<T>(context: CommandContext, api: Api, work: () => Promise<T>): Promise<T> {
  const watching = api.onEvent((event) => {
    if (event.type === 'vault.verifying') context.event(event);
  });
  return work().finally(() => watching.dispose());
}

/** Asks until the answer is a description; only a person at a terminal is asked. */
async function askDescription(ports: Ports, isScript: boolean): Promise<string> {
  const help = 'Add --description "one sentence that names the permanent scope".';
  if (isScript || !ports.stdin.isTty || !ports.stderr.isTty) {
    throw failure('cli/usage', 'adopt', 'The description is missing.', { help });
  }
  for (;;) {
    const answer = await ports.stdin.ask(`Description (one sentence, at most ${descriptionLengthMax} characters): `);
    if (answer === undefined) throw failure('cli/usage', 'adopt', 'The description is missing.', { help });
    const problem = descriptionProblem(answer);
    if (problem === undefined) return answer.trim();
    ports.stderr.write(`  ${[...answer.trim()].length}/${descriptionLengthMax}: ${problem}.\n`);
  }
}

/** The first work phase would ask about them. */
function uncommittedLines(count: number | undefined): string[] {
  if (count === undefined) return [];
  const has = `The project has ${plural(count, 'uncommitted file')}.`;
  return [`${has} Commit them before the first run: its work phase would ask about them.`];
}
