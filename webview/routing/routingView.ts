import { t } from '@vscode/l10n';
import { counted, formatCount, formatDollars } from '../../src/base/text.ts';
import type { RoutingResults, ShareDay, SuggestionRow } from '../../src/model/requests/routing.ts';
import { type Consulted, modelFreeSteps, type RoutingStep, routingSteps } from '../../src/model/routing.ts';
import { percent } from '../../src/model/ruleText.ts';
import type { Chart } from '../charts.ts';
import { shortCount } from '../tabs/historyView.ts';

export type DecisionRow = RoutingResults['routes']['routes'][number];

/** What a step is called if it decided. */
export const stepNames: Readonly<Record<RoutingStep, string>> = {
  direct: t('Named'),
  rules: t('Rules'),
  scores: t('Scores'),
  'level-2': t('Session asked'),
  'level-3': t('Plan asked'),
  person: t('Person'),
};

/** The same as half a sentence. */
export const stepWords: Readonly<Record<RoutingStep, string>> = {
  direct: t('named by its sender'),
  rules: t('a rule matched'),
  scores: t('clearly the best match'),
  'level-2': t('a session was asked'),
  'level-3': t('a session of the plan was asked'),
  person: t('you decided'),
};

function countOf({ steps }: ShareDay, of: readonly RoutingStep[] = routingSteps): number {
  return of.reduce((sum, step) => sum + (steps[step] ?? 0), 0);
}

/** How it stands, as a sentence: how many messages, how many of them free, and what the others cost. */
export function shareSentence(days: readonly ShareDay[]): string {
  const all = days.reduce((sum, day) => sum + countOf(day), 0);
  if (all === 0) return t('No message has been routed yet.');
  const free = days.reduce((sum, day) => sum + countOf(day, modelFreeSteps), 0);
  const usd = days.reduce((sum, day) => sum + day.usd, 0);
  const cost = usd === 0 ? '' : t`, the others for ${formatDollars(usd)}`;
  return t`${counted(all, t('{0} message'), t('{0} messages'))} routed since ${days[0]?.day ?? ''}: ${percent(free / all)} without a model${cost}.`;
}

/** Days on which something was routed; others would be drawn as if nothing had been free. */
function busyDays(days: readonly ShareDay[]): readonly ShareDay[] {
  return days.filter((day) => countOf(day) > 0);
}

function placesOf(days: readonly ShareDay[]): Pick<Chart, 'axis' | 'places' | 'placeName'> {
  return {
    axis: t('Day'),
    places: days.map((_day, at) => at + 1),
    placeName: (place) => days[place - 1]?.day.slice(5) ?? '',
  };
}

export function shareChart(all: readonly ShareDay[]): Chart {
  const days = busyDays(all);
  const values = days.map((day) => (countOf(day, modelFreeSteps) / countOf(day)) * 100);
  const words = (value: number) => percent(value / 100);
  return {
    ...{ title: t('Share without a model'), kind: 'lines', max: 100, short: words, whole: words, ...placesOf(days) },
    lines: [{ label: t('Without a model'), values }],
  };
}

export function stepChart(all: readonly ShareDay[]): Chart {
  const days = busyDays(all);
  const lines = routingSteps.map((step) => ({
    label: stepNames[step],
    values: days.map(({ steps }) => steps[step] ?? 0),
  }));
  return {
    ...{
      title: t('Messages by what decided'),
      kind: 'stack',
      short: shortCount,
      whole: formatCount,
      ...placesOf(days),
    },
    lines: lines.filter(({ values }) => values.some((value) => value > 0)),
  };
}

export function costChart(all: readonly ShareDay[]): Chart {
  const days = busyDays(all);
  return {
    ...{ title: t('Cost of routing'), kind: 'stack', short: formatDollars, whole: formatDollars, ...placesOf(days) },
    lines: [{ label: t('Sessions that were asked'), values: days.map(({ usd }) => usd) }],
  };
}

/** Suggestions that are nearly the same stand together, in the order of the first of each. */
export function groupSuggestions(rows: readonly SuggestionRow[]): readonly (readonly SuggestionRow[])[] {
  const groups = new Map<string, SuggestionRow[]>();
  for (const row of rows) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  return [...groups.values()];
}

/** Where a message went, or why it went nowhere. */
export function outcomeWords({ outcome }: DecisionRow): string {
  switch (outcome.kind) {
    case 'routed':
      return outcome.to;
    case 'refused':
      return t`refused: ${outcome.reason}`;
    case 'waiting':
      return t('needs your decision');
  }
}

/** What became of it at its receiver. */
export function resultWords({ result }: DecisionRow): string | undefined {
  if (result === undefined) return undefined;
  if (result.result === 'promoted') return result.task === undefined ? t('taken up') : t`became ${result.task}`;
  return result.reason === undefined ? t('declined') : t`declined: ${result.reason}`;
}

/** A session that was asked, in a line. */
export function consultedWords({ level, scope, answer, target, model, usd, durationMs }: Consulted): string {
  const said =
    answer === 'none' ? t('gave no valid answer') : `${answer}s${target === undefined ? '' : ` → ${target}`}`;
  const took = [
    `${(durationMs / 1000).toFixed(1)} s`,
    ...(model === undefined ? [] : [model]),
    ...(usd === undefined ? [] : [formatDollars(usd)]),
  ];
  return `${level === 2 ? t('Routing session over') : t('Check of')} ${scope} ${said} (${took.join(', ')})`;
}
