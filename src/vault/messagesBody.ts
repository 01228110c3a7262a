import { firstCharacters, plural } from '../base/text.ts';
import type { Backlog } from '../model/backlog.ts';
import { isQualifiedId } from '../model/id.ts';
import { inert, inertQuote } from './inertText.ts';
import { isBlockId, planLink } from './wikilink.ts';

/** Messages of each direction that a view shows with their texts, and how much of a text. */
const messagesShownMax = 30;
const textMax = 4000;
/** Messages in the frontmatter, for tables over all plans. */
const rowsMax = 20;

type Received = NonNullable<Backlog['received']>[number];
type Dispatched = NonNullable<Backlog['dispatched']>[number];

/** What came in and what went out with their texts, the newest first; nothing for a backlog without messages. */
export function messageSections(backlog: Backlog): string[] {
  return [
    ...section('Received', backlog.received ?? [], (entry) => {
      const told = [entry.declined_reason && `*Declined:* ${inert(entry.declined_reason)}`];
      const task = entry.task ? `, task ${inert(entry.task)}` : '';
      return { head: `from ${nameOf(entry.from)}`, state: `${entry.state}${task}`, told };
    }),
    ...section('Dispatched', backlog.dispatched ?? [], (entry) => ({
      head: `${entry.kind === 'query' ? 'question' : 'task'} to ${nameOf(entry.to)}`,
      state: inert(entry.outcome),
      told: [],
    })),
  ];
}

/** The newest messages as YAML lines for the frontmatter; each value is text without effect. */
export function messageRows(backlog: Backlog): string[] {
  const rows = [
    ...(backlog.received ?? []).map((entry) => row('in', entry, entry.from, entry.state)),
    ...(backlog.dispatched ?? []).map((entry) => row('out', entry, entry.to, entry.outcome)),
  ];
  const newest = rows.sort((a, b) => compareNewest(a, b)).slice(0, rowsMax);
  return newest.length === 0 ? [] : ['messages:', ...newest.map((one) => `  - ${JSON.stringify(one)}`)];
}

function row(way: 'in' | 'out', { at, body }: Pick<Received, 'at' | 'body'>, other: string, state: string) {
  return {
    at: inert(at),
    way,
    with: inert(other),
    state: inert(state),
    text: inert(firstCharacters(body, rowTextMax)),
  };
}

const rowTextMax = 160;

function section<Entry extends Received | Dispatched>(
  title: string,
  entries: readonly Entry[],
  describe: (entry: Entry) => {
    readonly head: string;
    readonly state: string;
    readonly told: readonly (string | null | undefined)[];
  },
): string[] {
  if (entries.length === 0) return [];
  const newest = entries.toReversed().sort(compareNewest);
  const shown = newest.slice(0, messagesShownMax).map((entry) => {
    const { head, state, told } = describe(entry);
    const parts = [`*Why:* ${inert(entry.reason)}`, ...told, quoteOf(entry.body)].filter((part) => part);
    const block = isBlockId(entry.id) ? ` ^${entry.id}` : '';
    return `### ${inert(entry.at)} ${head}\n\n${state}${block}\n\n${parts.join('\n\n')}\n`;
  });
  const rest = newest.length - shown.length;
  const more = rest > 0 ? [`_${plural(rest, 'older message')} in the file._\n`] : [];
  return [[`## ${title}\n`, ...shown, ...more].join('\n')];
}

/** A plan is linked to; any other name stands as it is. */
function nameOf(name: string): string {
  return isQualifiedId(name) ? planLink(name) : inert(name);
}

function quoteOf(body: string): string {
  const text = body.trim();
  if (text.length <= textMax) return inertQuote(text);
  const shown = firstCharacters(text, textMax);
  return `${inertQuote(shown)}\n\n_${plural(text.length - shown.length, 'more character')} in the file._`;
}

function compareNewest(a: { readonly at: string }, b: { readonly at: string }): number {
  if (a.at === b.at) return 0;
  return a.at < b.at ? 1 : -1;
}
