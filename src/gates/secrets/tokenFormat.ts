/**
 * A published format of a token: what it gives access to, its shape, and where the shape is described.
 *
 * A shape is literal text with runs of characters in brackets: `ghp_[alnum:36-255]` is `ghp_` followed by 36 to 255
 * letters and digits, `[hex:32]` exactly 32. Runs and the literals between them are taken greedily and never given back,
 * so a literal must begin with a character that the run before it cannot hold.
 */
export type TokenFormat = readonly [service: string, shape: string, source: string];

/** Which characters a run can hold. */
export const alphabets = {
  digits: /[0-9]/,
  hex: /[0-9a-f]/,
  anyHex: /[0-9a-fA-F]/,
  lower: /[0-9a-z]/,
  upper: /[0-9A-Z]/,
  alnum: /[0-9A-Za-z]/,
  word: /[0-9A-Za-z_]/,
  dash: /[0-9A-Za-z-]/,
  uuid: /[0-9a-fA-F-]/,
  base64: /[0-9A-Za-z+/]/,
  url: /[0-9A-Za-z_-]/,
  loose: /[0-9A-Za-z_.~+/-]/,
  percent: /[0-9A-Za-z%_-]/,
  tilde: /[0-9A-Za-z_.~-]/,
  nonBlank: /[^\s"'`<>\\]/,
} as const;

export type Alphabet = keyof typeof alphabets;

export interface Run {
  readonly alphabet: Alphabet;
  readonly min: number;
  readonly max: number;
}

export type ShapePart = string | Run;

/** The parts of a shape, literals and runs in turn. Throws for a run of an alphabet that is not known. */
export function parseShape(shape: string): readonly ShapePart[] {
  return shape
    .split(/(\[\w+:[\d-]+\])/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', min = '', max = min] = /^\[(\w+):(\d+)(?:-(\d+))?\]$/.exec(part) ?? [];
      if (name === '') return part;
      if (!isAlphabet(name)) throw new Error(`${shape} names the alphabet ${name}, which is not known.`);
      return { alphabet: name, min: Number(min), max: Number(max) };
    });
}

function isAlphabet(name: string): name is Alphabet {
  return Object.hasOwn(alphabets, name);
}
