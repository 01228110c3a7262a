import type { Random } from './seededRandom.ts';

/** Texts that a reader of the shell is likely to read otherwise than bash. */
export function makeShellText(random: Random): string {
  const text = new TextMaker(random).list(random(4));
  const mutations = random(3) === 0 ? random(4) + 1 : 0;
  return Array.from({ length: mutations }).reduce<string>((each) => mutate(each, random), text);
}

const fragments = [
  ' ',
  '\n',
  '\t',
  ';',
  '&',
  '|',
  '&&',
  '||',
  '(',
  ')',
  '{',
  '}',
  '<',
  '>',
  '>>',
  '<<',
  '"',
  "'",
  '\\',
  '\\\n',
  '$',
  '`',
  '#',
  '!',
  '=',
  '~',
  '*',
  '?',
  '[',
  ']',
  '{a,b}',
  '{1..3}',
  '$(',
  '))',
  '((',
  '$((',
  '${',
  '$x',
  '"$x"',
  "$'",
  '$"',
  'if ',
  'then ',
  'fi',
  'do ',
  'done',
  'for x in ',
  'case x in ',
  'esac',
  ';;',
  '[[ ',
  ' ]]',
  '<(',
  '&>',
  '>&',
  '2>',
  '<<E\n',
  '\nE\n',
  '<<<',
  'time ',
  'a=',
  'x+=',
  '\r',
  '\v',
  '\u00a0',
  'function f ',
  'f() ',
  ',',
  '-',
  'eval ',
  'command ',
  'cd src',
  '@',
  '%',
  ':',
  '0',
  '\\n',
  '^',
  '+',
  '/',
  'é',
];

function mutate(text: string, random: Random): string {
  const at = random(text.length + 1);
  const fragment = fragments[random(fragments.length)] ?? '';
  switch (random(4)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random(3));
    case 1:
      return text.slice(0, at) + text.slice(at).slice(random(6)) + text.slice(at, at + random(10));
    default:
      return text.slice(0, at) + fragment + text.slice(at);
  }
}

class TextMaker {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  list(depth: number): string {
    let text = this.chain(depth);
    for (let count = this.#random(3); count > 0; count--)
      text += this.#of(['; ', '\n', ' & ', '\n\n # c\n']) + this.chain(depth);
    return text;
  }

