import { emptyDocument, type IndexedDocument } from '../../src/knowledge/retrieval/document.ts';
import { createRandom, type Random } from '../support/seededRandom.ts';

/** A question that one entry answers. */
export interface MadeUpQuestion {
  readonly kind: 'name' | 'part of a name' | 'path' | 'code' | 'message' | 'version';
  readonly query: string;
  readonly answer: string;
}

/** Entries as a team writes them about its code; many mention what another one is about. The same for each seed. */
export function* makeEntries(count: number, seed: number): Generator<IndexedDocument> {
  const random = createRandom(seed);
  for (let n = 0; n < count; n += 1) yield makeEntry(n, count, random);
}

/** Questions with what a person copies from a log or from code. */
export function makeQuestions(entries: readonly IndexedDocument[], count: number, seed: number): MadeUpQuestion[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, n): MadeUpQuestion => {
    const at = random(entries.length);
    const { name, path, code, version } = subjectOf(at);
    const answer = entries[at]?.id ?? '';
    const forms: readonly Omit<MadeUpQuestion, 'answer'>[] = [
      { kind: 'name', query: `what does ${name} do` },
      { kind: 'part of a name', query: `why does ${spaced(name)} fail` },
      { kind: 'path', query: `where is ${path} described` },
      { kind: 'code', query: `I get ${code} on my machine, what is it` },
      { kind: 'message', query: messageOf(at) },
      { kind: 'version', query: `${spaced(name)} since ${version}` },
    ];
    return { ...(forms[n % forms.length] ?? { kind: 'name', query: name }), answer };
  });
}

const verbs =
  `read write open close parse format merge split load save start stop send receive check build find watch lock
release list count move rename import export render encode decode retry`.split(/\s+/);
const things = `plan file task phase session message record journal index entry vault gate prompt backlog memory ledger
route rule target expert answer receipt cycle summary digest snapshot socket stream buffer cursor folder branch commit
queue token budget setting schema header`.split(/\s+/);
const roles = `state store reader writer queue cache table view map error order limit lock scan report`.split(/\s+/);
const areas = `plans vault routing gates harness server model actors experts knowledge base editor`.split(/\s+/);
const reasons =
  `the owner is gone, the disk is full, another program saved it, its header is missing, the limit was reached,
the folder was renamed, its checksum differs, the clock went back`.split(/,\s*/);

/** Different for each number below 28 times 38 times 15. */
function subjectOf(n: number) {
  const verb = verbs[n % verbs.length] ?? '';
  const thing = things[Math.floor(n / verbs.length) % things.length] ?? '';
  const role = roles[Math.floor(n / verbs.length / things.length + n) % roles.length] ?? '';
  const area = areas[(n * 7) % areas.length] ?? '';
  const name = `${verb}${capital(thing)}${capital(role)}`;
  return {
    ...{ verb, thing, role, area, name },
    path: `src/${area}/${thing}${capital(role)}${n % 97}.ts`,
    code: `E_${area.toUpperCase()}-${1000 + n}`,
    version: `${n % 5}.${n % 23}.${n % 89}`,
  };
}

function messageOf(n: number): string {
  const { verb, thing, role, area } = subjectOf(n);
  return `cannot ${verb} the ${thing} ${role} of ${area} ${n % 1000}: ${reasons[n % reasons.length]}`;
}

function makeEntry(n: number, count: number, random: Random): IndexedDocument {
  const { verb, thing, role, area, name, path, code, version } = subjectOf(n);
  const other = subjectOf(random(count));
  const sentences = Array.from({ length: 1 + random(3) }, () => sentence(random));
  return {
    ...emptyDocument,
    ...{ id: `entry-${String(n).padStart(6, '0')}`, scope: area, kind: n % 3 === 0 ? 'decision' : 'memory' },
    ...{ status: 'consolidated', tags: [area, thing], title: `\`${name}\` ${verb}s the ${thing} ${role}` },
    firstParagraph: `Since ${version}, \`${path}\` ${verb}s a ${thing} through \`${name}\`.`,
    body: [
      `It fails with ${code}: ${messageOf(n)}.`,
      ...sentences,
      `See \`${other.name}\` in ${other.path}${random(4) === 0 ? ` and ${other.code}` : ''}.`,
    ].join(' '),
  };
}

/** Words of a language that nobody speaks, some far more frequent than others. */
function sentence(random: Random): string {
  const word = () => {
    const rank = Math.floor(6000 ** (random(1_000_000) / 1_000_000));
    return syllables(rank);
  };
  return `${Array.from({ length: 6 + random(8) }, word).join(' ')}.`;
}

function syllables(rank: number): string {
  const sounds = ['ka', 'lo', 'mi', 'ne', 'ru', 'ta', 'so', 've', 'pi', 'du'];
  return [...String(rank)].map((digit) => sounds[Number(digit)]).join('');
}

function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
