import type { PolicyWord } from '../../model/policy.ts';
import { UnparsableShell } from '../tools/shell/shell.ts';
import { walkShell } from '../tools/shell/shellWalk.ts';
import { encodeCommand, mayMatchCommand } from './commandPattern.ts';
import { PathRules } from './pathRules.ts';
import type { CompiledLayer, PolicyEntry, PolicyFault } from './toolPolicy.ts';

/** Examples of rules that do not do what they say: `match` a request that a rule misses, or `not-match` one that it meets. */
export function failedExamples(layer: CompiledLayer): readonly PolicyFault[] {
  const byRule = new Map<number, PolicyEntry[]>();
  for (const one of layer.rules) {
    if (one.rule === undefined) continue;
    const at = Number(one.path[1]);
    byRule.set(at, [...(byRule.get(at) ?? []), one]);
  }
  return [...byRule].flatMap(([at, strings]) => {
    const rule = strings[0]?.rule;
    const fault = (key: 'match' | 'not-match', index: number, example: string): PolicyFault => {
      const said = key === 'match' ? 'does not match' : 'matches';
      return {
        path: ['rules', at, key, index],
        message: `The rule ${rule?.id} ${said} its example ${JSON.stringify(example)}.`,
      };
    };
    return (['match', 'not-match'] as const).flatMap((key) =>
      (rule?.[key] ?? []).flatMap((example, index) => {
        const isMet = strings.some((one) => meets(one, example));
        return isMet === (key === 'match') ? [] : [fault(key, index, example)];
      }),
    );
  });
}

/** An example is a command for a rule on commands, a path for one on files, a host for one on addresses, else a tool. */
function meets({ parsed: { tool, subject } }: PolicyEntry, example: string): boolean {
  switch (subject.kind) {
    case 'command':
      return commandsOf(example).some((words) => mayMatchCommand(subject.pattern, encodeCommand(words)));
    case 'path': {
      const rules = new PathRules<true>(true);
      rules.add(subject.root, subject.pattern, true);
      const path = example.startsWith('~/')
        ? `/home${example.slice(1)}`
        : example.startsWith('/')
          ? example
          : `/project/${example}`;
      const roots = { absolute: '/', home: '/home', project: '/project' };
      return [...rules.matching({ named: path, real: path }, roots, 'either')].length > 0;
    }
    case 'domain':
      return subject.domain.startsWith('*.') ? example.endsWith(subject.domain.slice(1)) : example === subject.domain;
    default:
      return tool === example || tool === 'Bash';
  }
}

/** The simple commands of a text, by their words; none of a text that bash does not take for a command. */
function commandsOf(text: string): readonly (readonly PolicyWord[])[] {
  const found: (readonly PolicyWord[])[] = [];
  try {
    walkShell(text, ['/project'], {
      visitCommand: ({ words }) => words.length > 0 && found.push(words),
      visitUnordered: () => undefined,
      visitVariable: () => undefined,
      visitRead: () => undefined,
      visitFunction: () => undefined,
      effectOf: () => undefined,
    });
  } catch (error) {
    if (!(error instanceof UnparsableShell)) throw error;
  }
  return found;
}
