import { formatCount, plural } from '../base/text.ts';
import type { BackTest, SuggestedRule } from './routing.ts';

type Conditions = Pick<SuggestedRule, 'on' | 'from' | 'all' | 'any' | 'none' | 'target'>;

/** A rule in one line: `tasks from web about refund + invoice, one of card / bank, not test → shop/billing`. */
export function ruleSentence({ on, from, all, any, none, target }: Conditions): string {
  const topics = [
    ...(isSome(all) ? [all.join(' + ')] : []),
    ...(isSome(any) ? [any.length === 1 ? any.join('') : `one of ${any.join(' / ')}`] : []),
  ].join(', ');
  const kind = on === undefined ? 'messages' : on === 'dispatch' ? 'tasks' : 'questions';
  const sent = from === undefined ? kind : `${kind} from ${from}`;
  const isPlain = on === undefined && from === undefined;
  const about = topics === '' ? (isPlain ? 'everything' : sent) : isPlain ? topics : `${sent} about ${topics}`;
  return `${about}${isSome(none) ? `, not ${none.join(' / ')}` : ''} → ${target}`;
}

/** What a suggestion would have done to the messages that there were, as whole sentences. */
export function backTestSentence({
  decisions,
  matched,
  agreed,
  disagreed,
  freed,
  shadowedBy,
  share,
}: BackTest): string {
  if (decisions === 0) return 'There are no decisions yet to test it on.';
  if (matched === 0) return `None of ${plural(decisions, 'decision')} would have matched.`;
  const elsewhere = disagreed === 0 ? 'none went elsewhere' : `${formatCount(disagreed)} went elsewhere`;
  return [
    `Of ${plural(decisions, 'decision')} it would have matched ${formatCount(matched)}: ${formatCount(agreed)} went there, ${elsewhere}.`,
    ...(freed === 0 ? [] : [`${plural(freed, 'message')} would have needed no model and no person.`]),
    ...(share.of === 0 || share.before === share.after
      ? []
      : [
          `Without a model: ${percent(share.before)} → ${percent(share.after)} of the newest ${formatCount(share.of)}.`,
        ]),
    ...shadowedBy.map(({ rule, messages }) => `The rule ${rule} matches ${plural(messages, 'message')} of these, too.`),
  ].join(' ');
}

/** `61 %`, of a share from 0 to 1. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function isSome(facts: readonly string[] | null | undefined): facts is readonly string[] {
  return facts !== null && facts !== undefined && facts.length > 0;
}
