import { plural } from '../base/text.ts';
import { person } from './person.ts';
import type { RoutingStep, WeighedLead } from './routing.ts';
import type { RoutedType } from './rule.ts';
import { percent } from './ruleText.ts';

/** What decided where a message goes, in the words that people are told; `by …` and `…: what it said` both read well. */
export const deciders: Readonly<Record<RoutingStep, string>> = {
  direct: 'its name',
  rules: 'rules',
  scores: 'scores',
  'level-2': 'a session',
  'level-3': 'two sessions',
  person: 'a person',
};

/** What is sent, as people call it. */
export const routedNouns: Readonly<Record<RoutedType, string>> = { dispatch: 'task', query: 'question' };

/** Who sent it, within a sentence. */
export function senderText(from: string): string {
  return from === person ? 'a person' : from;
}

/** How far the best candidate was ahead, and what that was held against, as whole sentences. */
export function leadText({ ahead, threshold, tasks, decisions }: WeighedLead): string {
  const earlier = `${plural(tasks, 'task')} of plans and ${plural(decisions, 'earlier decision')}`;
  const needed =
    threshold === undefined
      ? `No lead decides: on ${earlier}, none was right often enough.`
      : `A lead of ${percent(threshold)} decides, as tested on ${earlier}.`;
  return `The best is ahead of the second by ${percent(ahead)} of its score. ${needed}`;
}

const scorePartTexts: ReadonlyMap<string, string> = new Map([
  ['content', 'its texts'],
  ['outcomes', 'messages that it kept'],
]);

/** What a part of a score counts; `description` and `facts` say it themselves. */
export function scorePartText(name: string): string {
  return scorePartTexts.get(name) ?? name;
}
