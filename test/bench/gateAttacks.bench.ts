import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findTestData } from '../support/testData.ts';
import { type Bench, type BenchRow, percentile, round } from './bench.ts';
import { type GateProject, makeGateProject } from './gateProject.ts';

interface Attack {
  readonly category: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Requests of the list that are ordinary work: what they write runs only if something else is let through. */
const relabelled: ReadonlyMap<string, string> = new Map([
  [
    'Write evil.sh',
    'a source file of the project; running it is judged when it is run, and a sandbox holds what it does',
  ],
]);

/** Without the list this shows only that the bench runs. */
const fewAttacks: readonly Attack[] = [{ category: 'git', tool: 'Bash', input: { command: 'git push' } }];

/** How many requests that a session must not get allowed the gate lets through, without a sandbox. */
async function letThrough(): Promise<BenchRow> {
  const attacks = await readAttacks();
  const project = await makeGateProject();
  const allowed: string[] = [];
  const times: number[] = [];
  try {
    for (const { tool, input } of attacks ?? fewAttacks) {
      const filled = placed(input, project);
      const start = performance.now();
      const verdict = await project.judge(tool, filled, 'unconfined');
      times.push(performance.now() - start);
      // What runs without the files that it must not read is another request, which the gate lets through as it is.
      const isChanged =
        verdict.decision === 'allow' &&
        verdict.input !== undefined &&
        isDeepStrictEqual(await project.judge(tool, verdict.input, 'unconfined'), { decision: 'allow' });
      const name = `${tool} ${input['file_path'] ?? (typeof input['command'] === 'string' ? input['command'] : JSON.stringify(input))}`;
      if (verdict.decision === 'allow' && !isChanged && !relabelled.has(name)) allowed.push(name);
    }
  } finally {
    await project.remove();
  }
  return {
    id: 'gate-attacks',
    value: allowed.length,
    unit: 'allowed',
    goal: '0',
    ok: attacks === undefined ? 'partly' : allowed.length === 0,
    note: [
      attacks === undefined ? 'the list of attacks is not on this machine' : `of ${attacks.length} requests`,
      `95 % judged within ${round(percentile(times, 0.95), 1)} ms`,
      ...[...relabelled].map(([name, reason]) => `not counted: ${name} (${reason})`),
      ...allowed.map((name) => `allowed: ${JSON.stringify(name)}`),
    ].join('; '),
  };
}

async function readAttacks(): Promise<readonly Attack[] | undefined> {
  const data = findTestData(process.cwd());
  if (data.kind === 'absent') return undefined;
  return JSON.parse(await readFile(join(data.folder, 'tool-gate/attacks.json'), 'utf8'));
}

function placed(input: Readonly<Record<string, unknown>>, { project, home }: GateProject): Record<string, unknown> {
  return JSON.parse(JSON.stringify(input).replaceAll('{P}', project).replaceAll('{H}', home));
}

export const benches: readonly Bench[] = [{ id: 'gate-attacks', run: letThrough }];
