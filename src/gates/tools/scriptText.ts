/**
 * Small languages in which a command says what becomes of text. Only what is plainly harmless is recognised: printing,
 * deleting and replacing, without files and without programs.
 */

/** Whether a sed script only prints, deletes, replaces or quits. GNU sed can also run commands and write files. */
export function isHarmlessSed(script: string): boolean {
  return new SedReader(script).isHarmless();
}

/** Characters of a script that are read; a longer one is not understood, so a person is asked. */
const lengthMax = 4000;

class SedReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isHarmless(): boolean {
    if (this.#text.length > lengthMax) return false;
    for (;;) {
      this.#skip(/[\s;{}]/);
      if (this.#at >= this.#text.length) return true;
      if (!this.#address() || !this.#command()) return false;
    }
  }

  #skip(pattern: RegExp): void {
    while (this.#at < this.#text.length && pattern.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #address(): boolean {
    if (!this.#place()) return true;
    this.#skip(/[ \t]/);
    if (this.#text.charAt(this.#at) === ',') {
      this.#at += 1;
      this.#skip(/[ \t+~]/);
      if (!this.#place()) return false;
    }
    this.#skip(/[ \t!]/);
    return true;
  }

  #place(): boolean {
    const character = this.#text.charAt(this.#at);
    if (character === '$') {
      this.#at += 1;
      return true;
    }
    if (/\d/.test(character)) {
      this.#skip(/[\d~]/);
      return true;
    }
    if (character !== '/') return false;
    this.#at += 1;
    if (!this.#until('/')) return false;
    this.#skip(/[I]/);
    return true;
  }

  #command(): boolean {
    this.#skip(/[{ \t]/);
    const command = this.#text.charAt(this.#at);
    this.#at += 1;
    if (command === 's' || command === 'y') return this.#replacement(command);
    if (command === ':' || command === 'b' || command === 't' || command === 'T') this.#skip(/[ \w]/);
    else if (command === 'q' || command === 'Q') this.#skip(/[ \d]/);
    else if (command === 'a' || command === 'i' || command === 'c') return this.#line();
    else if (command === '#') return this.#line();
    else if (!'pPdDgGhHnNxl='.includes(command) || command === '') return command === '}';
    return this.#ends();
  }

  /** Text up to the end of its line. */
  #line(): boolean {
    const end = this.#text.indexOf('\n', this.#at);
    const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end;
    return !line.endsWith('\\');
  }

  #replacement(command: string): boolean {
    const delimiter = this.#text.charAt(this.#at);
    this.#at += 1;
    if (delimiter === '' || /[\w\s\\]/.test(delimiter)) return false;
    if (!this.#until(delimiter) || !this.#until(delimiter)) return false;
    if (command === 's') this.#skip(/[gpiIM\d]/);
    return this.#ends();
  }

  /** Past the next `delimiter` that is not quoted. A newline or a bracket makes it too hard to tell where it is. */
  #until(delimiter: string): boolean {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text.charAt(this.#at);
      if (character === '\n') return false;
      if (character === '\\') this.#at += 1;
      else if (character === '[' && !this.#bracketWithout(delimiter)) return false;
      else if (character === delimiter) {
        this.#at += 1;
        return true;
      }
    }
    return false;
  }

  /** Whether the delimiter stays out of a bracket: within one, programs differ on what ends it. Moves to its last character. */
  #bracketWithout(delimiter: string): boolean {
    const start = this.#text.charAt(this.#at + 1) === '^' ? this.#at + 2 : this.#at + 1;
    const end = this.#text.indexOf(']', start);
    if (end <= start) return false;
    const inside = this.#text.slice(start, end);
    if (inside.includes(delimiter) || inside.includes('\n')) return false;
    const hasClass = inside.includes('[');
    if (hasClass && this.#text.charAt(end + 1) !== ']') return false;
    this.#at = hasClass ? end + 1 : end;
    return true;
  }

  #ends(): boolean {
    this.#skip(/[ \t]/);
    return this.#at >= this.#text.length || /[;\n}]/.test(this.#text.charAt(this.#at));
  }
}

const awkFunctions: ReadonlySet<string> = new Set(
  (
    'if while for do switch print printf return length substr index split sub gsub match sprintf tolower toupper int sqrt exp ' +
    'log sin cos atan2 rand srand gensub strftime systime mktime asort asorti and or xor lshift rshift compl in delete exit'
  ).split(' '),
);
/** They run programs, read other files or show the environment. */
const awkForbidden = /\b(?:getline|system|close|fflush|ENVIRON|ARGV|ARGC|SYMTAB|FUNCTAB|PROCINFO)\b|[@`\\]/;

/** Whether an awk program only computes and prints: no pipe, no redirection, no other files, no programs. */
export function isHarmlessAwk(program: string): boolean {
  if (program.length > lengthMax) return false;
  const bare = awkWithoutTexts(program);
  if (bare === undefined || awkForbidden.test(bare) || bare.replaceAll('||', '').includes('|')) return false;
  if (bare.split(/[;{}]/).some((statement) => /\bprintf?\b/.test(statement) && statement.includes('>'))) return false;
  const called = bare.match(/[A-Za-z_]\w*(?=\s?\()/g) ?? [];
  return called.every((name) => awkFunctions.has(name));
}

/** The program with its strings and patterns emptied; undefined if it cannot be told where they end. */
function awkWithoutTexts(program: string): string | undefined {
  let bare = '';
  for (let at = 0; at < program.length; at++) {
    const character = program.charAt(at);
    if (character === '#') return undefined;
    const meaning = character === '/' ? slashAfter(bare, program.slice(at)) : character === '"' ? 'text' : 'code';
    if (meaning === undefined) return undefined;
    if (meaning === 'code') {
      bare += character;
      continue;
    }
    const end = endOfText(program, at);
    if (end === undefined) return undefined;
    bare += meaning === 'text' ? '""' : ' ~0 ';
    at = end;
  }
  return bare;
}

/** Whether a slash divides or starts a pattern, by what stands before it. */
function slashAfter(bare: string, rest: string): 'code' | 'pattern' | undefined {
  const before = bare.trimEnd();
  const last = before.charAt(before.length - 1);
  const isClear = !/["'>|]/.test(rest);
  if (/[\w)\]]/.test(last)) {
    const word = /[A-Za-z_]+$/.exec(before.slice(-12))?.[0] ?? '';
    return isClear || (last !== ')' && !awkFunctions.has(word) && word !== 'else') ? 'code' : undefined;
  }
  return last === '"' || last === '$' || before.endsWith('++') || before.endsWith('--') ? undefined : 'pattern';
}

function endOfText(program: string, start: number): number | undefined {
  const delimiter = program.charAt(start);
  for (let at = start + 1; at < program.length; at++) {
    const character = program.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '\n' || (character === '[' && delimiter === '/')) return undefined;
    else if (character === delimiter) return at;
  }
  return undefined;
}

/** Whether a filter of jq or yq reads only what it is given: no environment, no files, no modules. */
export function isHarmlessFilter(filter: string): boolean {
  return !/\benv\b|\$ENV|strenv|envsubst|\bload|\bimport\b|\binclude\b|modulemeta|\bsystem\b|\beval\b|\bexec\b/i.test(
    filter,
  );
}
