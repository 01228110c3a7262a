/** Texts that are put into a file of the repository, each before a text that is there once. */
export interface Edit {
  readonly path: string;
  readonly insert: readonly (readonly [before: string, text: string])[];
  /** What reports that this edit was forgotten: the beginning of a line and something in the rest of it. */
  readonly namedBy: readonly [path: string, word: string];
}

/** One thing that is added to Ravel. `docs/design/house.md` says what each kind costs. */
export interface SampleChange {
  /** As the table there has it. */
  readonly kind: string;
  readonly edits: readonly Edit[];
  /** New files by their paths; tests do not count. */
  readonly files: Readonly<Record<string, string>>;
}

const harness: SampleChange = {
  kind: 'a harness',
  edits: [
    {
      path: 'src/model/harnesses.ts',
      insert: [
        [
          '} as const;\n\nexport type HarnessName',
          `  'other-agent': harness({
    title: 'Other Agent',
    about: 'another agent program',
    settings: z.object({ program: z.string().default('other'), models: z.record(z.string(), z.string()).default({}) }).prefault({}),
    rows: { program: { meaning: 'The other program.' }, models: { meaning: 'Its model by phase.', inPlan: 'models' } },
  }),
`,
        ],
      ],
      namedBy: ['src/harness/adapters.ts', 'other-agent'],
    },
    {
      path: 'src/harness/adapters.ts',
      insert: [
        ['import { createScriptedAdapter', "import { otherAgent } from './otherAgent.ts';\n"],
        ['    scripted: create', "    'other-agent': otherAgent,\n"],
      ],
      namedBy: ['src/harness/adapters.ts', 'other-agent'],
    },
  ],
  files: {
    'src/harness/otherAgent.ts': `import { join } from 'node:path';
import type { HarnessAdapter } from './adapter.ts';
import { createVocabularyParser } from './scripted.ts';
import { writesInWorkAlone } from './writes.ts';

export const otherAgent: HarnessAdapter = {
  name: 'other-agent',
  capabilities: { writes: writesInWorkAlone, reportsCost: false },
  environmentNames: [],
  locate: async (settings) => settings.harnesses['other-agent'].program,
  command: (spec, program) => ({
    program,
    args: [],
    environment: {},
    stdin: join(spec.sessionDirectory, 'prompt.md'),
    files: {},
  }),
  createParser: createVocabularyParser,
};
`,
  },
};

const event: SampleChange = {
  kind: 'an event',
  edits: [
    {
      path: 'src/model/event.ts',
      insert: [
        ["  | { readonly type: 'diagnostic'; ", "  | { readonly type: 'runs.counted'; readonly runs: number }\n"],
        [
          '  diagnostic: {\n    describes:',
          `  'runs.counted': {
    describes: 'The runs were counted.',
    outdates: [],
    line: ({ runs }) => ({ tone: 'good', sign: '#', text: \`\${runs} runs\` }),
  },
`,
        ],
      ],
      namedBy: ['src/requests/vault.ts', 'runs.counted'],
    },
    {
      path: 'src/requests/vault.ts',
      insert: [
        [
          "    emit({ at: formatTimestamp(clock.wallMs()), actor: 'vault', type: 'vault.verifying'",
          "    emit({ at: formatTimestamp(clock.wallMs()), actor: 'vault', type: 'runs.counted', runs: done });\n",
        ],
      ],
      namedBy: ['src/model/event.ts', 'runs.counted'],
    },
  ],
  files: {},
};

const command: SampleChange = {
  kind: 'a command',
  edits: [
    {
      path: 'src/cli/program.ts',
      insert: [
        [
          "import { addWhyCommand } from './commands/why.ts';",
          "import { addCountCommand } from './commands/count.ts';\n",
        ],
        ['  addWhyCommand(command, start);', '  addCountCommand(command, start);\n'],
      ],
      namedBy: ['src/cli/commands/count.ts', 'addCountCommand'],
    },
  ],
  files: {
    'src/cli/commands/count.ts': `import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import type { CommandContext, Start } from '../context.ts';

export function addCountCommand(command: Command, start: Start): void {
  command
    .command('count')
    .description('the number of plans')
    .addHelpText('after', '\\nExample:\\n  $ ravel count\\n')
    .action(() => start(count));
}

async function count({ ports, globals, result }: CommandContext): Promise<number> {
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const { plans } = await api.request('outline', {});
    result(plans.length, [String(plans.length)]);
    return 0;
  });
}
`,
  },
};

const setting: SampleChange = {
  kind: 'a setting',
  edits: [
    {
      path: 'src/model/settings.ts',
      insert: [["      'pre-work-minutes': ", "      'extra-minutes': z.number().nonnegative().default(0),\n"]],
      namedBy: ['src/plans/phases/preWork.ts', 'extra-minutes'],
    },
    {
      path: 'src/model/settingRows.ts',
      insert: [
        [
          "  'limits.pre-work-minutes': {",
          "  'limits.extra-minutes': { meaning: 'What that check may run longer.' },\n",
        ],
      ],
      namedBy: ['src/model/settingRows.ts', 'limits.extra-minutes'],
    },
    {
      path: 'src/plans/phases/preWork.ts',
      insert: [["services.settings.limits['pre-work-minutes'];", "services.settings.limits['extra-minutes'] + "]],
      namedBy: ['src/model/settingRows.ts', 'limits.extra-minutes'],
    },
  ],
  files: {},
};

