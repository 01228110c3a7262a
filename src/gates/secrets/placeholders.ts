/**
 * What stands in a document in place of a secret. Each check takes time that grows with the length of the text alone.
 */

/**
 * Words that a random token holds by chance less often than once in ten thousand. The last is the name in the signed token
 * that every documentation shows.
 */
const placeholderWord =
  /example|sample|dummy|fake|placeholder|redacted|masked|change[-_ ]?me|your|insert|replace|notreal|made[-_ ]?up|not[-_]a[-_]real|goes[-_]?here|some[-_]?(?:secret|token|key)|my[-_](?:secret|token|key|password)|test[-_](?:secret|token|key|password)|access[-_]?token|api[-_]?key|password|undefined|mock|bogus|invalid|foobar|IkpvaG4gRG9l/i;

/** Whether a token's random part was made up by a person: it names itself so, repeats itself, or counts. */
export function isMadeUp(body: string): boolean {
  return (
    placeholderWord.test(body) || hasLongRepeat(body) || hasFewCharacters(body) || isSequence(body) || isPeriodic(body)
  );
}

/** `xxxxxx`, `******`, `000000`: the same character six times. */
function hasLongRepeat(text: string): boolean {
  let length = 1;
  for (let at = 1; at < text.length; at++) {
    length = text.charCodeAt(at) === text.charCodeAt(at - 1) ? length + 1 : 1;
    if (length >= 6) return true;
  }
  return false;
}

function hasFewCharacters(text: string): boolean {
  return text.length >= 12 && new Set(text).size < 6;
}

/** `1234567890`, `abcdef0123456789`: more than three of five characters follow the one before them. */
function isSequence(text: string): boolean {
  return text.length >= 8 && steps(text) > 0.6 * (text.length - 1);
}

/** How many characters are the one before them, or its neighbour: `a` and `b`, `9` and `0`. */
export function steps(text: string): number {
  let count = 0;
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    if (Math.abs(step) <= 1 || (text[at - 1] === '9' && text[at] === '0')) count += 1;
  }
  return count;
}

/** Characters of the longest piece whose repetition makes a text a placeholder. */
const periodMax = 20;

/** `deadbeefdeadbeef`: a short piece, again and again. */
function isPeriodic(text: string): boolean {
  for (let period = 1; period <= periodMax && 2 * period <= text.length; period++) {
    if (repeats(text, period)) return true;
  }
  return false;
}

function repeats(text: string, period: number): boolean {
  for (let at = period; at < text.length; at++) {
    if (text.charCodeAt(at) !== text.charCodeAt(at - period)) return false;
  }
  return true;
}

/** Whether it reads as words (`fadingCircle`, `pull_request`) and not as random letters. */
export function isWordy(text: string): boolean {
  return !/\d/.test(text) && changes(text) < 0.25 * text.length && !/^[A-Z]*$/.test(text);
}

/**
 * How often the kind of character changes: between letters and digits, from small letters to capitals, from several
 * capitals to small letters. Words have few such places, random text many.
 */
export function changes(text: string): number {
  let count = 0;
  let previous: Kind = 'other';
  let before = kindOf(text.charCodeAt(0));
  for (let at = 1; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    const isWordStart = before === 'capital' && kind === 'small' && previous !== 'capital';
    if (kind !== before && !isWordStart) count += 1;
    previous = before;
    before = kind;
  }
  return count;
}

type Kind = 'digit' | 'small' | 'capital' | 'other';

function kindOf(code: number): Kind {
  if (code >= 48 && code <= 57) return 'digit';
  if (code >= 97 && code <= 122) return 'small';
  return code >= 65 && code <= 90 ? 'capital' : 'other';
}

/** Shannon entropy in bits a character. */
export function entropyBits(token: string): number {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
}
