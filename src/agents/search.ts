import { fenced } from '../base/fence.ts';
import { oneLine } from '../base/text.ts';
import type { Api, RequestParams } from '../model/protocol.ts';
import { boundAnswer } from './answers.ts';

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

/** One entry: what it is, its text between fences that nothing in it can close, and its links. */
export async function showEntry(api: Api, order: RequestParams<'entry'>, signal: AbortSignal): Promise<string> {
  const { row, body, links, backlinks } = await api.request('entry', order, signal);
  const { title, entry, kind, confidence, status, tags, lastValidated } = row;
  const validated = lastValidated === undefined ? [] : [`validated ${lastValidated}`];
  const about = [kind, `confidence ${confidence}`, status, ...validated, ...tags.map((tag) => `#${tag}`)];
  const there = links.map(
    ({ key, target, leadsTo: [first] }) => `- ${key}: ${first?.entry ?? `${target} (no such entry)`}`,
  );
  const back = backlinks.map((link) => `- ${link.key} of ${link.entry}`);
  const lines = [`${title} (${entry}) [${about.join(', ')}]`, ...there, ...back].map(oneLine);
  return boundAnswer([...lines, fenced(body, 'entry')].join('\n'));
}
