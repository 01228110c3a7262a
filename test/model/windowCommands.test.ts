import { describe, expect, test } from 'vitest';
import { codes } from '../../src/model/codes.ts';
import { inWindowWords, windowCommandsIn } from '../../src/model/windowCommands.ts';
import { readManifest } from '../support/manifestTexts.ts';

const manifest = readManifest<{
  contributes: { commands: { command: string; title: string }[]; views: { ravel: { id: string; name: string }[] } };
}>();
const titles = new Map([
  ...manifest.contributes.commands.map(({ command, title }) => [command, title] as const),
  ...manifest.contributes.views.ravel.map(({ id, name }) => [`${id}.focus`, `Show ${name}`] as const),
]);

test.each([
  ['See `ravel status` for the plans.', 'See “Show Plans” for the plans.'],
  ['`ravel retry shop/project-root`, or `ravel stop x`', '“Ravel: Retry Phase”, or “Ravel: Stop Plan”'],
  ['Run `ravel run PLAN --by-hand --take-over`.', 'Run “Ravel: Do Phase by Hand”.'],
  ['go on with `ravel run PLAN`.', 'go on with “Ravel: Run Cycle”.'],
  ['Look: `ravel state backlog list PLAN`', 'Look: “Ravel: Open Plan”'],
  ['See `ravel projects --help`.', 'See `ravel projects --help` in a terminal.'],
  ['Adopt it: `ravel adopt DIR --name web`', 'Adopt it: “Ravel: Adopt Project…”'],
  ['See `ravel state --help`.', 'See `ravel state --help` in a terminal.'],
  ['run `ravel doctor --clean` from time to time', 'run `ravel doctor --clean` in a terminal from time to time'],
  ['Fix what `ravel doctor` names.', 'Fix what “Ravel: Run Doctor” names.'],
  ['See `ravel knowledge list --status archived` for them.', 'See “Ravel: Restore Entry…” for them.'],
  ['Link them: `ravel knowledge contradict A B --reason TEXT`', 'Link them: “Ravel: Contradict Entry…”'],
  ['`ravel plan --from FILE` makes plans of a list', '“Ravel: Create Plans From a Goal…” makes plans of a list'],
  ['No command at all.', 'No command at all.'],
])('in a window %j reads %j', (text, expected) => expect(inWindowWords(text)).toBe(expected));

describe('the commands that a text names', () => {
  const plan = 'shop/project-root';
  const check = (text: string, ...expected: readonly object[]) =>
    expect(windowCommandsIn(text, plan)).toMatchObject(expected);

  test('are about the plan that it names', () =>
    check('`ravel retry shop/project-root/web`', { command: 'ravel.retryPhase', arguments: [`${plan}/web`] }));
  test('are about the subject if it leaves that open', () =>
    check('`ravel attach PLAN`, or `ravel stop PLAN`', { arguments: [plan] }, { title: 'Stop Plan' }));
  test('open the question that it names', () =>
    check('See `ravel approvals show 01KA`.', { command: 'ravel.openApproval', arguments: ['01KA'] }));
  test('ask which question if it names none', () => {
    expect(windowCommandsIn('See `ravel approvals show ID`.', plan)).toEqual([
      { title: 'Open Question…', command: 'ravel.openApproval' },
    ]);
  });
  test('are named once', () => check('`ravel status` or `ravel status`', { command: 'ravel.plans.focus' }));
});

test.each(Object.keys(codes))('what helps with %s leads to commands by their names', (code) => {
  const { help } = codes[code as keyof typeof codes];
  for (const { command, title } of windowCommandsIn(help, 'shop/project-root')) expect(titles.get(command)).toBe(title);
});
