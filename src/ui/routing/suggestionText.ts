import { t } from '@vscode/l10n';
import { defined } from '../../base/defined.ts';
import { counted } from '../../base/text.ts';
import type { RuleRow, SuggestionRow } from '../../model/requests/routing.ts';
import type { BackTest, SuggestedRule } from '../../model/routing.ts';
import { backTestSentence, ruleSentence } from '../../model/ruleText.ts';
import { codeBlock, plainMarkdown, plainText, sanitizeLabel } from '../sanitizeLabel.ts';

/** What stands above the place of a suggested rule. */
export function suggestionTitle({ suggestion, backTest }: Pick<SuggestionRow, 'suggestion' | 'backTest'>): string {
  const { matched, agreed, disagreed } = backTest;
  const went = disagreed === 0 ? t`agreed ${agreed}` : t`agreed ${agreed}, disagreed ${disagreed}`;
  const tested = matched === 0 ? t('would have matched nothing yet') : t`would have matched ${matched}, ${went}`;
  return t`Suggested: ${sanitizeLabel(ruleSentence(suggestion.rule), 100)} · ${tested}`;
}

/** What a thread is called: which one it is, and whether others say nearly the same. */
export function threadLabel(row: SuggestionRow, all: readonly SuggestionRow[]): string {
  const alike = all.filter(({ group }) => group === row.group).length - 1;
  const which =
    all.length > 1 ? t` ${all.findIndex(({ approval }) => approval === row.approval) + 1} of ${all.length}` : '';
  const verb = row.suggestion.replaces === undefined ? t('Suggested rule') : t('Suggested change of a rule');
  return `${verb}${which}${alike > 0 ? t`, ${counted(alike, t('{0} other'), t('{0} others'))} alike` : ''}`;
}

/** Commands that the text of a thread may run. */
export const threadCommands = [
  'ravel.acceptSuggestion',
  'ravel.editSuggestion',
  'ravel.rejectSuggestion',
  'ravel.previewSuggestion',
  'ravel.openRouting',
  'ravel.why',
] as const;

/** Shown in a thread at most; the page of routing has all. */
const disagreementsShown = 5;
const messagesShown = 8;

/**
 * A suggestion as Markdown. Foreign text in it is escaped, so it draws nothing and cannot be clicked: the links are our
 * own commands, with an id that the owner of the vault gave out.
 */
export function threadMarkdown(row: SuggestionRow): string {
  const { suggestion, backTest, objections, yaml, approval } = row;
  const replaced = suggestion.replaces;
  return [
    // The list of comments shows this line alone.
    `**${plainMarkdown(ruleSentence(suggestion.rule), 200)}**`,
    [
      link(objections.length === 0 ? t('Accept') : t('Accept Anyway…'), 'ravel.acceptSuggestion', approval),
      link(t('Edit'), 'ravel.editSuggestion', approval),
      link(t('Reject…'), 'ravel.rejectSuggestion', approval),
      link(t('Preview'), 'ravel.previewSuggestion', approval),
      link(t('Open Routing'), 'ravel.openRouting', approval),
    ].join(' · '),
    ...objections.map((objection) => t`**Objection:** ${plainMarkdown(objection)}`),
    t`**Why:** ${plainMarkdown(suggestion.reason)}`,
    t`**Tested on past decisions:** ${plainMarkdown(backTestSentence(backTest))}`,
    ...disagreementLines(backTest),
    codeBlock(plainText(yaml, 4000).trimEnd(), 'yaml'),
    ...(replaced === undefined ? [] : [t`It would replace the rule ${plainMarkdown(replaced, 80)}.`]),
    evidence(row),
  ].join('\n\n');
}

function disagreementLines({ disagreements, disagreed }: BackTest): string[] {
  if (disagreements.length === 0) return [];
  const lines = disagreements
    .slice(0, disagreementsShown)
    .map(({ to, excerpt }) => t`- went to ${plainMarkdown(to, 120)}: ${plainMarkdown(excerpt, 160)}`);
  const rest = disagreed - lines.length;
  return [[...lines, ...(rest > 0 ? [t`- and ${rest} more`] : [])].join('\n')];
}

function evidence({ suggestion }: SuggestionRow): string {
  const { messages, by } = suggestion;
  const links = messages.slice(0, messagesShown).map((id, at) => link(t`message ${at + 1}`, 'ravel.why', id));
  const more = messages.length > messagesShown ? t` and ${messages.length - messagesShown} more` : '';
  const from = by === 'level-2' ? t('Suggested by a routing session') : t('Suggested by Ravel from past decisions');
  return links.length === 0 ? `${from}.` : `${from}: ${links.join(', ')}${more}.`;
}

function link(title: string, command: (typeof threadCommands)[number], id: string): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([id]))})`;
}

/** Above a rule, and in its hover: what it has done, and where it comes from. */
export function ruleStatistics({ fired, lastAt, origin, enabled }: RuleRow, now: number): string {
  const did =
    fired === 0 ? t('Has not decided anything yet') : t`Decided ${counted(fired, t('{0} message'), t('{0} messages'))}`;
  const last = lastAt === undefined ? '' : t`, the last ${agoWords(lastAt, now)}`;
  const off = enabled ? '' : t('Switched off · ');
  const from =
    origin?.suggestion === undefined ? '' : t` · accepted from a suggestion by ${sanitizeLabel(origin.by, 60)}`;
  return `${off}${did}${last}${from}`;
}

/** The same in a hover, with what the rule says in words. */
export function ruleHover(row: RuleRow, now: number): string {
  const { origin, note } = row;
  return [
    `**${plainMarkdown(ruleSentence(asRule(row)))}**`,
    `${plainMarkdown(ruleStatistics(row, now))}.`,
    ...(origin === null || origin === undefined
      ? []
      : [t`Put there by ${plainMarkdown(origin.by, 80)} at ${plainMarkdown(origin.at, 40)}.`]),
    ...(note === null || note === undefined ? [] : [plainMarkdown(note)]),
    link(t('Why is this here?'), 'ravel.why', row.id),
  ].join('\n\n');
}

function asRule({ id, on, from, all, any, none, target, note }: RuleRow): SuggestedRule {
  return { id, all, any, none, target, note, ...defined({ on, from }) };
}

/** Since when, as far as it matters. */
export function agoWords(at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (Number.isNaN(minutes)) return t('at an unknown time');
  if (minutes < 1) return t('just now');
  if (minutes < 60) return t`${counted(minutes, t('{0} minute'), t('{0} minutes'))} ago`;
  if (minutes < 60 * 24) return t`${counted(Math.floor(minutes / 60), t('{0} hour'), t('{0} hours'))} ago`;
  return t`${counted(Math.floor(minutes / (60 * 24)), t('{0} day'), t('{0} days'))} ago`;
}
