import { localTime } from '../../base/localTime.ts';
import { harmless, oneLine } from '../../base/text.ts';
import { type CauseRow, causeRows, otherCause } from '../../model/causeTree.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { Style } from './style.ts';

/** Details are cut to this length: enough to recognise them, and the file has the whole text. */
const detailLength = 160;

/** A line for each thing, the oldest cause first with its effects indented below it, then the gaps in the trace. */
export function formatCauses(trace: RequestResults['why'], style: Style): string[] {
  const lines = causeRows(trace).flatMap((row) => formatRow(row, style));
  const gaps = trace.gaps.map((gap) => style.faint(`? ${plain(gap)}`));
  return gaps.length === 0 ? lines : [...lines, '', ...gaps];
}

function formatRow({ node, depth, how, also, isSubject }: CauseRow, style: Style): string[] {
  const indent = '  '.repeat(depth);
  const mark = isSubject ? '▶ ' : '';
  const title = plain(node.title);
  const when = node.at === undefined ? '' : `  ${style.faint(plain(localTime(node.at)))}`;
  const led = how === undefined ? '' : `${style.faint(how)} `;
  const others = also.map((one) => otherCause(one, plain)).join('; ');
  const wider = `${indent}    `;
  return [
    `${indent}${mark}${led}${isSubject ? style.strong(title) : title}${when}`,
    ...(node.detail === undefined ? [] : [style.faint(`${wider}${cut(plain(node.detail))}`)]),
    ...(others === '' ? [] : [style.faint(`${wider}also: ${others}`)]),
    // The user needs the id to ask for more, and most titles do not contain it.
    ...(title.includes(node.id.slice(0, 8)) ? [] : [style.faint(`${wider}${node.kind} ${plain(node.id)}`)]),
  ];
}

function plain(text: string): string {
  return harmless(oneLine(text));
}

function cut(text: string): string {
  return text.length <= detailLength ? text : `${text.slice(0, detailLength - 1)}…`;
}
