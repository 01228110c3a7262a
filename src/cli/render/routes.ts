import { localTime } from '../../base/localTime.ts';
import { firstLine, formatDollars, formatDuration, harmless, oneLine } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { RouteExplanation, RouteOutcome, RoutingDecision } from '../../model/routing.ts';
import { deciders, leadText, routedNouns, scorePartText, senderText } from '../../model/routingText.ts';
import type { Style, TextLayout } from './style.ts';
import { clip, padEnd, widthOf, wrap } from './text.ts';

type Route = RequestResults['routes']['routes'][number];

/** What would become of a message: facts, rules, scores, then the steps in their order. */
export function formatExplanation(explained: RouteExplanation, { style, columns }: TextLayout): string[] {
  const { facts, rules, candidates, steps, outcome } = explained;
  const matched = rules.filter(({ matches }) => matches);
  const nearly = rules.filter(({ matches }) => !matches);
  const isDirect = steps.length === 1;
  return [
    ...(isDirect ? [] : section('It is about', facts.map(factLine), 'no word that a rule or a plan uses', style)),
    ...(isDirect ? [] : section('Rules that match', matched.map(ruleLine), 'none', style)),
    ...(nearly.length === 0 ? [] : section('Rules that nearly match', nearly.map(ruleLine), '', style)),
    ...(isDirect ? [] : section('Best matches, by words alone', candidates.flatMap(candidateLines), 'none', style)),
    style.strong('Step by step'),
    ...steps.flatMap(({ text: said, decided }) => {
      const sign = decided ? style.good('✓') : style.faint('·');
      const [first = '', ...more] = wrap(oneLine(said), columns - 4);
      return [`  ${sign} ${first}`, ...more.map((line) => `    ${line}`)];
    }),
    '',
    outcome === undefined ? 'Nothing decides it without a session or a person.' : outcomeText(outcome),
  ];
}

/** A line for each decision, the newest first. */
export function formatRoutes(routes: readonly Route[], { style, columns }: TextLayout): string[] {
  if (routes.length === 0) return ['No message has been routed in this vault yet.'];
  const width = Math.max(...routes.map((route) => widthOf(decidedBy(route))));
  return routes.flatMap((route) => [
    clip(
      `${style.faint(localTime(route.firstAt ?? route.at))}  ${padEnd(decidedBy(route), width)}  ${routedNouns[route.on]} from ${senderText(route.from)}: ${briefly(route.outcome)}`,
      columns,
    ),
    style.faint(clip(`  ${route.message}  ${firstLine(harmless(route.excerpt))}`, columns)),
    ...(route.reason === '' ? [] : [style.faint(clip(`  because: ${firstLine(harmless(route.reason))}`, columns))]),
  ]);
}

/** One decision whole. */
export function formatRoute(route: Route, { style, columns }: TextLayout): string[] {
  const { message, on, from, at, firstAt, facts, extractor, rules, candidates, consulted, reasoning, result } = route;
  const costs = [formatDuration(route.durationMs), ...(route.usd === undefined ? [] : [formatDollars(route.usd)])];
  return [
    style.strong(`${routedNouns[on]} ${message}`),
    `  from ${senderText(from)}, ${localTime(firstAt ?? at)}`,
    ...wrap(oneLine(harmless(route.excerpt)), columns - 2).map((line) => `  ${line}`),
    ...(route.reason === ''
      ? []
      : wrap(`because: ${oneLine(harmless(route.reason))}`, columns - 2).map((line) => style.faint(`  ${line}`))),
    '',
    `${outcomeText(route.outcome)} ${route.outcome.kind === 'waiting' ? 'Nothing decided it' : `Decided ${decidedBy(route)}${firstAt === undefined ? '' : ` at ${localTime(at)}`}`}, ${costs.join(', ')}.`,
    ...wrap(oneLine(harmless(reasoning)), columns - 2).map((line) => `  ${line}`),
    ...(result === undefined
      ? []
      : [
          `It was ${result.result} at ${localTime(result.at)}${result.task === undefined ? '' : ` as ${result.task}`}.`,
        ]),
    '',
    `It is about: ${facts.join(', ') || 'no word that a rule or a plan uses'}${extractor === 'model' ? ' (as a model found)' : ''}`,
    `Rules that matched: ${rules.join(', ') || 'none'}`,
    ...section(
      'Best matches, by words alone',
      [...candidates.flatMap(candidateLines), ...leadLines(route)],
      'none',
      style,
    ),
    ...section('Sessions that were asked', consulted.map(consultedLine), 'none', style),
    `What led to it and what came of it: ravel why ${message}`,
  ];
}

function decidedBy({ by, step, outcome }: Pick<Route, 'by' | 'step' | 'outcome'>): string {
  return outcome.kind === 'waiting' ? 'open' : `by ${by ?? deciders[step]}`;
}

function section(title: string, lines: readonly string[], none: string, style: Style): string[] {
  return [style.strong(title), ...(lines.length === 0 ? [`  ${none}`] : lines.map((line) => `  ${line}`)), ''];
}

function factLine({ fact, from }: RouteExplanation['facts'][number]): string {
  const words = from.filter((word) => word.toLowerCase() !== fact);
  return words.length === 0
    ? fact
    : `${fact}  (it says ${words.map((word) => `“${oneLine(harmless(word))}”`).join(', ')})`;
}

function ruleLine({ rule, target, because }: RouteExplanation['rules'][number]): string {
  return `${rule} → ${target}: ${because}`;
}

/** With the lines of its texts that speak for it below. */
function candidateLines({ recipient, score, parts, lines = [] }: RoutingDecision['candidates'][number]): string[] {
  const named = Object.entries(parts).filter(([, part]) => part > 0);
  const quoted = lines.map((one) => `      ${oneLine(harmless(one.in))}: “${oneLine(harmless(one.line))}”`);
  const first = `${score.toFixed(2)}  ${recipient}  (${named.map(([name, part]) => `${scorePartText(name)} ${part.toFixed(2)}`).join(', ')})`;
  return [first, ...quoted];
}

/** Where scores decided, the reasoning says it. */
function leadLines({ step, scoreLead }: Route): string[] {
  return step === 'scores' || scoreLead === undefined ? [] : [leadText(scoreLead)];
}

function consultedLine({
  level,
  scope,
  answer,
  target,
  session,
  usd,
  reasoning,
}: RoutingDecision['consulted'][number]): string {
  const asked =
    level === 2 ? `who takes it in ${scope === 'vault' ? 'the vault' : scope}` : `whether ${scope} takes it`;
  const word = { accept: 'yes', reject: 'no', none: 'no answer' }[answer];
  const to = target === undefined || target === scope ? '' : `, ${target}`;
  const cost = usd === undefined ? '' : `, ${formatDollars(usd)}`;
  return `${asked}: ${word}${to}${cost} — ${firstLine(harmless(reasoning))} (ravel logs ${session})`;
}

function briefly(outcome: RouteOutcome): string {
  switch (outcome.kind) {
    case 'routed':
      return `to ${outcome.to}`;
    case 'refused':
      return `refused, ${oneLine(outcome.reason)}`;
    case 'waiting':
      return `needs your decision (${outcome.approval})`;
  }
}

function outcomeText(outcome: RouteOutcome): string {
  switch (outcome.kind) {
    case 'routed':
      return `It goes to ${outcome.to}.`;
    case 'refused':
      return `It is refused (${outcome.code}): ${oneLine(outcome.reason)}.${outcome.help === undefined ? '' : ` ${outcome.help}`}`;
    case 'waiting':
      return `It needs your decision: ravel approvals show ${outcome.approval}.`;
  }
}
