import { memoryFingerprint } from '../model/memory.ts';
import { planFiles } from '../model/plan.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { factsOf, inventedFacts, missingFacts } from './dream/dreamFacts.ts';
import { isSame, type PlanRecord, recordsOf, textOf, verdictOf } from './records.ts';

/**
 * A dream loses nothing (design 4): an entry may vanish only where another says the same, or where the map names entries
 * that together hold every number, date, identifier, path, quoted term and qualifying word it had, each in a clause about
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
  const fingerprints = new Map([...after.values()].map((entry) => [fingerprintOf(entry), entry.id]));
  const sources = new Map<string, PlanRecord[]>();
  const findings: string[] = [];
  for (const entry of before) {
    const twin = fingerprints.get(fingerprintOf(entry));
    const homes = homesOf(entry.id, proposal).filter((id) => after.has(id));
    for (const id of homes) sources.set(id, [...(sources.get(id) ?? []), entry]);
    if (twin !== undefined) continue;
    const text = homes.map((id) => textOfEntry(after.get(id))).join('\n\n');
    findings.push(...lossesOf(entry, homes, text));
  }
  for (const [id, entry] of after) findings.push(...inventionsOf(id, entry, sources.get(id) ?? []));
  return verdictOf('The dream would lose or change what the memory says.', findings);
}

/** An entry that the map does not name is its own home; one that is still there always is. */
function homesOf(id: string, { dreamMap }: Proposal): readonly string[] {
  const mapped = Object.hasOwn(dreamMap, id) ? (dreamMap[id] ?? []) : [];
  return [...new Set([id, ...mapped])];
}

function lossesOf(entry: PlanRecord, homes: readonly string[], text: string): string[] {
  if (homes.length === 0) return [`The entry "${entry.id}" is gone, and no entry is named that holds what it said.`];
  const missing = missingFacts(factsOf(textOfEntry(entry)), text);
  if (missing.length === 0) return [];
  const where = homes.map((id) => `"${id}"`).join(', ');
  return [`The entry "${entry.id}" loses in ${where}: ${missing.join('; ')}.`];
}

function inventionsOf(id: string, entry: PlanRecord, sources: readonly PlanRecord[]): string[] {
  if (sources.some((source) => isSame(source['title'], entry['title']) && isSame(source['body'], entry['body'])))
    return [];
  const invented = inventedFacts(textOfEntry(entry), sources.map(textOfEntry).join('\n\n'));
  return invented.length === 0 ? [] : [`The entry "${id}" says what no entry said: ${invented.join('; ')}.`];
}

function fingerprintOf(entry: PlanRecord): string {
  return memoryFingerprint({ title: textOf(entry['title']), body: textOf(entry['body']) });
}

/** Title and body as two paragraphs, so that no sentence runs from one into the other. */
function textOfEntry(entry: PlanRecord | undefined): string {
  return `${textOf(entry?.['title'])}\n\n${textOf(entry?.['body'])}`;
}
