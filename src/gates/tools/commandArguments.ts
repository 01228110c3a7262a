import { join, resolve } from 'node:path';
import { hasWildcard, matchesWildcard } from '../wildcard.ts';
import { type ProgramRule, scriptOptions } from './commandRules.ts';
import { ask, type CommandPlace, type Objection, refuse, strictest } from './objection.ts';
import type { ShellWord } from './shell.ts';
import { type Access, guardedNames, pathProblem } from './toolPath.ts';

/** Judges what a program is given: every operand, and every value of an option, that is or may be a path. */
export function judgeArguments(words: readonly ShellWord[], rule: ProgramRule, place: CommandPlace): Objection {
  if (rule.operands === 'none') return undefined;
  const objections: Objection[] = [];
  let awaitsScript = rule.hasScript === true && !words.some(({ text }) => isScriptOption(text));
  let isScript = false;
  for (const word of words) {
    if (isScript) {
      isScript = false;
    } else if (rule.hasScript === true && scriptOptions.has(word.text)) {
      isScript = true;
    } else if (awaitsScript && !word.text.startsWith('-')) {
      awaitsScript = false;
    } else {
      objections.push(judgeArgument(word, rule, place));
    }
  }
  return strictest(objections);
}

/** Judges a word that is a path. */
export function judgeWord(word: ShellWord, access: Access, place: CommandPlace): Objection {
  if (word.isDynamic) {
    return access === 'remove'
      ? refuse('What would be removed cannot be known.')
      : ask('A path cannot be known beforehand.');
  }
  if (word.isHome) return refuse(`${word.text} may not be used: it lies outside the project.`);
  return strictest(place.folders.map((folder) => judgePath(word, folder, access, place)));
}

/** The index of the first word that is neither an option nor the value of one of `valued`. */
export function afterOptions(words: readonly ShellWord[], valued: ReadonlySet<string>): number {
  let at = 0;
  while (at < words.length && (words[at]?.text ?? '').startsWith('-')) at += valued.has(words[at]?.text ?? '') ? 2 : 1;
  return Math.min(at, words.length);
}

function isScriptOption(text: string): boolean {
  return scriptOptions.has(text) || text === '-f' || /^--(?:expression|regexp|file|from-file)=/.test(text);
}

function judgeArgument(word: ShellWord, rule: ProgramRule, place: CommandPlace): Objection {
  const value = pathIn(word.text);
  if (value === undefined && !word.isDynamic) return undefined;
  const isLikely = word.isDynamic || word.isHome || /[/\\~]|^\.{1,2}$/.test(value ?? '');
  if (rule.operands === 'likely' && !isLikely) return undefined;
  const tilde = word.isHome || (value ?? '').startsWith('~');
  return judgeWord({ ...word, text: value ?? '', isHome: tilde }, rule.access, place);
}

/** The part of an argument that may be a path: what follows `=`, or an option's letter; nothing of a bare option. */
function pathIn(text: string): string | undefined {
  if (text === '-' || text === '--' || text === '') return undefined;
  if (!text.startsWith('-')) return /^[\w-]+=(.+)$/s.exec(text)?.[1] ?? text;
  if (text.startsWith('--')) return /^--[\w-]+=(.+)$/s.exec(text)?.[1];
  return /^-\w*?([/~.].*)$/s.exec(text)?.[1];
}

function judgePath(word: ShellWord, folder: string, access: Access, { request }: CommandPlace): Objection {
  if (!word.isGlob || !hasWildcard(word.text)) {
    const problem = pathProblem(request, word.text, access, folder);
    return problem === undefined ? undefined : refuse(`${word.text} may not be used: ${problem}.`);
  }
  const segments = word.text.split('/');
  const at = segments.findIndex(hasWildcard);
  const prefix = at === 0 ? '.' : segments.slice(0, at).join('/') || '/';
  const base = pathProblem(request, prefix, access === 'remove' ? 'write' : access, folder);
  if (base !== undefined) return refuse(`${word.text} may not be used: ${base}.`);
  const pattern = segments[at] ?? '';
  for (const name of guardedNames(request)) {
    if (!reaches(pattern, name)) continue;
    const path = join(resolve(folder, prefix), name);
    const problem = pathProblem(request, path, access);
    if (problem !== undefined)
      return refuse(`The pattern ${word.text} also names ${name}, which may not be used: ${problem}.`);
  }
  return segments.slice(at).includes('..') ? refuse(`Where ${word.text} leads cannot be known.`) : undefined;
}

/** As in the shell, a pattern reaches a name with a leading dot only by a dot of its own. */
function reaches(pattern: string, name: string): boolean {
  return (!name.startsWith('.') || pattern.startsWith('.')) && matchesWildcard(pattern, name);
}
