import { memoryFingerprint } from '../model/memory.ts';
import { planFiles } from '../model/plan.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { comparedMax, DreamText, dreamFactsOf, inventedFacts, missingFacts } from './dream/dreamFacts.ts';
import { isSame, type PlanRecord, recordsOf, textOf, verdictOf } from './records.ts';

/**
 * A dream loses nothing: an entry may vanish only if another says the same, or if the map names entries that
 * together hold every number, date, identifier, path, quoted term and qualifying word it had, each in a clause about
 * the same thing. What an entry did not say must not appear in it either: a "not" from nowhere turns it round.
 *
 * Words are compared, not meanings: a change that keeps all of these can still mislead, and a true rewording may be
 * refused, which costs a session one more attempt.
 */
export function judgeDreamLossless(proposal: Proposal): Verdict {
  if (proposal.phase !== 'dream') return { outcome: 'accept' };
  const before = recordsOf(proposal.baseValues, planFiles.memory, 'entries');
  const after = new Map(
    recordsOf(proposal.proposedValues, planFiles.memory, 'entries').map((entry) => [entry.id, entry]),
  );
  const fingerprints = new Set([...after.values()].map(fingerprintOf));
  const sources = new Map<string, PlanRecord[]>();
  const read = reader();
  const findings: string[] = [];
  for (const entry of before) {
    const homes = homesOf(entry.id, proposal).filter((id) => after.has(id));
    for (const id of homes) noteSource(sources, id, entry);
    if (fingerprints.has(fingerprintOf(entry))) continue;
    findings.push(...lossesOf(entry, homes, after, read));
  }
  for (const [id, entry] of after) findings.push(...inventionsOf(id, entry, sources.get(id) ?? [], read));
  return verdictOf('The dream would lose or change what the memory says.', findings);
}

/** An entry that the map does not name is its own home; one that is still there always is. */
function homesOf(id: string, { dreamMap }: Proposal): readonly string[] {
  const mapped = Object.hasOwn(dreamMap, id) ? (dreamMap[id] ?? []) : [];
  return [...new Set([id, ...mapped])];
}

function noteSource(sources: Map<string, PlanRecord[]>, id: string, entry: PlanRecord): void {
  const known = sources.get(id);
  if (known === undefined) sources.set(id, [entry]);
  else known.push(entry);
}

type Read = (entry: PlanRecord) => DreamText;

/** Takes the text of an entry apart once, for however many entries it is compared with. */
function reader(): Read {
  const texts = new Map<PlanRecord, DreamText>();
  return (entry) => {
    const text = texts.get(entry) ?? new DreamText(textOfEntry(entry));
    texts.set(entry, text);
    return text;
  };
}

function lossesOf(
  entry: PlanRecord,
  homes: readonly string[],
  after: ReadonlyMap<string, PlanRecord>,
  read: Read,
): string[] {
  if (homes.length === 0) return [`The entry "${entry.id}" is gone, and no entry is named that holds what it said.`];
  const held = homes.flatMap((id) => after.get(id) ?? []);
  const tooLong = [entry, ...held].find(isTooLong);
  if (tooLong !== undefined) return [notCompared(entry.id, tooLong)];
  const missing = missingFacts(dreamFactsOf(read(entry)), held.map(read));
  if (missing.length === 0) return [];
  const where = homes.map((id) => `"${id}"`).join(', ');
  return [`The entry "${entry.id}" loses in ${where}: ${missing.join('; ')}.`];
}

function inventionsOf(id: string, entry: PlanRecord, sources: readonly PlanRecord[], read: Read): string[] {
  if (sources.some((source) => isSame(source['title'], entry['title']) && isSame(source['body'], entry['body'])))
    return [];
  const tooLong = [entry, ...sources].find(isTooLong);
  if (tooLong !== undefined) return [notCompared(id, tooLong)];
  const invented = inventedFacts(read(entry), sources.map(read));
  return invented.length === 0 ? [] : [`The entry "${id}" says what no entry said: ${invented.join('; ')}.`];
}

function isTooLong(entry: PlanRecord): boolean {
  return textOfEntry(entry).length > comparedMax;
}

function notCompared(id: string, long: PlanRecord): string {
  const size = `the entry "${long.id}" has ${textOfEntry(long).length} characters, and at most ${comparedMax} are compared`;
  return `The change of "${id}" cannot be checked: ${size}. Leave them as they were, or shorten the long one outside of a dream.`;
}

function fingerprintOf(entry: PlanRecord): string {
  return memoryFingerprint({ title: textOf(entry['title']), body: textOf(entry['body']) });
}

/** Title and body as two paragraphs, so that no sentence runs from one into the other. */
function textOfEntry(entry: PlanRecord): string {
  return `${textOf(entry['title'])}\n\n${textOf(entry['body'])}`;
}
