import { expect, test } from 'vitest';
import { tableRules } from './tableRules.ts';

const program = { path: 'src/cli/program.ts', text: 'addOld(command);\naddOldCommand(command);\n' };
const event = { path: 'src/model/event.ts', text: "  | { readonly type: 'run.counted' }\n" };
const rows = { path: 'src/model/settingRows.ts', text: "  'limits.count-minutes': {},\n  'limits.tries': {},\n" };
const commands = '[{"command": "ravel.countRuns", "title": "Count Runs"}]';
const manifest = {
  path: 'package.json',
  text: `{"contributes": {"commands": ${commands}, "menus": {"commandPalette": []}}}`,
};
const head = '## Commands\n\nAll.\n\n| for | commands |\n|---|---|\n';

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
  ['every command of the editor has one row', 'src/ui/a.ts', 'const a: CommandTable = { countRuns };', []],
  ['every command of the editor has one row', 'src/ui/a.ts', 'const a: CommandTable = {\n  async countRuns(ui) {', []],
  [
    ...(['every command of the editor has one row', 'src/ui/a.ts', 'const a: CommandTable = { countAll };'] as const),
    ['package.json: ravel.countRuns has 0 rows in the tables of src/ui'],
  ],
  [
    ...([
      'docs/vscode.md has every command of the palette',
      'docs/vscode.md',
      `${head}| runs | Count Runs |\n\n## The log`,
    ] as const),
    [],
  ],
  [
    ...([
      'docs/vscode.md has every command of the palette',
      'docs/vscode.md',
      `${head}| runs | Count |\n\n## The log`,
    ] as const),
    ['docs/vscode.md: does not name Count Runs', 'docs/vscode.md: Count is not a command'],
  ],
])('%s: %s with %j', (rule, path, text, said) =>
  expect(tableRules[rule]?.([program, event, rows, manifest, { path, text }])).toEqual(said),
);
