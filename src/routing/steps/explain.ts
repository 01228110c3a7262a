import { defined } from '../../base/defined.ts';
import type { RoutedMessage, RouteExplanation, RouteOutcome, RoutingStep } from '../../model/routing.ts';
import { leadText } from '../../model/routingText.ts';
import type { Rule } from '../../model/rule.ts';
import type { Settings } from '../../model/settings.ts';
import { routedText } from '../facts/text.ts';
import { factsOf } from '../facts/vocabulary.ts';
import { leastWords } from '../lead.ts';
import { whyRules } from '../rules/whyRule.ts';
import type { Destination } from '../targets.ts';
import { type LocalMatch, matchWithoutModel, type RoutingKnowledge } from './matchWithoutModel.ts';
import type { LocalVerdict } from './routeAdvance.ts';

export interface ExplainPorts {
  readonly destination: (message: RoutedMessage) => Promise<Destination>;
  readonly knowledge: () => Promise<RoutingKnowledge>;
  /** All that the file has, those that are off among them. */
  readonly rules: () => Promise<readonly Rule[]>;
  readonly localVerdict: (found: LocalMatch) => Promise<LocalVerdict>;
  readonly settings: Pick<Settings['routing'], 'facts' | 'auto-score'>;
}

type Step = RouteExplanation['steps'][number];

/** Rules that do not match and are told all the same: as much of their conditions holds. */
const nearlyMet = 0.5;
const nearlyMax = 5;
const candidatesShown = 5;

/** What would happen to a message and why; does nothing of it, and asks neither a session nor a person. */
export async function explainRoute(ports: ExplainPorts, message: RoutedMessage): Promise<RouteExplanation> {
  const destination = await ports.destination(message);
  if (destination.kind === 'refused') {
    return direct(`It is refused: ${destination.reason}.`, destination);
  }
  if (destination.kind === 'actor') {
    return direct(`It names ${destination.actor}.`, { kind: 'routed', to: destination.actor });
  }
  const within = destination.kind === 'project' ? destination.project : undefined;
  const knowledge = await ports.knowledge();
  const found = await matchWithoutModel(knowledge, message, within);
  const verdict = await ports.localVerdict(found);
  const facts = factsOf(knowledge.vocabulary, routedText(message)).map(({ fact, words }) => ({ fact, from: words }));
  const outcome: RouteOutcome | undefined = verdict.kind === 'route' ? { kind: 'routed', to: verdict.to } : undefined;
  return {
    facts,
    rules: rulesOf(await ports.rules(), message, found),
    candidates: found.candidates.slice(0, candidatesShown),
    steps: [
      step('direct', within === undefined ? 'It names no receiver.' : `It names the project ${within} and no plan.`),
      ...localSteps(found, verdict, ports.settings),
      ...(verdict.kind === 'route' ? [] : askedSteps(verdict.scope ?? within)),
    ],
    ...defined({ scoreLead: found.scoreLead, outcome }),
  };
}

function direct(said: string, outcome: RouteOutcome): RouteExplanation {
  return { facts: [], rules: [], candidates: [], steps: [step('direct', said, true)], outcome };
}

function step(name: RoutingStep, text: string, decided = false): Step {
  return { step: name, text, decided };
}

function rulesOf(rules: readonly Rule[], message: RoutedMessage, { facts }: LocalMatch): RouteExplanation['rules'] {
  const reasons = whyRules(rules, { on: message.type, from: message.from, facts });
  const matched = reasons.filter(({ matches }) => matches);
  const nearly = reasons
    .filter(({ matches, met }) => !matches && met >= nearlyMet)
    .sort((a, b) => b.met - a.met)
    .slice(0, nearlyMax);
  return [...matched, ...nearly].map(({ rule, matches, because }) => ({
    ...{ rule: rule.id, target: rule.target, matches, because },
  }));
}

function localSteps(found: LocalMatch, verdict: LocalVerdict, settings: ExplainPorts['settings']): Step[] {
  const byRules = step(
    'rules',
    describeRules(found, verdict, settings),
    verdict.kind === 'route' && verdict.step === 'rules',
  );
  // A rule that leads to a project has decided who is asked.
  if (byRules.decided || (verdict.kind === 'go' && verdict.scope !== undefined)) return [byRules];
  const isLead = verdict.kind === 'route' && verdict.step === 'scores';
  return [byRules, step('scores', describeScores(found, isLead, settings), isLead)];
}

function describeScores(
  { candidates, scoreLead, leader }: LocalMatch,
  isLead: boolean,
  settings: ExplainPorts['settings'],
): string {
  const [first] = candidates;
  if (first === undefined) return 'No plan or expert has a score.';
  const best = `${first.recipient} has the best score, ${first.score.toFixed(2)}.`;
  if (!settings['auto-score']) return `Scores decide nothing here (routing.auto-score). ${best}`;
  if ((first.words ?? 0) < leastWords)
    return `${best} It decides nothing, since it rests on fewer than ${leastWords} words.`;
  if (scoreLead === undefined)
    return `${best} It decides nothing, since not all texts of plans and earlier decisions could be read.`;
  const isGone = leader !== undefined && !isLead;
  return `${best} ${leadText(scoreLead)}${isGone ? ` ${leader} does not exist any more.` : ''}`;
}

function describeRules(
  { verdict: rules, facts }: LocalMatch,
  verdict: LocalVerdict,
  { facts: extractor }: ExplainPorts['settings'],
): string {
  const asked =
    extractor === 'model'
      ? ' A model would be asked for its facts; these are from the words of the vault, which count if it is late.'
      : '';
  if (rules.kind === 'ambiguous') {
    const [first] = rules.targets;
    const why =
      rules.targets.length === 1
        ? `they lead out of the project, to ${first}`
        : `they lead to ${rules.targets.join(' and ')}`;
    return `Rules match but do not decide: ${why}.${asked}`;
  }
  if (rules.kind === 'none') {
    return `${facts.length === 0 ? 'It has none of the words that rules and plans use, so no rule with words matches.' : 'No rule matches.'}${asked}`;
  }
  if (verdict.kind === 'route' && verdict.step === 'rules') return `${verdict.reasoning}${asked}`;
  if (verdict.kind === 'go' && verdict.scope !== undefined)
    return `A rule leads to the project ${verdict.scope}.${asked}`;
  return `A rule matches and leads to ${rules.target}, which does not exist.${asked}`;
}

function askedSteps(scope: string | undefined): Step[] {
  const where = scope === undefined ? 'among all plans and experts' : `in the project ${scope}`;
  return [
    step('level-2', `A session would look for the receiver ${where}; it could have a second session check one plan.`),
    step('person', 'A person would be asked if no plan accepts it.'),
  ];
}
