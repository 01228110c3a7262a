import type { Diagnostic } from '../../base/errors.ts';
import type { Task } from '../../model/backlog.ts';
import type { YamlPlace } from '../yamlDocument.ts';
import { closingLinks, type DependencyLink, DependencyTitles } from './markdownDependencies.ts';
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
  /** Everything that is in no record; empty where nothing is left. */
  readonly prose: string;
  /** Warnings about what a reader should look at. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The tasks of a backlog in Markdown, in both forms that were in use: fields as bullets (`- **Status:** done`) with tags
 * in the title, and fields as bare lines with a category. A heading is a task where a field follows it.
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
  const tasks = toRecords(parsed, warnings);
  const closing = closingLinks(tasks);
  for (const { id, dependency } of closing) {
    warnings.add(
      undefined,
      () => `The task "${id}" would depend on "${dependency}" in a circle; that is only a note now.`,
    );
  }
  return { records: withoutCircles(tasks, closing), prose: joinLines(text, rest), diagnostics: warnings.all() };
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
  const records = parsed.map((task, n): Task => {
    const id = ids[n] ?? '';
    const { linked, note } = titles.resolve(task.dependencies, id);
    const record: Writable<Task> = { id, title: task.title, category: task.category, status: task.status };
    if (task.tags.some((tag) => tag !== task.category)) record['tags'] = [...task.tags];
    if (task.statusNote !== undefined) record['status-note'] = task.statusNote;
    if (task.blockedReason !== undefined) record.blocked_reason = task.blockedReason;
    record.dependencies = linked;
    if (note !== '') record['dependencies-note'] = note;
    record.description = task.description;
    if (task.results !== undefined) record.results = task.results;
    if (task.handoff !== undefined) record.handoff = task.handoff;
    return Object.assign(record, task.others);
  });
  if (titles.isExhausted)
    warnings.add(undefined, () => 'It names too many dependencies; those further below are only notes.');
  return records;
}

/** Nothing on a circle could ever start, so the links that close one become notes. */
function withoutCircles(tasks: readonly Task[], closing: readonly DependencyLink[]): readonly Task[] {
  if (closing.length === 0) return tasks;
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const dropped = new Map<string, Set<string>>();
  for (const { id, dependency } of closing) dropped.set(id, (dropped.get(id) ?? new Set()).add(dependency));
  return tasks.map((task) => {
    const links = dropped.get(task.id);
    if (links === undefined) return task;
    const notes = [task['dependencies-note'], ...[...links].map((id) => titles.get(id) ?? id)];
    return {
      ...task,
      dependencies: (task.dependencies ?? []).filter((id) => !links.has(id)),
      'dependencies-note': notes.filter((note) => note !== undefined).join('; '),
    };
  });
}
