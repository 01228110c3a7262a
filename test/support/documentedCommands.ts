import { lineOf } from './sourceText.ts';

/** A command line of `ravel` that a paper shows. */
export interface DocumentedCommand {
  /** `path:line`. */
  readonly where: string;
  /** As it stands there. */
  readonly text: string;
  /** From `ravel` on; alternatives, brackets and ellipses are resolved. */
  readonly words: readonly string[];
  /** Whether it may leave out what it needs: a mention in a sentence, or one with an ellipsis. */
  readonly isPartial: boolean;
}

/** Every command line in backquotes and in blocks of code. */
export function documentedCommands(path: string, text: string): DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  const outside = text.replace(/^ *```.*\n([\s\S]*?)^ *```$/gm, (block: string, body: string, at: number) => {
    const first = at + block.indexOf('\n') + 1;
    for (const { 0: line, index } of body.matchAll(/(?:.*\\\n)*.+/g)) {
      const joined = line.replace(/ *\\\n */g, ' ');
      // What stands behind two spaces explains the command.
      const shown = joined.replace(/^[ $]*/, '').replace(/^((?:"[^"]*"|'[^']*'|[^"'])*?) {2}.*$/s, '$1');
      add(shown, first + index, false);
    }
    return block.replace(/[^\n]/g, ' ');
  });
  for (const { 1: code = '', index } of outside.matchAll(/`([^`\n]+)`/g)) add(code.replaceAll('\\|', '|'), index, true);
  return commands;

  function add(shown: string, at: number, isMention: boolean): void {
    for (const part of withoutAlternatives(shown)) {
      for (const words of simpleCommands(part)) {
        const isPartial = isMention || words.some((word) => isEllipsis(word));
        const kept = words.filter((word) => !isEllipsis(word));
        commands.push({ where: `${path}:${lineOf(text, at)}`, text: shown, words: kept, isPartial });
      }
    }
  }
}

/** `list | show` and `yaml|json` are one command each; brackets around what may be left out go. */
function withoutAlternatives(shown: string): string[] {
  const spaced = /^(ravel(?: [a-z-]+)*) ([a-z-]+(?: \| [a-z-]+)+)((?: [A-Z<…[].*)?)$/.exec(shown);
  if (spaced !== null) {
    const [, head = '', words = '', tail = ''] = spaced;
    return words.split(' | ').map((word) => `${head} ${word}${tail}`);
  }
  const choice = /(?<= )\[?([\w-]+(?:\|[\w-]+)+)\]?(?= |$)/.exec(shown);
  if (choice === null) return [shown.replace(/ \[([^\]]*)\]/g, ' $1')];
  const [all, words = ''] = choice;
  return words.split('|').flatMap((word) => withoutAlternatives(shown.replace(all, word)));
}

/** The commands of a line of shell that are ours, as words; settings of the environment before one are passed over. */
export function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of line.matchAll(/(?:<[\w-]+>|"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\|;&>#])+|&&|[|;&>]|#.*/g)) {
    if (/^(?:&&|[|;&>]|#.*)$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(unquoted(token));
  }
  return commands
    .map((words) =>
      words.slice(
        Math.max(
          0,
          words.findIndex((word) => !/^\w+=/.test(word)),
        ),
      ),
    )
    .filter(([program]) => program === 'ravel');
}

function unquoted(word: string): string {
  return word.replace(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
    (_all, double?: string, single?: string, escaped?: string) =>
      double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
  );
}

function isEllipsis(word: string): boolean {
  return /^(?:…|\.\.\.|\[options\])$/.test(word);
}
