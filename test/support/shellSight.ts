import { Arrivals } from '../../src/gates/tools/arrivals.ts';
import { type Dialect, type SimpleCommand, UnparsableShell } from '../../src/gates/tools/shell/shell.ts';
import { walkShell } from '../../src/gates/tools/shell/shellWalk.ts';
import { builtinJudge } from '../../src/gates/tools/shellBuiltins.ts';
import { effectOf } from '../../src/gates/tools/shellEffects.ts';
import { judgeVariable } from '../../src/gates/tools/shellVariables.ts';

/** A command that the reader of the gate saw, and the folders that it may run in. */
export interface SeenCommand {
  readonly command: SimpleCommand;
  readonly folders: readonly string[];
}

/** What the gate sees in a text that starts in `folder`: its commands, or why it refuses to read it. */
export function seeShell(text: string, folder = '/srv/demo', dialect?: Dialect): readonly SeenCommand[] | string {
  const seen: SeenCommand[] = [];
  let refusal: string | undefined;
  const object = (objection: { readonly reason: string } | undefined) => {
    refusal ??= objection?.reason;
  };
  const place = {
    request: {
      purpose: 'work' as const,
      confinement: 'unconfined' as const,
      projectDirectory: folder,
      ravelDirectory: `${folder}/ravel`,
      resolvePath: (path: string) => path,
      request: { tool_name: 'Bash', input: {} },

      secretFilesBelow: () => [],
    },
    depth: 0,
    arrivals: new Arrivals(),
    exported: new Set<string>(),
    judgeText: () => undefined,
  };
  try {
    walkShell(
      text,
      [folder],
      {
        visitCommand: (command, folders) => {
          seen.push({ command, folders });
          const [program, ...rest] = command.words;
          if (program?.isDynamic === true || program?.isGlob === true || program?.isHome === true) {
            object({ reason: 'Which program would run cannot be known.' });
          } else if (program !== undefined) {
            object(builtinJudge(program.text)?.(rest, { ...place, folders }, program.text));
          }
          if (command.redirections.some(({ target }) => target.isDynamic || target.isGlob))
            object({ reason: 'A redirection to a file that cannot be known is refused.' });
        },
        visitUnordered: () => undefined,
        visitVariable: (name) => object(judgeVariable(name)),
        visitRead: () => undefined,
        visitFunction: () => undefined,
        effectOf: (command, state) => effectOf(command, state, (path) => path),
      },
      dialect,
    );
  } catch (error) {
    if (!(error instanceof UnparsableShell)) throw error;
    return error.message;
  }
  return refusal ?? seen;
}
