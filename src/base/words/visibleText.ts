/**
 * A text as a person reads it, for comparing: two texts that look the same come out the same, whatever their bytes. Comments,
 * tags, targets of links, marks of Markdown and invisible characters are gone, entities of HTML are characters, and letters
 * of other scripts that look like Latin ones are Latin. What comes out is for comparing alone: a Cyrillic word comes out as
 * a mix of letters.
 */
export function visibleText(text: string): string {
  const shown = withoutTargets(withoutComments(withoutComments(text, '<!--', '-->'), '%%', '%%'));
  return inOneForm(withoutTags(decoded(shown)));
}

/** The same of all that its file holds: what a page hides, a session reads. */
export function wholeText(text: string): string {
  return inOneForm(decoded(text));
}

/** Twice, since an entity can stand for the beginning of another. */
function decoded(text: string): string {
  return decodeEntities(decodeEntities(text));
}

function inOneForm(text: string): string {
  return text
    .replace(/\p{Cf}|\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/(?<=[\p{L}\p{N}])[*`~]+(?=[\p{L}\p{N}])/gu, '')
    .replaceAll('_', ' ')
    .replace(/[^\p{ASCII}]/gu, (character) => lookAlikes.get(character) ?? character)
    .replace(/(?<=[a-z])[01|]|[01|](?=[a-z])/g, (sign) => (sign === '0' ? 'o' : 'l'))
    .replaceAll('i', 'l')
    .replaceAll('rn', 'm');
}

/** Comments of HTML and of Obsidian; one without an end hides nothing. A word around one stays a word. */
function withoutComments(text: string, opening: string, closing: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, from)) {
    const end = text.indexOf(closing, start + opening.length);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + closing.length;
  }
  return [...kept, text.slice(from)].join('');
}

/** Of links and images only what they show, and no mark of a footnote. */
function withoutTargets(text: string): string {
  return text
    .replace(/\[\[[^[\]|]*\|([^[\]]*)\]\]/g, '$1')
    .replace(/\[\^[^[\]]*\]/g, '')
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1');
}

/** Longest tag that is taken for one; what is longer is text. */
const tagPattern = /<\/?[a-zA-Z][^<>]{0,200}>/g;

/** Tags within a line of text do not part a word; those of blocks do. */
function withoutTags(text: string): string {
  return text.replace(tagPattern, (tag) => (/^<\/?(?:br|p|div|li|td|th|tr|h[1-6])\b/i.test(tag) ? ' ' : ''));
}

/**
 * Numeric entities, and the named ones that stand for a letter or for nothing visible; any other parts words, as the sign
 * that it stands for does. Names follow a pattern in HTML: a base letter with its accent or its face.
 * https://html.spec.whatwg.org/multipage/named-characters.html
 */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{0,31}));?/g, (whole, ...found) => {
    const [decimal, hex, name] = found as readonly (string | undefined)[];
    if (name !== undefined) return namedCharacter(name) ?? (whole.endsWith(';') ? ' ' : whole);
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : ' ';
  });
}

const accents =
  /^([a-zA-Z])(?:acute|grave|circ|uml|tilde|ring|cedil|slash|strok|caron|macr|breve|ogon|dot|dblac|scr|fr|opf)$/;

function namedCharacter(name: string): string | undefined {
  const signs: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    lowbar: '_',
    ast: '*',
    num: '#',
    semi: ';',
  };
  if (Object.hasOwn(signs, name)) return signs[name];
  if (invisible.has(name)) return '';
  return accents.exec(name)?.[1] ?? letterNames.get(name.toLowerCase());
}

const invisible: ReadonlySet<string> = new Set(
  'shy zwj zwnj lrm rlm ZeroWidthSpace NoBreak InvisibleTimes InvisibleComma ApplyFunction it ic af'.split(' '),
);

/** Letters of other scripts by their names in HTML, as the Latin ones that they look like. */
const letterNames: ReadonlyMap<string, string> = new Map(
  [
    ...['alpha a', 'omicron o', 'rho p', 'nu v', 'iota i', 'kappa k', 'upsilon u', 'chi x', 'gamma y', 'sigmaf c'],
    ...['acy a', 'vcy b', 'iecy e', 'kcy k', 'mcy m', 'ncy h', 'ocy o', 'rcy p', 'scy c', 'tcy t', 'ucy y', 'khcy x'],
    ...['iukcy i', 'jsercy j', 'dscy s', 'inodot i', 'imath i', 'jmath j', 'fjlig fj', 'aelig ae', 'oelig oe'],
    ...['szlig ss', 'eth d', 'thorn p', 'epsiv e', 'epsilon e', 'eta n', 'tau t', 'omega w'],
  ].map((row) => row.split(' ') as [string, string]),
);

/**
 * Letters that look like a Latin one in usual fonts, in lower case and after NFKC, which already turns letters of other
 * faces, full-width ones and ligatures into plain ones. They are those of the scripts that Unicode lists as confusable with
 * Latin (https://www.unicode.org/reports/tr39/, `confusables.txt`), for the letters that a word of English can hold. The whole
 * list has 6,000 lines for names of domains; no library for Node that brings it is kept up.
 */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑᴀӑӓ⍺ꭺ',
    b: 'вьβʙƅᏼꮟƀɓ',
    c: 'сϲᴄⅽ¢ꮯçⲥ',
    d: 'ԁđɗɖᏧᴅⅾꭰð',
    e: 'еεєҽɛᴇ℮ꭼѐё',
    f: 'ꬵƒϝẝꞙſ',
    g: 'ɡցɢԍğᏻƍꮐ',
    h: 'һհнʜħᏂꮋԋ',
    i: 'іιɩıɪїӏⲓꭵⅰ',
    j: 'јϳʝյᴊꭻ',
    k: 'кκᴋƙқⲕꮶ',
    l: 'ⅼłʟƚןɭⳑꮮӀ',
    m: 'мᴍϻⅿꮇɱ',
    n: 'пηոռɴլŋɲƞ',
    o: 'оοօσᴏօ๐໐ഠଠøөⲟഃ',
    p: 'рρϱᴘⲣꮲþƿ',
    q: 'ԛգզϙ',
    r: 'гᴦʀꭇꭈⲅꮢɾɼ',
    s: 'ѕꜱƽꮪʂֆ',
    t: 'тτᴛŧƭꭲțţ',
    u: 'υսᴜʋцꭎꭒ',
    v: 'ѵνᴠⅴꮩט',
    w: 'ԝшωᴡɯաꮃѡ',
    x: 'хχҳⅹ×ⲭ',
    y: 'уүγʏỿყүƴꭹ',
    z: 'ᴢʐƶȥꮓ',
  }).flatMap(([latin, others]) => [...others].map((other): [string, string] => [other, latin])),
);
