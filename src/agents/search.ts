import { isRavelError } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { Api, RequestParams, RequestResults } from '../model/protocol.ts';
import type { EntryRow } from '../model/requests/knowledge.ts';
import { answerLengthMax, boundAnswer, describeFailure } from './answers.ts';

/** The entries that fit best, each in two lines within a fence: what it is and where, and the line that fits. */
export async function searchForAgent(api: Api, order: RequestParams<'search'>, signal: AbortSignal): Promise<string> {
  const { hits, diagnostics } = await api.request('search', { ...order, fresh: true }, signal);
  const lines = hits.map(({ in: place, plan, id, title, line, kind, status }) => {
    const labels = [place, plan, kind, status].filter(Boolean).join(', ');
    return oneLine(`- ${id} [${labels}]: ${title}`) + (line === '' || line === title ? '' : `\n  ${oneLine(line)}`);
  });
  const problems = diagnostics.map(({ message }) => message);
  if (hits.length === 0) return boundAnswer(['Nothing in the vault matches.', ...problems].join('\n'));
  return [boundAnswer(lines.join('\n'), 'Ask with in, plan or more words.', 'found'), ...problems].join('\n');
}

/** The entries that fit best, each with what it is and the line that fits, or with all that it says. */
export async function searchKnowledge(
  api: Api,
  order: RequestParams<'search_knowledge'>,
  signal: AbortSignal,
): Promise<string> {
  const { hits, skipped, diagnostics } = await api.request('search_knowledge', order, signal);
  const problems = diagnostics.map(({ message }) => message);
  const left = skipped === 0 ? [] : [`${skipped} more do not fit the budget.`];
  if (hits.length === 0) return boundAnswer(['No entry of the knowledge matches.', ...left, ...problems].join('\n'));
  await noteShown(
    api,
    hits.map(({ entry }) => entry),
    signal,
  );
  const shown = hits.map(({ line, body, ...row }) => {
    const head = oneLine(`- ${aboutEntry(row)}`);
    if (body !== undefined) return `${head}\n${body.trim()}\n`;
    return line === '' || line === row.title ? head : `${head}\n  ${oneLine(line)}`;
  });
  const answer = boundAnswer(shown.join('\n'), 'Ask with expert, axis, tags, bytes or more words.', 'found');
  return [answer, ...left, ...problems].join('\n');
}

/** Entries: what each is, what it says and its links, between fences that nothing in it can close. */
export async function showEntries(
  api: Api,
  { entry: named }: { readonly entry: string | readonly string[] },
  signal: AbortSignal,
): Promise<string> {
  const names = typeof named === 'string' ? [named] : named;
  const shown: string[] = [];
  const found: string[] = [];
  for (const name of names) {
    try {
      const page = await api.request('entry', { entry: name }, signal);
      found.push(page.row.entry);
      shown.push(boundAnswer(describeEntry(page), 'Its file has the rest.', 'entry', answerLengthMax / names.length));
    } catch (error) {
      // One wrong name among several does not cost the others.
      if (names.length === 1 || !isRavelError(error)) throw error;
      shown.push(describeFailure(error));
    }
  }
  await noteShown(api, found, signal);
  return shown.join('\n');
}

function describeEntry({ row, body, links, backlinks }: RequestResults['entry']): string {
  const there = links.map(
    ({ key, target, leadsTo: [first] }) => `- ${key}: ${first?.entry ?? `${target} (no such entry)`}`,
  );
  const back = backlinks.map((link) => `- ${link.key} of ${link.entry}`);
  return [...[aboutEntry(row), ...there, ...back].map(oneLine), body].join('\n');
}

function aboutEntry({ title, entry, kind, confidence, status, tags, lastValidated }: EntryRow): string {
  const validated = lastValidated === undefined ? [] : [`validated ${lastValidated}`];
  const about = [kind, `confidence ${confidence}`, status, ...validated, ...tags.map((tag) => `#${tag}`)];
  return `${title} (${entry}) [${about.join(', ')}]`;
}

/** Being shown counts nothing, so nothing is lost where there is no owner who could write it down. */
async function noteShown(api: Api, entries: readonly string[], signal: AbortSignal): Promise<void> {
  if (entries.length === 0) return;
  try {
    await api.request('record_use', { entry: [...entries], kind: 'shown' }, signal);
  } catch (error) {
    if (!isRavelError(error)) throw error;
  }
}