  chain(depth: number): string {
    let text = this.command(depth);
    for (let count = this.#random(5) === 0 ? 2 : 0; count > 0; count--)
      text += this.#of([' && ', ' || ', ' | ', '&&\n', ' |& ', '||']) + this.command(depth);
    return this.#random(12) === 0 ? `! ${text}` : text;
  }

  command(depth: number): string {
    if (depth > 0 && this.#random(3) === 0)
      return this.compound(depth - 1) + (this.#random(6) === 0 ? this.redirection(depth - 1) : '');
    if (this.#random(6) === 0) return this.builtin(depth);
    const parts: string[] = [];
    for (let count = this.#random(5) === 0 ? 2 : 0; count > 0; count--) parts.push(this.assignment(depth));
    if (parts.length === 0 || this.#random(2) === 0) {
      parts.push(this.#of(['a', 'b', 'no', 'c-d', "'a'", '"b"', 'a\\b', 'f', 'g']));
      for (let count = this.#random(4); count > 0; count--) parts.push(this.word(depth));
    }
    if (this.#random(6) === 0) parts.push(this.redirection(depth));
    return parts.join(this.#of([' ', ' ', ' ', '  ', ' \\\n', '\t']));
  }

  compound(depth: number): string {
    const list = () => this.list(depth);
    switch (this.#random(12)) {
      case 0:
        return `( ${list()}\n)`;
      case 1:
        return `{ ${list()}\n}`;
      case 2:
        return `if ${list()}\nthen ${list()}\nfi`;
      case 3:
        return `if ${list()}\nthen ${list()}\nelif ${list()}\nthen ${list()}\nelse ${list()}\nfi`;
      case 4:
        return `for x in ${this.words(depth)}; do ${list()}\ndone`;
      case 5:
        return `for y in ${this.words(depth)}\ndo ${list()}\ndone`;
      case 6:
        return `while ${this.#of(['no', 'no && a', 'a && no', 'no; false'])}; do ${list()}\ndone`;
      case 7:
        return `case ${this.word(depth)} in ${this.word(0)}) ${list()}\n;; (x|*) ${list()} ${this.#of([';;', ';&', ';;&', ''])} esac`.replace(
          / {2}esac$/,
          '\nesac',
        );
      case 8:
        return `${this.#of(['f()', 'g ()', 'function f'])} { ${list()}\n}`;
      case 9:
        return `[[ ${this.word(depth)} ${this.#of(['==', '!=', '=', '<', '-nt'])} ${this.word(depth)} ]]`;
      case 10:
        return `for ((i=0; i<2; i++)); do ${list()}\ndone`;
      default:
        return `until ${this.#of(['a', 'a && b', 'no || a'])}; do ${list()}\ndone`;
    }
  }

  builtin(depth: number): string {
    const word = () => this.word(depth);
    return this.#of([
      () => `cd ${this.#of(['src', 'x', '..', 'src/sub', './x', 'none', '-', 'src && cd ..', '"src"'])}`,
      () => `echo ${word()} ${word()}`,
      () => `eval ${word()} ${word()}`,
      () => `command ${this.#of(['a', 'cd src', 'echo', '-p b', '-v a'])} ${word()}`,
      () => `exec a ${word()}`,
      () => `[ ${word()} = ${word()} ]`,
      () => `test -f ${word()}`,
      () => `x=${word()}`,
      () => `export x=${word()}`,
      () => 'unset x',
      () => 'read x <<< "a b"',
      () => `set -- ${word()}`,
      () => `local x=1`,
      () => this.#of(['break', 'continue', 'return', 'true', 'false', ':', 'exit']),
      () => `printf -v x %s ${word()}`,
      () => `i=${this.#of(['1', '2', '08', '$((i+1))', '$((1+1))'])}`,
      () => `: \${x:=${this.#of(['a', 'b'])}}`,
    ])();
  }

  assignment(depth: number): string {
    return `${this.#of(['x', 'y', 'z', 'i'])}${this.#of(['=', '=', '=', '+='])}${this.#of([this.word(depth), this.word(depth), '', `(${this.words(depth)})`])}`;
  }

  redirection(depth: number): string {
    return this.#of([
      () => ` > ${this.#of(['out', 'o"u"t', 'src/out', 'o$((1))', '$x', 'out{1,2}', 'o{r..r}'])}`,
      () => ' 2>&1',
      () => ' &> out',
      () => ' >& out',
      () => ' 2>/dev/null',
      () => ' >> out',
      () => ' < a.ts',
      () => ` <<< ${this.word(depth)}`,
      () => ` <<E\n${this.#of(['t $x', '$(a b)', '`a`', '"t"', 'E\\', '\\$(a)', 't\\\nt', '${x:-$(b)}'])}\nE\n`,
      () => ` <<'E'\n$(a)\n\\\nE\n`,
      () => ' <<-E\n\tt\n\tE\n',
      () => ' 3>&1 1>&2',
      () => ' >| out',
      () => ' <> out',
    ])();
  }

  words(depth: number): string {
    return Array.from({ length: this.#random(4) }, () => this.word(depth)).join(' ');
  }

  word(depth: number): string {
    const count = this.#random(4) === 0 ? 3 : this.#random(2) + 1;
    return Array.from({ length: count }, () => this.piece(depth)).join('');
  }

  piece(depth: number): string {
    if (depth > 0 && this.#random(8) === 0) {
      const list = this.list(depth - 1);
      return this.#of([
        `$(${list})`,
        `"$(${list})"`,
        `\`${list.replace(/[\\`$]/g, '\\$&')}\``,
        `<(${list})`,
        `"\${x:-$(${list})}"`,
      ]);
    }
    return this.#of(pieces);
  }

  #of<T>(choices: readonly T[]): T {
    const found = choices[this.#random(choices.length)];
    if (found === undefined) throw new Error('There is nothing to choose from.');
    return found;
  }
}

const pieces = [
  'a',
  'b',
  'x',
  'cd',
  'if',
  'done',
  'a.ts',
  '-n',
  '--',
  '1',
  '10',
  '=',
  'x=',
  '%',
  ':',
  ',',
  '+',
  '@',
  '^',
  '/',
  '.',
  '..',
  '!',
  'é',
  '-',
  'E',
  'in',
  'do',
  "'a b'",
  '"a b"',
  "''",
  '""',
  '\\ ',
  '\\a',
  '\\\\',
  "\\'",
  '\\$',
  '"\\$x"',
  '"\\a"',
  '"\\\\"',
  "'$x'",
  '"a\'b"',
  "'a\"b'",
  '\\#',
  'a#b',
  '"#"',
  '$x',
  '"$x"',
  '${x}',
  '"${x}y"',
  '$y',
  '$z',
  '"$y"',
  '$1',
  '"$@"',
  '$*',
  '$#',
  '$?',
  '$',
  '"$"',
  '"${#x}"',
  '${x:-a}',
  '${x:+b}',
  '${x%.ts}',
  '${x#a}',
  '${x/a/b}',
  '${x:1}',
  '${x:0:-2}',
  '"${y:0:-9}"',
  '$((08))',
  '${x^^}',
  '"${z[@]}"',
  '${z[0]}',
  '$((1+2))',
  '$(( 2 * (3) ))',
  "$'a\\tb'",
  "$'\\x41'",
  "$'a\\'b'",
  "$'\\n'",
  '"$\'a\'"',
  '{a,b}',
  '{1..3}',
  '{a..c}',
  '{a}',
  '{}',
  '{a,b}{c,d}',
  '{a,"b c"}',
  '{a,$x}',
  '{,a}',
  'x{',
  '}y',
  '{a,b',
  'a,b}',
  '@{1}',
  '\\{a,b}',
  '{a\\,b}',
  '"{a,b}"',
  '{a,{b,c}}',
  '{3..1}',
  '{01..03}',
  '{a..c..2}',
  '${x}{a,b}',
  '$x{a,b}',
  '*',
  '?.ts',
  '[ab].ts',
  '*.ts',
  '"*"',
  '\\*',
  '[[:alpha:]]*',
  '[!a]*',
  'src/*',
  '~',
  '~/a',
  '"~"',
  'x=~',
  'a:~',
  '~root',
  '\\~',
  '\\\n',
  'a\\\nb',
  '"a\\\nb"',
  "'a\\\nb'",
];
