import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { rehearse as rehearseOnCopy } from '../../access/rehearse.ts';
import { exists } from '../../base/files.ts';
import { formatBytes, plural } from '../../base/text.ts';
import { mebibyte } from '../../base/units.ts';
import { failure } from '../../model/codes.ts';
import { scenarioHarness } from '../../model/harnesses.ts';
import type { CommandContext, Start } from '../context.ts';
import { interruptExitCodes } from '../interrupt.ts';
import type { Interrupt } from '../ports.ts';
import { formatRehearsal } from '../render/rehearsal.ts';
import { exitOfStop, harnessName } from './runs.ts';

interface RehearseFlags {
  readonly cycles?: string;
  readonly task?: string;
  readonly harness?: string;
  readonly scenario?: string;
  readonly copyLimit?: string;
  readonly patch?: boolean;
  readonly keep?: boolean;
}

const rehearseHelp = `
Runs a cycle of the plan on a copy of its project and vault in a temporary folder, and shows what it would have changed.
Nothing else is changed, and no message is sent. Without --harness it plays a scenario that fits any plan and costs
nothing; another harness really runs there, and really costs.

Examples:
  $ ravel rehearse shop
  $ ravel rehearse shop --harness claude-code --patch
  $ ravel rehearse shop --scenario try.yaml --keep
`;

export function addRehearseCommand(command: Command, start: Start): void {
  command
    .command('rehearse <plan>')
    .description('run a cycle on a copy, and show what it would have changed')
    .option('--cycles <n>', 'number of cycles')
    .option('--task <id>', 'the task of a work phase (default: the one in progress, else the first ready one)')
    .option('--harness <name>', 'a harness that really runs, instead of the scripted one')
    .option('--scenario <file>', 'another scenario for the scripted harness')
    .option('--copy-limit <mib>', 'the largest copy that is made, in MiB (default: 4096)')
    .option('--patch', 'show the changes of the source line by line')
    .option('--keep', 'keep the copy')
    .addHelpText('after', rehearseHelp)
    .action((plan, options) => start((context) => rehearse(context, plan, options)));
}

/** Exit codes as those of `ravel run`. */
async function rehearse(context: CommandContext, plan: string, flags: RehearseFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  const cycles = flags.cycles === undefined ? undefined : positive('--cycles', flags.cycles);
  const limit = flags.copyLimit === undefined ? undefined : positive('--copy-limit', flags.copyLimit) * mebibyte;
  const how = await chooseHow(context, flags);
  const vault = await ports.core.findVault(globals.vault);
  const [stop, leave] = [new AbortController(), new AbortController()];
  let interrupt: Interrupt | undefined;
  const subscription = ports.onInterrupt((signal) => {
    if (interrupt !== undefined) leave.abort();
    else context.note(['Stopping the rehearsal; interrupt once more to end it at once.']);
    interrupt ??= signal;
    stop.abort();
  });
  try {
    const report = await rehearseOnCopy(ports, {
      ...{ vault, plan, ...how, cycles, task: flags.task, bytesMax: limit, keep: flags.keep },
      ...{ stop: stop.signal, leave: leave.signal },
      onCopying: ({ files, bytes }) => context.note([`Copying ${plural(files, 'file')}, ${formatBytes(bytes)}.`]),
      onBegin: (id, project) => context.setProject(id, project),
      // For a script the report is all.
      onEvent: (event) => {
        if (globals.json !== true) context.event(event);
      },
    });
    context.result(report, formatRehearsal(report, { style, columns, patch: flags.patch === true }));
    return interrupt === undefined ? exitOfStop[report.report.stop] : interruptExitCodes[interrupt];
  } catch (error) {
    if (interrupt === undefined) throw error;
    context.note(['The rehearsal was stopped, and the copy removed.']);
    return interruptExitCodes[interrupt];
  } finally {
    subscription.dispose();
  }
}

async function chooseHow({ ports }: CommandContext, { harness: named, scenario: file }: RehearseFlags) {
  const harness = named === undefined ? scenarioHarness : harnessName(named);
  if (harness !== scenarioHarness) {
    if (file === undefined) return { harness };
    throw failure('cli/usage', '--scenario', `Only the harness ${scenarioHarness} plays a scenario.`);
  }
  const own = join(ports.packageRoot, 'demo', 'rehearsal.yaml');
  const scenario = file === undefined ? own : resolve(ports.workingDirectory, file);
  if (await exists(ports.disk, scenario)) return { harness, scenario };
  throw failure('cli/noFile', '--scenario', `There is no file ${scenario}.`, { help: 'Name a file that exists.' });
}

function positive(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw failure('cli/usage', flag, `"${text}" is not a whole number above 0.`);
}
