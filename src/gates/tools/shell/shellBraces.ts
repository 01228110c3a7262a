import type { CommandWord, CommandWordPart } from './shellTree.ts';

/** More words than this are not worked out. */
const wordsMax = 64;
/** Nor are longer words. */
const lengthMax = 500;

/**
 * What brace expansion makes of a word: `a{b,c}` becomes two words, `{1..3}` three. Undefined if it is not simple: nested
 * or unbalanced braces, padded or stepped sequences, an expansion between the dots, too many words.
 */
export function expandBraces(word: CommandWord): readonly CommandWord[] | undefined {
  if (!word.parts.some((part) => isPlain(part) && part.text.includes('{'))) return [word];
  const units = unitsOf(word);
  if (units.length > lengthMax) return undefined;
  let results: CommandWordPart[][] = [[]];
  let hasGroup = false;
  let hasOther = false;
  for (let at = 0; at < units.length; at++) {
    const end = isBrace(units[at], '{') ? units.findIndex((unit, index) => index > at && isBrace(unit, '}')) : -1;
    let choices: readonly (readonly CommandWordPart[])[] = [units.slice(at, at + 1)];
    if (end > at) {
      const inner = units.slice(at + 1, end);
      if (inner.some((unit) => isBrace(unit, '{')) || isDollar(units[at - 1])) return undefined;
      const found = choicesOf(inner);
      if (found === undefined) return undefined;
      if (found.length > 0) {
        choices = found;
        hasGroup = true;
      } else {
        choices = [units.slice(at, end + 1)];
        hasOther = true;
      }
      at = end;
    } else if (isBrace(units[at], '{') || isBrace(units[at], '}')) {
      if (units.some((unit) => isBrace(unit, ','))) return undefined;
      hasOther = true;
    }
    if (results.length * choices.length > wordsMax) return undefined;
    results = choices.length === 1 ? append(results, choices[0] ?? []) : product(results, choices);
  }
  // Bash expands braces in the text, so what follows `$x` may become a part of its name.
  if (hasGroup && units.some((unit) => unit.kind === 'expansion' && !unit.isQuoted)) return undefined;
  return hasGroup && hasOther ? undefined : results.map((parts) => ({ parts }));
}

/** Single characters where braces may matter, and the other parts as they are. */
function unitsOf({ parts }: CommandWord): readonly CommandWordPart[] {
  return parts.flatMap((part) =>
    isPlain(part) ? [...part.text].map((text): CommandWordPart => ({ ...part, text })) : [part],
  );
}

/** The words between braces; none for braces that stay as they are. */
function choicesOf(units: readonly CommandWordPart[]): readonly (readonly CommandWordPart[])[] | undefined {
  const choices: CommandWordPart[][] = [[]];
  for (const unit of units) {
    if (isBrace(unit, ',')) choices.push([]);
    else choices.at(-1)?.push(unit);
  }
  if (choices.length > 1) return choices;
  const text = units.map((unit) => (isPlain(unit) ? unit.text : '?')).join('');
  if (!text.includes('..')) return [];
  return sequence(text)?.map((value): CommandWordPart[] => [{ kind: 'text', text: value, isQuoted: false }]);
}

function sequence(text: string): readonly string[] | undefined {
  const found = /^(?:(-?(?:0|[1-9]\d{0,8}))\.\.(-?(?:0|[1-9]\d{0,8}))|([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))$/.exec(
    text,
  );
  if (found === null || /-0/.test(text)) return undefined;
  const isNumber = found[1] !== undefined;
  const from = isNumber ? Number(found[1]) : (found[3] ?? found[5] ?? '').charCodeAt(0);
  const to = isNumber ? Number(found[2]) : (found[4] ?? found[6] ?? '').charCodeAt(0);
  if (Math.abs(to - from) >= wordsMax) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + step * index).map((value) =>
    isNumber ? String(value) : String.fromCharCode(value),
  );
}

function append(results: readonly CommandWordPart[][], parts: readonly CommandWordPart[]): CommandWordPart[][] {
  for (const result of results) result.push(...parts);
  return [...results];
}

function product(
  results: readonly CommandWordPart[][],
  choices: readonly (readonly CommandWordPart[])[],
): CommandWordPart[][] {
  return results.flatMap((result) => choices.map((choice) => [...result, ...choice]));
}

function isPlain(part: CommandWordPart): part is Extract<CommandWordPart, { kind: 'text' }> {
  return part.kind === 'text' && !part.isQuoted;
}

function isBrace(part: CommandWordPart | undefined, character: '{' | '}' | ','): boolean {
  return part !== undefined && isPlain(part) && part.text === character;
}

function isDollar(part: CommandWordPart | undefined): boolean {
  return part !== undefined && (part.kind !== 'text' || part.text.endsWith('$'));
}
