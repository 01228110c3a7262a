import { person } from './message.ts';
import type { RoutingStep } from './routing.ts';
import type { RoutedType } from './rule.ts';

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
