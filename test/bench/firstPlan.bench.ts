import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { firstHourGoal, firstHourProject, firstHourScenario } from '../support/firstHour.ts';
import { type Bench, type BenchRow, round } from './bench.ts';

/** The bundle of a bench lies elsewhere; the runner starts it in the repository. */
const program = join(process.cwd(), 'dist', 'ravel.mjs');
const commandsMax = 5;
const secondsMax = 60;

/** A command that a person types, with how long it took in seconds. */
interface Typed {
  readonly words: string;
  readonly seconds: number;
  readonly stdout: string;
}

/**
 * What a person types who has Ravel and a repository and nothing else: no vault, no settings, and the scripted model in
 * place of a login. Every command is one that the answer before it names, so the bench fails if one no longer leads on.
 */
async function firstPlan(): Promise<BenchRow> {
  const root = mkdtempSync(join(tmpdir(), 'ravel-bench-'));
  try {
    const project = makeRepository(join(root, 'duration'));
    const scenario = join(root, 'scenario.json');
    writeFileSync(scenario, JSON.stringify(firstHourScenario));
    const vault = join(root, 'vault');
    const type = typeIn(root, { RAVEL_VAULT: vault });
    const made = type(['init', vault, '--adopt', project, '--description', 'A library for durations']);
    const under = wordAfter(made.stdout, '--under ');
    const proposed = type(['plan', firstHourGoal, '--under', under, '--scenario', scenario]);
    const accepted = type(['approvals', 'accept', wordAfter(proposed.stdout, 'approvals accept ')]);
    if (!accepted.stdout.includes('Added 2 tasks')) throw new Error(`No plan was made: ${accepted.stdout}`);
    const toPlan = [made, proposed, accepted];
    const run = ['run', under, '--phase', 'work', '--harness', 'scripted', '--scenario', scenario];
    const all = [...toPlan, type(run)];
    const { phase, backlog } = readPlan(type, under);
    if (phase === 'work' || !backlog.includes('done')) throw new Error(`The work did not finish: ${phase}, ${backlog}`);
    const value = round(secondsOf(all), 1);
    // An installation from a registry is one more command; what it takes is the network's.
    const commands = all.length + 1;
    return {
      id: 'first-plan',
      value,
      unit: 's',
      goal: `≤ ${secondsMax} s of its own, ≤ ${commandsMax} commands`,
      ok: value <= secondsMax && commands <= commandsMax,
      note: `${commands} commands from an empty machine to the first finished work phase, with the installation, whose time is not counted; ${toPlan.length + 1} commands and ${round(secondsOf(toPlan), 1)} s to the first accepted plan; ${all.map(({ words, seconds }) => `${words} ${round(seconds, 1)} s`).join(', ')}`,
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function typeIn(root: string, environment: Readonly<Record<string, string>>) {
  const env = {
    ...{ PATH: process.env['PATH'], HOME: root, XDG_RUNTIME_DIR: root, TMPDIR: root },
    ...{ GIT_AUTHOR_NAME: 'Robin', GIT_AUTHOR_EMAIL: 'robin@example.org' },
    ...{ GIT_COMMITTER_NAME: 'Robin', GIT_COMMITTER_EMAIL: 'robin@example.org' },
    ...environment,
  };
  return (args: readonly string[]): Typed => {
    const start = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      ...{ cwd: root, env, encoding: 'utf8' },
    });
    const seconds = (performance.now() - start) / 1000;
    if (status !== 0) throw new Error(`ravel ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
    return { words: args.slice(0, args[0] === 'approvals' ? 2 : 1).join(' '), seconds, stdout };
  };
}

function makeRepository(directory: string): string {
  for (const [path, text] of Object.entries(firstHourProject)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const author = ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.org'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...author, 'commit', '-qm', 'Begin'],
  ]) {
    const { status, stderr } = spawnSync('git', args, { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  }
  return directory;
}

function readPlan(type: ReturnType<typeof typeIn>, plan: string): { readonly phase: string; readonly backlog: string } {
  const { stdout } = type(['status', plan, '--json']);
  return {
    phase: /"phase":"([a-z-]+)"/.exec(stdout)?.[1] ?? '',
    backlog: type(['state', 'backlog', 'list', plan]).stdout,
  };
}

/** What an answer says to type next. */
function wordAfter(text: string, before: string): string {
  const at = text.indexOf(before);
  const word = at < 0 ? undefined : /^\S+?(?=[`\s])/.exec(text.slice(at + before.length))?.[0];
  if (word === undefined) throw new Error(`The answer names no next step with "${before}": ${text}`);
  return word;
}

function secondsOf(typed: readonly Typed[]): number {
  return typed.reduce((sum, { seconds }) => sum + seconds, 0);
}

export const benches: readonly Bench[] = [{ id: 'first-plan', usesBuild: true, run: firstPlan }];
