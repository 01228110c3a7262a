/**
 * Whether `pattern` matches the whole of `text`, as git matches pathspecs: `*` any characters, slashes too, `?` any one,
 * `[...]` a set, `\` quotes. At most as many steps as the square of the text's length, whatever the pattern.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const parts = partsOf(pattern, text.length);
  if (parts === undefined) return false;
  let at = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const current = parts[part];
    const character = text[at];
    if (current === 'star') {
      star = part;
      resume = at;
      part += 1;
    } else if (current !== undefined && character !== undefined && current(character)) {
      part += 1;
      at += 1;
    } else if (star >= 0) {
      part = star + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  while (parts[part] === 'star') part += 1;
  return part === parts.length;
}

export function hasWildcard(text: string): boolean {
  return /[*?[]/.test(text);
}

type Part = 'star' | ((character: string) => boolean);

/** Undefined if the pattern needs more characters than there are. */
function partsOf(pattern: string, charactersMax: number): readonly Part[] | undefined {
  const parts: Part[] = [];
  const lastEnd = pattern.lastIndexOf(']');
  let characters = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    const end = character === '[' && at + 2 <= lastEnd ? pattern.indexOf(']', at + 2) : -1;
    if (character === '*') {
      if (parts.at(-1) !== 'star') parts.push('star');
      continue;
    }
    characters += 1;
    if (characters > charactersMax) return undefined;
    if (character === '?') {
      parts.push(() => true);
    } else if (end >= 0) {
      parts.push(setOf(pattern.slice(at + 1, end)));
      at = end;
    } else if (character === '\\' && at + 1 < pattern.length) {
      at += 1;
      parts.push(literal(pattern.charAt(at)));
    } else {
      parts.push(literal(character));
    }
  }
  return parts;
}

function literal(wanted: string): (character: string) => boolean {
  return (character) => character === wanted;
}

function setOf(body: string): (character: string) => boolean {
  const negated = body.startsWith('!') || body.startsWith('^');
  const set = negated ? body.slice(1) : body;
  const known = new Map<string, boolean>();
  return (character) => {
    const matches = known.get(character) ?? holds(set, character) !== negated;
    known.set(character, matches);
    return matches;
  };
}

function holds(set: string, character: string): boolean {
  for (let at = 0; at < set.length; at++) {
    const low = set.charAt(at);
    if (set.charAt(at + 1) === '-' && at + 2 < set.length) {
      if (low <= character && character <= set.charAt(at + 2)) return true;
      at += 2;
    } else if (low === character) {
      return true;
    }
  }
  return false;
}
