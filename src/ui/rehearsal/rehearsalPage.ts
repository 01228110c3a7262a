import { t } from '@vscode/l10n';
import { firstLine } from '../../base/text.ts';
import type { RehearsalReport } from '../../model/rehearsal.ts';
import {
  changeText,
  outsideNote,
  rehearsalFacts,
  rehearsalHeadline,
  rehearsalNotes,
} from '../../model/rehearsalText.ts';
import { codeBlock, plainMarkdown } from '../sanitizeLabel.ts';

/** A line of the page that leads to the changes of one file. */
export interface ChangedFileLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** As the report has it. */
  readonly path: string;
}

export interface RehearsalPage {
  readonly text: string;
  readonly links: readonly ChangedFileLink[];
}

/** What a rehearsal would have changed, as Markdown; what others wrote is shown letter by letter. */
export function rehearsalPage(report: RehearsalReport): RehearsalPage {
  const lines = [t`# Rehearsal of ${plainMarkdown(report.plan)}`, '', rehearsalHeadline(report), ''];
  const links: ChangedFileLink[] = [];
  const { stop, reason, phases } = report.report;
  if (stop !== 'cycle-ended' && reason !== '') lines.push(plainMarkdown(reason), '');
  lines.push(rehearsalFacts(report).join(' · '), '');
  const section = (heading: string, rows: readonly string[]) => {
    if (rows.length > 0) lines.push(`## ${heading}`, '', ...rows.map((row) => `- ${row}`), '');
  };
  section(
    t('Phases'),
    phases.map(({ phase, end, summary }) => `${phase} ${end}: ${plainMarkdown(summary)}`),
  );
  for (const [heading, changes] of [
    [t('Tasks'), report.tasks],
    [t('Memory'), report.memory],
  ] as const) {
    section(
      heading,
      changes.map((one) => `${plainMarkdown(one.title)}: ${plainMarkdown(changeText(one))}`),
    );
  }
  if (report.files.length > 0) {
    lines.push('## Source', '');
    for (const { path, status, added, removed } of report.files) {
      const name = plainMarkdown(path);
      links.push({ line: lines.length, start: 2, end: 2 + name.length, path });
      lines.push(`- ${name} ${status}${added === undefined ? '' : `, +${added} −${removed ?? 0}`}`);
    }
    lines.push('');
  }
  if (report.commits.length > 0) lines.push(t('## Commits it would have made'), '');
  for (const { message, paths } of report.commits) {
    lines.push(codeBlock(message, 'text'), '', ...paths.map((path) => `- ${plainMarkdown(path)}`), '');
  }
  section(
    t('Messages it would have sent'),
    report.withheld.map(
      ({ type, to, reason: why, body }) =>
        t`${type} to ${plainMarkdown(to)}: ${plainMarkdown(firstLine(why === '' ? body : why))}`,
    ),
  );
  section(
    t('Questions you would have been asked'),
    report.questions.map(({ kind, subject }) => `${kind}: ${plainMarkdown(firstLine(subject))}`),
  );
  section(
    t('Refused by gates'),
    report.refusals.map(({ phase, gate, call, reason: why }) =>
      [phase ?? '', gate, plainMarkdown(call ?? ''), plainMarkdown(why)].filter((word) => word !== '').join(' · '),
    ),
  );
  section(
    t('Problems'),
    report.problems.map(({ code, message }) => `${code}: ${plainMarkdown(message)}`),
  );
  lines.push(...rehearsalNotes(report).flatMap((note) => [plainMarkdown(note), '']));
  lines.push([...outsideNote(report), t('The copy was removed.')].join(' '), '');
  return { text: lines.join('\n'), links };
}

/** The changes of one file out of the patch of all; undefined if that has none of it, or was cut before it. */
export function patchOfFile(patch: string, path: string): string | undefined {
  const start = 'diff --git ';
  const parts = `\n${patch}`.split(`\n${start}`).slice(1);
  // The name as it is now ends the first line, in quotes if it has letters that git writes in another way.
  const found = parts.find((part) => {
    const line = part.slice(0, part.indexOf('\n'));
    return line.endsWith(` b/${path}`) || line.endsWith(` "b/${path}"`);
  });
  return found === undefined ? undefined : `${start}${found.endsWith('\n') ? found : `${found}\n`}`;
}
