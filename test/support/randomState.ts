import { formatYaml } from '../../src/yaml/yaml.ts';
import type { Random } from './seededRandom.ts';

/** Files of a plan by name; undefined for one that it does not have. */
export type StateTexts = Readonly<Record<string, string | undefined>>;

const words = ['grüße', '漢字', 'rule', '`code`', '"quoted"', '# no comment', 'a: b', "it's", '\\', 'end'];

/** The records of a plan as no other call gives them: odd letters, line ends and comments, with or without optional files. */
export function randomState(random: Random, n: number): StateTexts {
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
