import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolRequest } from '../../src/model/verdict.ts';
import { findTestData } from '../support/testData.ts';
import { type Bench, type BenchRow, round } from './bench.ts';
import { makeGateProject } from './gateProject.ts';

/** Commands that need what a session does not have, and why. They count for nothing here. */
const needs: readonly (readonly [string, RegExp])[] = [
  [
    'the network',
    /^(?:npm (?:ci|install|audit)|pnpm install|pip install|cargo (?:add|update)|bundle install|uv run|gh )/,
  ],
  ['a socket or a server', /^(?:docker |redis-cli|wget|curl|npm start|python3 -m http\.server)/],
  ['writing to .git', /^git (?:add|checkout|mv|fetch|commit|stash$)/],
  ['the home folder', /(?:^|[\s=:'"])~(?:\/|\s|$)/],
];

const fewCommands: readonly string[] = ['npm test', 'git status', 'ls -la src', 'cat src/a.txt | head -20'];

/** How many commands that agents run all day are let through without a question. */
async function letThrough(confinement: ToolRequest['confinement'], goal: number): Promise<BenchRow> {
  const commands = await readCommands();
  const counted = (commands ?? fewCommands).filter((command) => !needs.some(([, pattern]) => pattern.test(command)));
  const project = await makeGateProject();
  const missed: string[] = [];
  let denied = 0;
  try {
    for (const command of counted) {
      const { decision } = await project.judge('Bash', { command }, confinement);
      if (decision === 'deny') denied += 1;
      if (decision !== 'allow') missed.push(`${decision}: ${JSON.stringify(command)}`);
    }
  } finally {
    await project.remove();
  }
  const allowed = round((100 * (counted.length - missed.length)) / counted.length, 1);
  const refused = round((100 * denied) / counted.length, 1);
  return {
    id: confinement === 'confined' ? 'gate-ordinary-confined' : 'gate-ordinary',
    value: allowed,
    unit: '% allowed',
    goal: `≥ ${goal}, and at most 1 % denied`,
    ok: commands === undefined ? 'partly' : allowed >= goal && refused <= 1,
    note: [
      commands === undefined ? 'the list of commands is not on this machine' : `of ${counted.length} commands`,
      `${refused} % denied`,
      ...missed,
    ].join('; '),
  };
}

async function readCommands(): Promise<readonly string[] | undefined> {
  const data = findTestData(process.cwd());
  if (data.kind === 'absent') return undefined;
  const rows: readonly { readonly command: string }[] = JSON.parse(
    await readFile(join(data.folder, 'tool-gate/ordinary.json'), 'utf8'),
  );
  return rows.map(({ command }) => command);
}

export const benches: readonly Bench[] = [
  { id: 'gate-ordinary', run: () => letThrough('unconfined', 75) },
  { id: 'gate-ordinary-confined', run: () => letThrough('confined', 97) },
];
