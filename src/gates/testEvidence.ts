import { oneLine } from '../base/text.ts';
import type { ClaimVerdict } from '../model/session.ts';
import { UnparsableShell } from './tools/shell/shell.ts';
import { readShell } from './tools/shell/shellReader.ts';
import { wordText } from './tools/shell/shellTree.ts';

interface RanCommand {
  readonly command: string;
  readonly exitCode: number;
}

/**
 * Whether a test ran and passed: the last run that can be told decides. Its exit code is known if the whole command line
 * is that test, and, after success, if it is one of several that `&&` joins.
 */
export function testResult(test: string, commands: readonly RanCommand[]): ClaimVerdict {
  const wanted = oneLine(test);
  if (wanted === '') return 'unsupported';
  for (const { command, exitCode } of commands.toReversed()) {
    const line = oneLine(command);
    if (line === wanted || lastOf(command) === wanted) return exitCode === 0 ? 'evidenced' : 'contradicted';
    if (exitCode === 0 && joinedByAnd(command).includes(wanted)) return 'evidenced';
  }
  return 'unsupported';
}

/** The command after `cd folder &&`, whose exit code is the line's own when the folder is there. */
function lastOf(line: string): string | undefined {
  const parts = joinedByAnd(line);
  return parts.length > 1 && parts.slice(0, -1).every((part) => part.startsWith('cd ')) ? parts.at(-1) : undefined;
}

/** The commands of `a && b && c`; empty for any line of another form, if one exit code does not tell of each. */
function joinedByAnd(line: string): readonly string[] {
  try {
    const node = readShell(line);
    if (node === undefined) return [];
    const nodes = node.kind === 'chain' ? [node.first, ...node.rest.map((item) => item.node)] : [node];
    if (node.kind === 'chain' && node.rest.some(({ operator }) => operator !== '&&')) return [];
    const commands = nodes.filter((each) => each.kind === 'command');
    const runsOther = commands.some(({ words }) =>
      words.some(({ parts }) => parts.some((part) => part.kind === 'expansion' && part.runs.length > 0)),
    );
    if (commands.length < nodes.length || runsOther) return [];
    return commands.map(({ words }) => words.map(wordText).join(' '));
  } catch (error) {
    if (error instanceof UnparsableShell) return [];
    throw error;
  }
}
