import { t } from '@vscode/l10n';
import { isRecord } from '../../base/json.ts';
import { compareIds } from '../../model/id.ts';
import type { ExpertRow } from '../../model/requests/experts.ts';
import type { Candidate } from '../../model/routing.ts';
import { scorePartText } from '../../model/routingText.ts';
import type { PlanOutline } from '../planOutline.ts';
import { plainChoice } from '../sanitizeLabel.ts';

/** Possible receivers of a message that found none, as rows to choose from. */
export interface ReceiverChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly value: string;
}

export interface Receivers {
  readonly outline: PlanOutline;
  readonly experts: { readonly rows: readonly ExpertRow[] };
}

/** Those first that come into question, the likeliest before the others; then every plan and expert there is. */
export function receiverChoices(details: unknown, { outline, experts }: Receivers): ReceiverChoice[] {
  const candidates = candidatesOf(details);
  const described = new Map<string, string>([
    ...[...outline.nodes.values()].map(({ plan, description }) => [plan, description] as const),
    ...experts.rows.map(({ actor, declaration }) => [actor, declaration.description] as const),
  ]);
  const likely = candidates.map(({ recipient, score, parts }) => ({
    ...choiceOf(recipient, described),
    description: plainChoice(t`likely: ${[score.toFixed(2), ...partWords(parts)].join(' · ')}`),
  }));
  const known = new Set<string>(candidates.map(({ recipient }) => recipient));
  const others = [...described.keys()].filter((recipient) => !known.has(recipient)).sort(compareIds);
  return [...likely, ...others.map((recipient) => choiceOf(recipient, described))];
}

function choiceOf(recipient: string, described: ReadonlyMap<string, string>): ReceiverChoice {
  return {
    label: plainChoice(recipient),
    description: '',
    detail: plainChoice(described.get(recipient) ?? ''),
    value: recipient,
  };
}

function candidatesOf(details: unknown): readonly Candidate[] {
  const candidates = isRecord(details) ? details['candidates'] : undefined;
  return Array.isArray(candidates) ? (candidates as readonly Candidate[]) : [];
}

function partWords(parts: Candidate['parts']): string[] {
  return Object.entries(parts).map(([name, score]) => `${scorePartText(name)} ${score.toFixed(2)}`);
}
