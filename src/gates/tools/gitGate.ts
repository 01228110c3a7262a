import { judgeArguments } from './commandArguments.ts';
import { gitDenied, gitReadingForms, gitReads, gitRefusedOptions } from './commandRules.ts';
import { ask, type CommandPlace, type Objection, refuse, strictest } from './objection.ts';
import type { ShellWord } from './shell.ts';

const harmlessOptions: ReadonlySet<string> = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--literal-pathspecs',
]);

/** Git may be read in a session's shell; commits, the index and the branches are code's and the person's business. */
export function judgeGit(rest: readonly ShellWord[], place: CommandPlace): Objection {
  let at = 0;
  while (at < rest.length && harmlessOptions.has(rest[at]?.text ?? '')) at += 1;
  const subcommand = rest[at];
  if (subcommand === undefined) return undefined;
  if (subcommand.isDynamic) return refuse('What git would do cannot be known.');
  const name = subcommand.text;
  const args = rest.slice(at + 1);
  if (name === '--version' || name === '--help') return undefined;
  if (name.startsWith('-')) return refuse(`git ${name} is refused: it makes git work elsewhere or run other programs.`);
  const readingForm = gitReadingForms.get(name);
  const reads = gitReads.has(name) || (readingForm !== undefined && isReadingForm(name, args, readingForm));
  if (!reads) {
    if (gitDenied.has(name))
      return refuse(`git ${name} is refused: leave the change in the tree, code makes the commits.`);
    return ask(`git ${name} is not on the list of what a session may ask git.`);
  }
  const option = args.find(({ text }) => gitRefusedOptions.test(text));
  if (option !== undefined)
    return refuse(`git ${name} ${option.text} is refused: it writes a file or starts a program.`);
  return strictest([judgeArguments(args, { access: 'read', operands: 'likely' }, place)]);
}

/** `branch` alone lists; `stash` alone, and `submodule`, do more. A value may follow where the first word only reads. */
function isReadingForm(name: string, args: readonly ShellWord[], form: RegExp): boolean {
  const [first] = args;
  if (first === undefined) return name === 'branch' || name === 'tag' || name === 'remote';
  if (first.isDynamic || !form.test(first.text)) return false;
  if (name === 'config' && !first.text.startsWith('-')) return args.length === 1;
  if (name === 'remote' || name === 'stash' || name === 'config' || name === 'tag') return true;
  return args.every(({ text, isDynamic }) => !isDynamic && form.test(text));
}
