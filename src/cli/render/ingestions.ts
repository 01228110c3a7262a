import { localTime } from '../../base/localTime.ts';
import { firstLine } from '../../base/text.ts';
import type { Ingestion, IngestionCandidate } from '../../model/ingestion.ts';
import type { Style } from './style.ts';

/** A line for each cycle, and one for each statement that it taught. */
export function formatIngestions(ingestions: readonly Ingestion[], style: Style): string[] {
  if (ingestions.length === 0) return ['No cycle has taught anything that was proven.'];
  return ingestions.flatMap((one) => [
    `${style.strong(one.plan)}  ${localTime(one.at)}  ${style.faint(one.id)}`,
    ...one.candidates.map((candidate) => `  ${candidate.state.padEnd(9)}  ${firstLine(candidate.title)}`),
  ]);
}

/** All that is known of what one cycle taught. */
export function formatIngestion(ingestion: Ingestion, style: Style): string[] {
  const head = `${style.strong(ingestion.plan)}  ${localTime(ingestion.at)}  ${style.faint(ingestion.id)}`;
  return [head, ...ingestion.candidates.flatMap((candidate) => ['', ...formatCandidate(candidate, style)])];
}

function formatCandidate(candidate: IngestionCandidate, style: Style): string[] {
  const { title, state, claims, tags, folder, near, positions, outcome, became } = candidate;
  return [
    `${style.strong(firstLine(title))}  ${state}`,
    ...claims.map((claim) => `  proven   ${firstLine(claim)}`),
    `  place    ${folder}${tags.length === 0 ? '' : `, tags ${tags.join(', ')}`}`,
    ...near.map(({ title: other, path, score }) => `  close    ${score.toFixed(2)}  ${firstLine(other)} (${path})`),
    ...positions.map(({ expert, verdict, reason }) => `  ${expert}  ${verdictWords[verdict]}: ${firstLine(reason)}`),
    ...(outcome === undefined ? [] : [`  outcome  ${firstLine(outcome)}`]),
    ...(became === undefined ? [] : [`  entry    ${became}`]),
  ];
}

const verdictWords = {
  absorb: 'takes it in',
  link: 'has it already',
  reject: 'rejects it',
  none: 'did not decide',
} as const;