const editorCommand: SampleChange = {
  kind: 'a command of the editor',
  edits: [
    {
      path: 'package.json',
      insert: [
        [
          '      {\n        "command": "ravel.renamePlan",\n        "title"',
          '      {\n        "command": "ravel.countPlans",\n        "title": "Show Number of Plans",\n        "category": "Ravel"\n      },\n',
        ],
      ],
      namedBy: ['src/ui/trees/planCommands.ts', 'countPlans'],
    },
    {
      path: 'src/ui/trees/planCommands.ts',
      insert: [
        ['  async renamePlan(ui, argument) {', '  countPlans: async ({ model }) => model.spending?.days.length,\n\n'],
      ],
      namedBy: ['package.json', 'countPlans'],
    },
    {
      path: 'docs/vscode.md',
      insert: [['Open Plan, Open Plan State, ', 'Show Number of Plans, ']],
      namedBy: ['docs/vscode.md', 'Show Number of Plans'],
    },
  ],
  files: {},
};

const request: SampleChange = {
  kind: 'a request',
  edits: [
    {
      path: 'src/model/requests/vault.ts',
      insert: [
        ['  shutdown: z.', "  count_plans: z.object({}).describe('how many plans there are'),\n"],
        ['  shutdown: Record<', '  count_plans: { readonly plans: number };\n'],
      ],
      namedBy: ['src/requests/vault.ts', 'count_plans'],
    },
    {
      path: 'src/requests/vault.ts',
      insert: [
        [
          '  verify: (context, _params, signal)',
          '  count_plans: async (context, _params, signal) => ({ plans: (await verify(context, signal)).plans }),\n\n',
        ],
      ],
      namedBy: ['src/requests/vault.ts', 'count_plans'],
    },
    {
      path: 'src/model/requestKinds.ts',
      insert: [["  shutdown: 'writes',", "  count_plans: 'reads',\n"]],
      namedBy: ['src/model/requestKinds.ts', 'count_plans'],
    },
  ],
  files: {},
};

const verb: SampleChange = {
  kind: 'a state verb',
  edits: [
    {
      path: 'src/model/verbs.ts',
      insert: [
        [
          "  'backlog/init': verb({",
          `  'backlog/count': verb({
    summary: 'The number of tasks',
    args: z.strictObject({}),
    positional: [],
    phases: [],
    reads: true,
    example: 'greeter',
  }),
`,
        ],
      ],
      namedBy: ['src/plans/verbs/backlog.ts', 'backlog/count'],
    },
    {
      path: 'src/plans/verbs/backlog.ts',
      insert: [
        ["import { fillFile } from './fillFile.ts';", "import { countTasks } from './countTasks.ts';\n"],
        ["  'backlog/init': fillBacklog,", "  'backlog/count': countTasks,\n"],
      ],
      namedBy: ['src/plans/verbs/backlog.ts', 'backlog/count'],
    },
  ],
  files: {
    'src/plans/verbs/countTasks.ts': `import type { VerbArgs } from '../../model/verbs.ts';
import { readBacklog, readEffect } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';

export function countTasks(_args: VerbArgs<'backlog/count'>, context: VerbContext): VerbEffect {
  const { tasks } = readBacklog(context);
  return readEffect(tasks.length, 'counted the tasks');
}
`,
  },
};

const gate: SampleChange = {
  kind: 'a gate',
  edits: [
    {
      path: 'src/gates/gate.ts',
      insert: [['} as const;\n\nexport type GateName', "  shortTitles: 'titles of tasks that are one word',\n"]],
      namedBy: ['src/gates/gates.ts', 'shortTitles'],
    },
    {
      path: 'src/gates/gates.ts',
      insert: [
        ["import { judgeVerbs } from './verbs.ts';", "import { judgeShortTitles } from './shortTitles.ts';\n"],
        ['  verbs: judgeVerbs,', '  shortTitles: judgeShortTitles,\n'],
      ],
      namedBy: ['src/gates/gates.ts', 'shortTitles'],
    },
  ],
  files: {
    'src/gates/shortTitles.ts': `import { planFiles } from '../model/plan.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { recordsOf, verdictOf } from './records.ts';

export function judgeShortTitles({ proposedValues }: Proposal): Verdict {
  const tasks = recordsOf(proposedValues, planFiles.backlog, 'tasks');
  const short = tasks.filter((task) => !String(task['title']).includes(' '));
  return verdictOf('Titles are too short.', short.map(({ id }) => id));
}
`,
  },
};

const target: SampleChange = {
  kind: 'a kind of target',
  edits: [
    {
      path: 'src/model/namedTarget.ts',
      insert: [
        [
          "  /** Any plan or expert of the vault. */\n  | { readonly kind: 'auto' };",
          "  | { readonly kind: 'team'; readonly name: string }\n",
        ],
        [
          "  auto: {\n    field: 'target',",
          `  team: {
    field: 'target-team',
    use: 'a team, by its name',
    meaning: 'The team that it goes to.',
  },
`,
        ],
      ],
      namedBy: ['src/routing/targets.ts', '"team"'],
    },
    {
      path: 'src/routing/targets.ts',
      insert: [
        [
          "    case 'auto':\n      return { kind: 'vault' };",
          "    case 'team':\n      return refused('message/unknownExpert', `there is no team ${target.name}`);\n",
        ],
      ],
      namedBy: ['src/routing/targets.ts', 'ending return'],
    },
  ],
  files: {},
};

/** One of each kind that the test of changes makes. */
export const sampleChanges: readonly SampleChange[] = [
  ...[harness, event, command, setting, editorCommand, request, verb, target, gate],
];
