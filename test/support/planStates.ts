import { snapshotFiles } from '../../src/housekeeping/snapshots/snapshots.ts';
import { formatYaml } from '../../src/yaml/yaml.ts';
import { makePlanWorld, type PlanWorld } from './planServices.ts';
import { createRandom, type Random } from './seededRandom.ts';

export type StateTexts = Readonly<Record<string, string | undefined>>;

export interface MadeStates {
  readonly world: PlanWorld;
  /** In the order of their commits, whose titles are `State 0` and so on. */
  readonly states: readonly StateTexts[];
  readonly random: Random;
}

const words = ['grüße', '漢字', 'rule', '`code`', '"quoted"', '# no comment', 'a: b', "it's", '\\', 'end'];

/** A plan whose repository has this many random states of it, each in a commit. */
export async function makeStates({
  count,
  seed,
}: {
  readonly count: number;
  readonly seed: number;
}): Promise<MadeStates> {
  const random = createRandom(seed);
  const world = await makePlanWorld({ source: { 'README.md': '# Demo\n' } });
  const states: StateTexts[] = [];
  for (let n = 0; n < count; n++) {
    for (const [file, text] of Object.entries(randomState(random, n))) {
      if (text !== undefined) world.writePlan(file, text);
      else if (world.planText(file) !== undefined) world.removePlan(file);
    }
    await world.git('add', '--all');
    await world.git('commit', '--quiet', '--allow-empty', `--message=State ${n}`);
    states.push(snapshotTexts(world));
  }
  return { world, states, random };
}

/** The files of the root plan that a snapshot has, as they are now. */
export function snapshotTexts(world: PlanWorld): StateTexts {
  return Object.fromEntries(snapshotFiles.map((file) => [file, world.planText(file)]));
}

function randomState(random: Random, n: number): StateTexts {
  const text = () => Array.from({ length: 1 + random(6) }, () => words[random(words.length)]).join(' ');
  const records = (make: (at: number) => object) => Array.from({ length: random(6) }, (_none, at) => make(at));
  const end = ['', '\n', '\n# a comment\n'][random(3)];
  const tasks = records((at) => ({
    ...{ id: `task-${at}`, title: text(), category: 'core' },
    ...{ status: ['not_started', 'in_progress', 'done'][random(3)], description: `${text()}\n${text()}` },
    dependencies: at === 0 || random(2) === 0 ? [] : ['task-0'],
  }));
  const entries = records((at) => ({ id: `entry-${at}`, title: text(), body: text() }));
  return {
    'backlog.yaml': `# Kept by ${n}\n${formatYaml({ tasks })}${end}`,
    'memory.yaml':
      random(2) === 0 ? `${formatYaml({ entries })}${end}` : formatYaml({ entries }).replaceAll('\n', '\r\n'),
    'phase.md': `${['work', 'reflect', 'triage'][random(3)]}\n`,
    'dream-word-count': random(3) === 0 ? undefined : `${random(1000)}\n`,
    'latest-session.yaml':
      random(2) === 0
        ? undefined
        : formatYaml({ id: `s-${n}`, timestamp: '2026-01-02T03:04:05Z', phase: 'work', body: text() }),
  };
}
