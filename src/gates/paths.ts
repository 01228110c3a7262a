import { filesWritten } from '../model/phaseFiles.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { verdictOf } from './records.ts';

/** Only files that the phase may write have changed, none is gone, and nothing changed without a verb. */
export function judgePaths(proposal: Proposal): Verdict {
  const { phase, base, proposed, unattributed } = proposal;
  const written = filesWritten(phase);
  const findings: string[] = [];
  for (const file of new Set([...base.keys(), ...proposed.keys()])) {
    if (base.get(file) === proposed.get(file)) continue;
    if (!written.includes(file)) findings.push(`${file}: the phase ${phase} cannot change this file.`);
    else if (!proposed.has(file)) findings.push(`${file}: the file is gone; no verb removes it.`);
  }
  if (findings.length > 0) return verdictOf(`A file changed that ${phase} cannot change.`, findings);
  if (unattributed.length === 0) return { outcome: 'accept' };
  const reason = `Changed in the plan's folder during the session, by no verb: ${unattributed.join(', ')}.`;
  return { outcome: 'needs-approval', kind: 'unattributed-change', reason };
}
