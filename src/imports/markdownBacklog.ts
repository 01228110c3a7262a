import type { Diagnostic } from '../base/errors.ts';
import { beginning } from '../base/text.ts';
import { dependsOn, type Task } from '../model/backlog.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';
import { closingLinks, type Dependencies, DependencyTitles, noDependencies } from './markdownDependencies.ts';
import {
  addRange,
  type Heading,
  isBlank,
  joinLines,
  type LineRange,
  type MarkdownText,
  parseMarkdown,
  type Section,
} from './markdownLines.ts';
import { beginsTask, isHandoffMark, type MarkdownTask, parseTask, type Writable } from './markdownTask.ts';
import { createSlugs } from './slugs.ts';
import { ImportWarnings } from './warnings.ts';

/** What a Markdown file says as records, and the rest of it. */
export interface Converted<T> {
  readonly records: readonly T[];
  /** Everything that is in no record; empty if nothing is left. */
  readonly prose: string;
  /** Warnings about what a reader should look at. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The tasks of a backlog in Markdown, in both forms that were in use: fields as bullets (`- **Status:** done`) with tags
 * in the title, and fields as bare lines with a category. A heading is a task if a field follows it.
 */
export function convertBacklog(given: string, place: YamlPlace): Converted<Task> {
  const text = parseMarkdown(given);
  const { blocks, rest, headingsOutside } = splitBlocks(text);
  const warnings = new ImportWarnings(place);
  warnOfStrayHeadings(blocks, headingsOutside, warnings);
  const parsed = blocks.map((block) => {
    const task = parseTask(block.heading.title, text, block);
    for (const remark of task.remarks) {
      warnings.add(block.heading.line, () => `The task "${task.title}": ${remark}; it counts as not started.`);
    }
    return task;
  });
  return { records: toRecords(parsed, warnings), prose: joinLines(text, rest), diagnostics: warnings.all() };
}

interface Split {
  readonly blocks: Section[];
  readonly rest: LineRange[];
  /** Those in the rest. */
  readonly headingsOutside: Heading[];
}

/** A task goes up to the next task, or the next heading that is not below its own. */
function splitBlocks(text: MarkdownText): Split {
  const split: Split = { blocks: [], rest: [], headingsOutside: [] };
  let open: Heading | undefined;
  let start = 0;
  for (const heading of text.headings) {
    const { line, level } = heading;
    const isMark = isHandoffMark(text, line);
    if (!isMark && beginsTask(text, nextWithText(text, line))) {
      closeAt(line);
      open = heading;
      start = line + 1;
      continue;
    }
    if (!isMark && open !== undefined && level <= open.level) {
      closeAt(line);
      open = undefined;
      start = line;
    }
    if (open === undefined) split.headingsOutside.push(heading);
  }
  closeAt(text.lines.length);
  return split;

  function closeAt(end: number): void {
    if (open === undefined) addRange(split.rest, { start, end });
    else split.blocks.push({ heading: open, start, end });
  }
}

/** The next line that is not empty. */
function nextWithText({ lines }: MarkdownText, line: number): number {
  let next = line + 1;
  while (next < lines.length && isBlank(lines[next] ?? '')) next++;
  return next;
}

/** Headings that look like tasks and say nothing that a task says. */
function warnOfStrayHeadings(blocks: readonly Section[], outside: readonly Heading[], warnings: ImportWarnings): void {
  const levels = new Set(blocks.map(({ heading }) => heading.level));
  for (const { line, level, title } of outside) {
    if (!levels.has(level)) continue;
    warnings.add(line, () => `"${title}" has no field such as **Status:**, so it is taken for prose, not for a task.`);
  }
}

function toRecords(parsed: readonly MarkdownTask[], warnings: ImportWarnings): Task[] {
  const slug = createSlugs('task');
  const ids = parsed.map((task) => slug(task.title));
  const titles = new DependencyTitles(parsed.map((task, n) => ({ id: ids[n] ?? '', title: task.title })));
  const resolved = parsed.map((task, n) => titles.resolve(task.dependencies, ids[n] ?? ''));
  const found = withoutCircles(parsed, ids, resolved);
  const records = parsed.map((task, n): Task => {
    const { linked, note, unlinked, unmet } = found[n] ?? noDependencies;
    const isBlocked = unmet.length > 0 && (task.status === 'not_started' || task.status === 'blocked');
    const status = isBlocked ? 'blocked' : task.status;
    const record: Writable<Task> = { id: ids[n] ?? '', title: task.title, category: task.category, status };
    if (task.tags.some((tag) => tag !== task.category)) record['tags'] = [...task.tags];
    if (task.statusNote !== undefined) record['status-note'] = task.statusNote;
    if (task.blockedReason !== undefined) record.blocked_reason = task.blockedReason;
    else if (isBlocked) record.blocked_reason = `${dependsOn}${unmet.join('; ')}`;
    record.dependencies = [...linked];
    if (note !== '') record['dependencies-note'] = note;
    record.description = task.description;
    if (task.results !== undefined) record.results = task.results;
    if (task.handoff !== undefined) record.handoff = task.handoff;
    if (unlinked.length > 0) warnings.add(task.dependenciesLine, () => ofUnlinked(task, unlinked, isBlocked));
    return Object.assign(record, task.others);
  });
  if (titles.isExhausted)
    warnings.add(undefined, () => 'It names too many dependencies; those further below are only notes.');
  return records;
}

function ofUnlinked({ title, status }: MarkdownTask, unlinked: readonly string[], isBlocked: boolean): string {
  const texts = unlinked.map((text) => `"${beginning(text, 200)}"`).join(', ');
  const message = `The task "${title}" depends on something that is not a task of this plan: ${texts}.`;
  if (!isBlocked || status === 'blocked') return `${message} That is only a note now.`;
  return `${message} It is blocked until you set it to not_started.`;
}

/** What closes a circle could never be met, so a person has to say which of the tasks comes first. */
function withoutCircles(
  parsed: readonly MarkdownTask[],
  ids: readonly string[],
  resolved: readonly Dependencies[],
): readonly Dependencies[] {
  const links = resolved.flatMap(({ linked }, n) =>
    linked.length === 0 ? [] : [{ id: ids[n] ?? '', dependencies: linked }],
  );
  const dropped = new Map<string, Set<string>>();
  for (const { id, dependency } of closingLinks(links)) {
    dropped.set(id, (dropped.get(id) ?? new Set()).add(dependency));
  }
  if (dropped.size === 0) return resolved;
  const titles = new Map(parsed.map(({ title }, n) => [ids[n] ?? '', title]));
  return resolved.map((task, n) => {
    const closing = dropped.get(ids[n] ?? '');
    if (closing === undefined) return task;
    const circular = [...closing].map((id) => titles.get(id) ?? id);
    return {
      linked: task.linked.filter((id) => !closing.has(id)),
      unlinked: [...task.unlinked, ...circular],
      unmet: [...task.unmet, ...circular],
      note: [task.note, ...circular].filter((part) => part !== '').join('; '),
    };
  });
}
