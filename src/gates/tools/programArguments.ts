import { defined } from '../../base/defined.ts';
import type { ProgramOption, ProgramTable } from './programs/table.ts';
import type { ShellWord } from './shell/shell.ts';

export interface GivenOption {
  readonly name: string;
  readonly option: ProgramOption;
  readonly values: readonly ShellWord[];
}

/** The arguments of a program as its table reads them. */
export interface ProgramArguments {
  readonly options: readonly GivenOption[];
  readonly operands: readonly ShellWord[];
  /** The first word that looks like an option and is not in the table. */
  readonly unknown?: ShellWord;
  /** A word in a place where an option may stand, whose beginning depends on what the shell makes of it. */
  readonly unsettled?: ShellWord;
}

/** Reads options and operands as the program would. It stops at the first unknown option: what follows may be its value. */
export function parseArguments(words: readonly ShellWord[], table: ProgramTable): ProgramArguments {
  return new ArgumentParser(words, table).parse();
}

/** No real command has more flags than this in one word. */
const clusterMax = 100;

class ArgumentParser {
  readonly #words: readonly ShellWord[];
  readonly #table: ProgramTable;
  readonly #options: GivenOption[] = [];
  readonly #operands: ShellWord[] = [];
  #unsettled: ShellWord | undefined;
  #at = 0;

  constructor(words: readonly ShellWord[], table: ProgramTable) {
    this.#words = words;
    this.#table = table;
  }

  parse(): ProgramArguments {
    if (this.#table.style === 'raw') return { options: [], operands: this.#words };
    for (;;) {
      const word = this.#words[this.#at];
      if (word === undefined) return this.#result();
      this.#at += 1;
      const { text } = word;
      if (mayBecomeOption(word)) this.#unsettled ??= word;
      if (text === '--' && !word.isDynamic) {
        this.#operands.push(...this.#words.slice(this.#at));
        return this.#result();
      }
      if (!text.startsWith('-') || text === '-') {
        this.#operands.push(word);
        if (this.#table.stops) {
          this.#operands.push(...this.#words.slice(this.#at));
          return this.#result();
        }
      } else if (word.isDynamic || !this.#addOption(word)) {
        return { ...this.#result(), unknown: word };
      }
    }
  }

  #result(): ProgramArguments {
    const unsettled = this.#unsettled;
    return { options: this.#options, operands: this.#operands, ...defined({ unsettled }) };
  }

  #addOption(word: ShellWord): boolean {
    const { text } = word;
    if (/^-\d+$/.test(text) && this.#table.options.has('-#')) return this.#add('-#', undefined);
    if (text.startsWith('--') || this.#table.style === 'words') return this.#addLong(word);
    return this.#addCluster(word);
  }

  #addCluster(word: ShellWord): boolean {
    const { text } = word;
    for (let at = 1; at < text.length; at++) {
      if (at > clusterMax) return false;
      const name = `-${text.charAt(at)}`;
      const option = this.#table.options.get(name);
      if (option === undefined) return false;
      if (option.takes === 'flag') {
        this.#add(name, undefined);
      } else {
        const rest = text.slice(at + 1);
        return this.#add(name, rest === '' ? undefined : { ...word, text: rest });
      }
    }
    return true;
  }

  #addLong(word: ShellWord): boolean {
    const { text } = word;
    const at = text.indexOf('=');
    const name = at < 0 ? text : text.slice(0, at);
    if (this.#table.options.has(name)) {
      return this.#add(name, at < 0 ? undefined : { ...word, text: text.slice(at + 1) });
    }
    if (this.#table.style !== 'words' || text.startsWith('--')) return false;
    if (/^[\w+.=-]+$/.test(text) && this.#table.families.some((start) => text.startsWith(start))) return true;
    return this.#table.options.get(text.slice(0, 2))?.takes === 'value'
      ? this.#add(text.slice(0, 2), { ...word, text: text.slice(2) })
      : false;
  }

  #add(name: string, attached: ShellWord | undefined): boolean {
    const option = this.#table.options.get(name);
    if (option === undefined) return false;
    if (option.takes === 'flag' && attached !== undefined && !/^(?:true|false)$/.test(attached.text)) return false;
    const values = attached === undefined || option.takes === 'flag' ? [] : [attached];
    const wanted = option.takes === 'pair' ? 2 : option.takes === 'value' ? 1 : 0;
    while (values.length < wanted) {
      const next = this.#words[this.#at];
      if (next === undefined) return false;
      if (mayBecomeOption(next)) this.#unsettled ??= next;
      values.push(next);
      this.#at += 1;
    }
    this.#options.push({ name, option, values });
    return true;
  }
}

/** What a variable holds may be several words; a pattern may name a file such as `--output=x`. */
function mayBecomeOption({ text, isDynamic, isGlob }: ShellWord): boolean {
  return isDynamic || (isGlob && (/^[*?[]/.test(text) || (text.startsWith('-') && !/^--[\w-]+=/.test(text))));
}
