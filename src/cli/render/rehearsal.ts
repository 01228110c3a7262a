import { firstLine, shellWord } from '../../base/text.ts';
import type { RecordChange, RehearsalReport } from '../../model/rehearsal.ts';
import {
  changeText,
  outsideNote,
  rehearsalFacts,
  rehearsalHeadline,
  rehearsalNotes,
} from '../../model/rehearsalText.ts';
import { formatPhaseRows } from './reports.ts';
import type { Style } from './style.ts';
import { clip, ownLines, wrap } from './text.ts';

interface Layout {
  readonly style: Style;
  readonly columns: number;
  /** Whether the patch is shown, and not only which files changed. */
  readonly patch: boolean;
}

/** What a rehearsal would have changed. */
export function formatRehearsal(report: RehearsalReport, layout: Layout): string[] {
  const { style, columns } = layout;
  const { stop, reason, phases } = report.report;
  const good = stop === 'cycle-ended' || stop === 'nothing-ready';
  const explains = stop !== 'cycle-ended' && reason.trim() !== '';
  const { folder } = report.copy;
  return [
    '',
    `${good ? style.good('✓') : style.notice('!')} ${style.strong(rehearsalHeadline(report))}`,
    ...wrap(rehearsalFacts(report).join(' · '), columns - 2).map((line) => `  ${style.faint(line)}`),
    ...(explains ? wrap(reason, columns - 4).map((line) => `    ${line}`) : []),
    ...formatPhaseRows(phases, style, columns),
    ...section(style, 'Tasks', formatChanges(report.tasks, layout)),
    ...section(style, 'Memory', formatChanges(report.memory, layout)),
    ...section(style, 'Source', formatFiles(report, layout)),
    ...section(style, 'Commits it would have made', formatCommits(report, layout)),
    ...section(
      style,
      'Messages it would have sent',
      report.withheld.map(({ type, to, reason: why, body }) =>
        clip(`  ${style.accent('→')} ${type} to ${to}: ${firstLine(why === '' ? body : why)}`, columns),
      ),
    ),
    ...section(
      style,
      'Questions you would have been asked',
      report.questions.map(({ kind, subject }) =>
        clip(`  ${style.notice('?')} ${kind}: ${firstLine(subject)}`, columns),
      ),
    ),
    ...section(style, 'Refused by gates', formatRefusals(report, layout)),
    ...section(
      style,
      'Problems',
      report.problems.flatMap(({ code, message }) => indented(`${code}: ${message}`, columns)),
    ),
    '',
    ...rehearsalNotes(report).flatMap((note) => wrap(note, columns)),
    ...(folder === undefined
      ? wrap([...outsideNote(report), 'The copy was removed.'].join(' '), columns)
      : [[...outsideNote(report), 'The copy is kept; to remove it:'].join(' '), `  rm -rf ${shellWord(folder)}`]),
  ];
}

function section(style: Style, heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', style.strong(heading), ...lines];
}

const signs: Readonly<Record<RecordChange['change'], string>> = { added: '+', changed: '~', removed: '-' };

function formatChanges(changes: readonly RecordChange[], { style, columns }: Layout): string[] {
  return changes.flatMap((one) => [
    clip(`  ${style.accent(signs[one.change])} ${one.title} (${one.id})`, columns),
    ...(one.change === 'changed' ? wrap(changeText(one), columns - 6).map((line) => `      ${style.faint(line)}`) : []),
  ]);
}

function formatFiles({ files, patch }: RehearsalReport, layout: Layout): string[] {
  const { style, columns } = layout;
  const rows = files.map(({ path, status, added, removed }) => {
    const lines = added === undefined ? 'no text' : `+${added} -${removed ?? 0}`;
    return clip(`  ${style.accent(signs[status])} ${path}  ${style.faint(lines)}`, columns);
  });
  return layout.patch && patch !== '' ? [...rows, '', ...ownLines(patch.trimEnd())] : rows;
}

function formatCommits({ commits }: RehearsalReport, { columns }: Layout): string[] {
  return commits.flatMap(({ message, paths }) => {
    const [title = '', ...body] = ownLines(message);
    return [
      clip(`  ${title}`, columns),
      ...body.map((line) => clip(line === '' ? '' : `      ${line}`, columns)),
      ...paths.map((path) => clip(`      · ${path}`, columns)),
    ];
  });
}

function formatRefusals({ refusals }: RehearsalReport, { style, columns }: Layout): string[] {
  return refusals.flatMap(({ phase, gate, subject, call, reason }) => {
    const what = [phase, gate, subject, call].filter((word) => word !== undefined).join(' · ');
    return [clip(`  ${style.bad('✗')} ${what}`, columns), ...indented(reason, columns)];
  });
}

function indented(text: string, columns: number): string[] {
  return wrap(text, columns - 6).map((line) => `      ${line}`);
}
