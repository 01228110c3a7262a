import { lineOf } from './sourceText.ts';

/** A command line of `ravel` that a text of a source names. */
export interface SourceCommand {
  readonly path: string;
  readonly line: number;
  /** With a placeholder for whatever is put in. */
  readonly whole: string;
  /** Without the last thing that is put in. */
  readonly bare: string;
}

/** In backquotes within a string or a comment, or a template literal of its own. */
const mention = /\\?`(ravel (?:\$\{[^{}`]*\}|[^`\\\n])+)\\?`/g;

const substitution = /\$\{[^{}`]*\}/g;

/** Every command line that a source shows to a person; `${...}` stands for a placeholder. */
export function sourceCommands(path: string, text: string): SourceCommand[] {
  return [...text.matchAll(mention)].flatMap(({ 1: shown = '', index }) => {
    const whole = filled(shown);
    if (/[,:;^()]/.test(whole)) return [];
    const bare = filled(shown.replace(/\s*\$\{[^{}`]*\}(?=[^$]*$)/, ''));
    return [{ path, line: lineOf(text, index), whole, bare }];
  });
}

/** What is put in the place of a command may be any of them. */
function filled(shown: string): string {
  return shown.replace(/^ravel \$\{[^{}`]*\}/, 'ravel COMMAND').replace(substitution, 'PLAN');
}
