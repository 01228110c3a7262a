import { t } from '@vscode/l10n';
import { defined } from '../../base/defined.ts';
import { causeRows, otherCause } from '../../model/causeTree.ts';
import type { CausalityResults, CauseNode } from '../../model/requests/causality.ts';
import type { Answer } from '../../model/requests/messages.ts';
import { plainText, sanitizeLabel } from '../sanitizeLabel.ts';

/** A stretch of a line that leads somewhere. */
export interface CauseLinkSpan {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly node: CauseNode;
  /** The session whose work a commit holds. */
  readonly session?: CauseNode;
}

export interface CauseDocument {
  readonly text: string;
  readonly links: readonly CauseLinkSpan[];
}

type Trace = CausalityResults['why'];

/** A trace as a document: the oldest cause first, what it led to below it, each thing a link to where it can be seen. */
export function causeDocument(trace: Trace): CauseDocument {
  const subject = trace.nodes.find(({ key }) => key === trace.subject);
  const lines: string[] = [t`# Why: ${sanitizeLabel(subject?.title ?? trace.subject)}`, ''];
  const links: CauseLinkSpan[] = [];
  const nodes = new Map(trace.nodes.map((node) => [node.key, node]));
  for (const { node, depth, how, also, isSubject } of causeRows(trace)) {
    const indent = '  '.repeat(depth);
    const led = how === undefined ? '' : `${how} `;
    const before = `${indent}- ${led}`;
    const title = sanitizeLabel(node.title);
    const when = node.at === undefined ? '' : ` · ${sanitizeLabel(node.at, 40)}`;
    const maker = trace.links.find(({ to, from }) => to === node.key && nodes.get(from)?.kind === 'session');
    const session = maker === undefined ? undefined : nodes.get(maker.from);
    if (node.kind !== 'person') {
      const span = { line: lines.length, start: before.length, end: before.length + title.length, node };
      links.push({ ...span, ...defined({ session }) });
    }
    lines.push(`${before}${title}${when}${isSubject ? '  ← this' : ''}`);
    if (node.detail !== undefined && node.detail !== '') lines.push(`${indent}  > ${sanitizeLabel(node.detail, 300)}`);
    for (const one of also) lines.push(t`${indent}  > also: ${otherCause(one, sanitizeLabel)}`);
  }
  if (trace.gaps.length > 0) lines.push('', '## Unknown', '');
  for (const gap of trace.gaps) lines.push(`- ${sanitizeLabel(gap, 400)}`);
  return { text: `${lines.join('\n')}\n`, links };
}

/** An answer to a question, with what it rests on. */
export function answerText({ question, by, at, state, text, citations }: Answer): string {
  const head = state === 'answered' ? t`Answer of ${sanitizeLabel(by)}` : t`${sanitizeLabel(by)} does not answer`;
  const rests =
    citations.length === 0 ? [] : ['', '## Sources', '', ...citations.map((one) => `- ${sanitizeLabel(one)}`)];
  const asked = plainText(question)
    .split('\n')
    .map((line) => `> ${line}`);
  return [`# ${head}`, '', ...asked, '', plainText(text), ...rests, '', `*${sanitizeLabel(at, 40)}*`, ''].join('\n');
}
