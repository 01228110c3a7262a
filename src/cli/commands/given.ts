import type { Command } from 'commander';
import { resolvePlan, withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { codes, exitCodes, failure, isCode } from '../../model/codes.ts';
import { reasoningPhases } from '../../model/phase.ts';
import type { Api } from '../../model/protocol.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatGiven, formatPreview } from '../render/given.ts';
import { sessionByPart } from './logs.ts';

const givenHelp = `
Examples:
  $ ravel given shop                               the newest session of the plan
  $ ravel given 01JD0000000000000000000001         a session
`;

const contextHelp = `
Runs nothing. With --text it prints the prompt itself.

Examples:
  $ ravel context shop --task fix-the-crash
  $ ravel context shop --phase triage --text
`;

export function addGivenCommands(command: Command, start: Start): void {
  command
    .command('given [plan-or-session]')
    .description('show what a session was given, why, and what came later')
    .option('--all', 'list each part of the instructions, and each entry that was left out')
    .addHelpText('after', givenHelp)
    .action((named, options) => start((context) => given(context, named, options)));
  command
    .command('context [plan]')
    .description('show what a session would be given now, without running it')
    .option('--phase <phase>', 'the phase of the session', 'work')
    .option('--task <task>', 'the task of a work session (default: the one in progress, else the first ready one)')
    .option('--text', 'print the prompt itself')
    .option('--all', 'list each part of the instructions, and each entry that is left out')
    .addHelpText('after', contextHelp)
    .action((plan, options) => start((context) => showContext(context, plan, options)));
}

async function given(context: CommandContext, named: string | undefined, { all = false }: { all?: boolean }) {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const page = await api.request('given', await chosenSession(api, named));
    context.result(page, formatGiven(page, { style: context.style, columns: context.columns, all }));
    return 0;
  });
}

/** A session by its id or a part of it, else the newest of a plan. */
export async function chosenSession(
  api: Api,
  named: string | undefined,
): Promise<{ readonly plan: string; readonly session?: string }> {
  const row = named === undefined ? undefined : await sessionByPart(api, named);
  if (row?.plan !== undefined) return { plan: row.plan, session: row.session };
  return { plan: await resolvePlan(api, named) };
}

async function showContext(
  context: CommandContext,
  named: string | undefined,
  options: { readonly phase: string; readonly task?: string; readonly text?: boolean; readonly all?: boolean },
): Promise<number> {
  const { phase, task, text, all = false } = options;
  const known = reasoningPhases.find((one) => one === phase);
  if (known === undefined) {
    throw failure('cli/usage', phase, `--phase takes one of ${reasoningPhases.join(', ')}.`);
  }
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const plan = await resolvePlan(api, named);
    const preview = await api.request('context', { plan, phase: known, ...defined({ task }) });
    const whole = `${preview.systemPrompt}\n\n---\n\n${preview.prompt}`;
    const { style, columns } = context;
    context.result(preview, text === true ? whole.split('\n') : formatPreview(preview, { style, columns, all }));
    const { problem } = preview;
    if (problem === undefined) return 0;
    context.error({ ...problem, message: `No session can start. ${problem.message}` });
    return isCode(problem.code) ? exitCodes[codes[problem.code].kind] : exitCodes.internal;
  });
}
