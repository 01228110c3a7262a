import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import type { BenchRow } from './bench.ts';
import { tableOf } from './rows.mjs';

const repository = join(import.meta.dirname, '..', '..');
const row: BenchRow = { id: 'one', value: 2, unit: 'ms', goal: '≤ 1', ok: false, note: 'slow' };

/** Runs `run.mjs`; a run that fails is a result too. */
async function runBenches(...args: string[]): Promise<{ readonly code: number; readonly stdout: string }> {
  const script = join(repository, 'test/bench/run.mjs');
  const running = promisify(execFile)(process.execPath, [script, ...args], { encoding: 'utf8' });
  return running.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ code, stdout }),
  );
}

/** Writes benches that the bodies of their `run` describe, runs their small form and reads the report. */
async function runSmall(bodies: Readonly<Record<string, string>>) {
  const folder = await makeTemporaryDirectory();
  const benches = Object.entries(bodies).map(([id, body]) => `{ id: '${id}', run: async () => { ${body} } }`);
  await writeFile(join(folder, 'made.bench.ts'), `export const benches = [${benches.join(', ')}];\n`);
  const file = join(folder, 'report.json');
  const { code, stdout } = await runBenches('--small', '--folder', folder, '--report', file);
  const report: unknown = JSON.parse(await readFile(file, 'utf8'));
  return { code, stdout, report };
}

function giving(id: string, value: string): string {
  return `return { id: '${id}', value: ${value}, unit: 'ms', goal: '≤ 1', ok: false, note: process.env.RAVEL_BENCH_SIZE }`;
}

describe('the small form of the benches', () => {
  test('passes when every bench gives a finite number, even if it misses its goal', async () => {
    const { code, stdout, report } = await runSmall({ slow: giving('slow', '2') });
    expect(stdout).toMatch(/^small +slow +2 ms +≤ 1 +small$/m);
    expect(stdout).toMatch(/^1 passed, 0 failed$/m);
    expect(report).toMatchObject({ numPassedTests: 1, numTotalTests: 1, success: true });
    expect(code).toBe(0);
  });

  test('fails for a bench that throws, exits, gives no row, another row or no finite number, and names each', async () => {
    const { code, stdout, report } = await runSmall({
      good: giving('good', '1'),
      throws: "throw new Error('no disk')",
      exits: 'process.exit(3)',
      silent: '',
      other: giving('another', '1'),
      divided: giving('divided', '0 / 0'),
    });
    const said = stdout.split('\n').filter((line) => line.startsWith('FAILED'));
    expect(said.map((line) => line.split(/\s{2,}/).slice(1))).toEqual([
      ['throws', 'Error: no disk'],
      ['exits', 'ended with exit code 3'],
      ['silent', 'gave no row'],
      ['other', '≤ 1', 'gave the row of another'],
      ['divided', '≤ 1', 'gave a value that is not a finite number'],
    ]);
    expect(stdout).toMatch(/^1 passed, 5 failed$/m);
    expect(report).toMatchObject({ numPassedTests: 1, numTotalTests: 6, success: false });
    expect(code).toBe(1);
  });
});

test('a bench of the full form that misses its goal is a MISS, one without a row as well', () => {
  const about = { file: 'made.bench.ts', ms: 1 };
  const results = [
    { ...about, id: 'one', row },
    { ...about, id: 'two', row: { ...row, ok: 'partly' as const } },
    { ...about, id: 'three', row: { ...row, ok: true } },
    { ...about, id: 'four', problem: 'ended with exit code 1' },
  ];
  const lines = tableOf(results, { isSmall: false }).slice(1);
  expect(lines.map((line) => line.split(/\s+/, 2))).toEqual([
    ['MISS', 'one'],
    ['partly', 'two'],
    ['ok', 'three'],
    ['MISS', 'four'],
  ]);
});

test('every bench that a document names exists', async () => {
  const names = await readdir(join(repository, 'docs'), { recursive: true });
  const pages = names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name));
  const texts = await Promise.all(
    ['README.md', 'ARCHITECTURE.md', ...pages].map((name) => readFile(join(repository, name), 'utf8')),
  );
  const named = texts.flatMap((text) =>
    [...text.matchAll(/bench -- --only ([\w,-]+)/g)].flatMap(([, ids = '']) => ids.split(',')),
  );
  const { stdout } = await runBenches('--list');
  expect(named).not.toEqual([]);
  expect(named.filter((id) => !stdout.split('\n').includes(id))).toEqual([]);
});
