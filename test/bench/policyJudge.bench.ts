import { compileLayer, ToolPolicy } from '../../src/gates/policy/toolPolicy.ts';
import type { PolicyFile } from '../../src/model/policy.ts';
import { type Bench, type BenchRow, processorMs, round, sized } from './bench.ts';

const programs = ['git', 'npm', 'docker', 'kubectl', 'terraform', 'aws', 'make', 'cargo', 'go', 'python3'];
const folders = ['src', 'docs', 'deploy', 'test', 'infra', 'packages'];

/** Half of the rules are about commands, half about files, as they are written by hand: some for any folder. */
function rulesOf(count: number): PolicyFile {
  const text = (at: number) => {
    if (at % 2 === 0) return `Bash(${programs[at % 10]} sub${at} --flag *)`;
    if (at % 10 === 1) return `Edit(**/*.x${at})`;
    return `${at % 4 === 1 ? 'Read' : 'Edit'}(/${folders[at % 6]}/part${at}/**)`;
  };
  const texts = Array.from({ length: count }, (_, at) => text(at));
  const third = (rest: number) => texts.filter((_, at) => at % 3 === rest);
  return { permissions: { deny: third(0), ask: third(1), allow: third(2) } };
}

/** Milliseconds of the processor that 99 of 100 requests take at most; requests meet rules and miss them. */
function p99(count: number): number {
  const layer = compileLayer('vault', '/vault/policy.yaml', rulesOf(count));
  const policy = new ToolPolicy([layer], '/people/ann').for({ actor: 'a/project-root', phase: 'work' }, '/srv/demo');
  const word = (text: string) => ({ text, isDynamic: false, isGlob: false });
  const times: number[] = [];
  for (let turn = 0; turn < sized(5000, 1000); turn++) {
    const at = (turn * 7919) % (count * 2);
    const path = `/srv/demo/${folders[at % 6]}/part${at}/deep/er/file.x${at}`;
    const started = processorMs();
    policy.command([programs[at % 10] ?? '', `sub${at}`, '--flag', 'x'].map(word));
    policy.path('Read', { named: path, real: path });
    policy.path('Edit', { named: path, real: path });
    times.push(processorMs() - started);
  }
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

/** The middle of three, so that one pause of the machine says nothing. */
function middle(count: number): number {
  return [p99(count), p99(count), p99(count)].sort((one, other) => one - other)[1] ?? 0;
}

function judge(): Promise<BenchRow> {
  p99(100);
  const [few, usual, many] = [middle(100), middle(1000), middle(sized(10_000, 2000))];
  return Promise.resolve({
    id: 'policy-judge',
    value: round(usual, 3),
    unit: 'ms p99',
    goal: '≤ 1 at 1,000 rules, and growing less than the rules',
    ok: usual <= 1 && many < usual * sized(10, 2) && usual < few * 10,
    note: `100 rules ${round(few, 3)} ms, ${sized('10,000', '2,000')} rules ${round(many, 3)} ms`,
  });
}

export const benches: readonly Bench[] = [{ id: 'policy-judge', run: judge }];
