import { expect, test } from 'vitest';
import { tableRules } from './tableRules.ts';

const program = { path: 'src/cli/program.ts', text: 'addOld(command);\naddOldCommand(command);\n' };
const event = { path: 'src/model/event.ts', text: "  | { readonly type: 'run.counted' }\n" };
const rows = { path: 'src/model/settingRows.ts', text: "  'limits.count-minutes': {},\n  'limits.tries': {},\n" };

test.each<[rule: string, path: string, text: string, said: readonly string[]]>([
  ['something emits every event', 'src/plans/a.ts', "emit({ type: 'run.counted' });", []],
  [
    'something emits every event',
    'src/ui/a.ts',
    "type: 'run.counted'",
    ['src/model/event.ts: nothing emits run.counted'],
  ],
  ['something reads every setting', 'src/plans/a.ts', "limits['count-minutes'] + limits.tries", []],
  [
    ...(['something reads every setting', 'src/plans/a.ts', 'countMinutes + tries'] as const),
    ['src/model/settingRows.ts: nothing reads limits.count-minutes'],
  ],
  ['the program adds every command', 'src/cli/commands/old.ts', 'export function addOldCommand(', []],
  [
    ...(['the program adds every command', 'src/cli/commands/new.ts', 'export function addNewCommands('] as const),
    ['src/cli/commands/new.ts: src/cli/program.ts does not call addNewCommands'],
  ],
])('%s: %s with %j', (rule, path, text, said) =>
  expect(tableRules[rule]?.([program, event, rows, { path, text }])).toEqual(said),
);
