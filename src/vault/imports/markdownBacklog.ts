import type { Diagnostic } from '../../base/errors.ts';
import type { Task } from '../../model/backlog.ts';
import { diagnostic } from '../../model/codes.ts';
import type { YamlPlace } from '../yamlDocument.ts';
import { closingLinks, type DependencyLink, resolveDependencies, titleIndex } from './markdownDependencies.ts';
import { joinLines, type MarkdownLine, markdownLines } from './markdownLines.ts';
import { beginsTask, isHandoffMark, type MarkdownTask, parseTask } from './markdownTask.ts';
import { createSlugs } from './slugs.ts';

/** What a Markdown file says as records, and the rest of it. */
export interface Converted<T> {
  readonly records: readonly T[];
  /** Everything that is in no record; empty where nothing is left. */
  readonly prose: string;
  /** Warnings about what a reader should look at. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Block {
  readonly heading: MarkdownLine & { readonly heading: NonNullable<MarkdownLine['heading']> };
  readonly lines: readonly MarkdownLine[];
}

/**
 * The tasks of a backlog in Markdown, in both forms that were in use: fields as bullets (`- **Status:** done`) with tags
 * in the title, and fields as bare lines with a category. A heading is a task where a field follows it.
 */
export function convertBacklog(text: string, place: YamlPlace): Converted<Task> {
  const lines = markdownLines(text);
  const { blocks, rest } = splitBlocks(lines);
  const diagnostics = strayHeadings(blocks, rest, place);
  const parsed = blocks.map((block) => {
    const task = parseTask(block.heading.heading.title, block.lines);
    for (const remark of task.remarks) {
      diagnostics.push(unclear(place, block.heading, `The task "${task.title}": ${remark}; it counts as not started.`));
    }
    return task;
  });
  const tasks = toRecords(parsed);
  const closing = closingLinks(tasks);
  for (const { id, dependency } of closing) {
    const message = `The task "${id}" would depend on "${dependency}" in a circle; that is only a note now.`;
    diagnostics.push(unclear(place, undefined, message));
  }
  return { records: withoutCircles(tasks, closing), prose: joinLines(rest), diagnostics };
}

export function unclear(place: YamlPlace, line: MarkdownLine | undefined, message: string): Diagnostic {
  const position = { line: line?.number ?? 0, character: 0 };
  return diagnostic('import/unclear', place.subject, message, {
    severity: 'warning',
    file: place.file,
    ...(line !== undefined && { range: { start: position, end: position } }),
  });
}

/** A task goes up to the next task, or the next heading that is not below its own. */
function splitBlocks(lines: readonly MarkdownLine[]): { blocks: Block[]; rest: MarkdownLine[] } {
  const blocks: Block[] = [];
  const rest: MarkdownLine[] = [];
  let open: { heading: Block['heading']; lines: MarkdownLine[] } | undefined;
  const nextLines = nextWithText(lines);
  for (const [n, line] of lines.entries()) {
    if (line.heading !== undefined && !isHandoffMark(line)) {
      const { heading } = line;
      if (beginsTask(nextLines[n])) {
        open = { heading: { ...line, heading }, lines: [] };
        blocks.push(open);
        continue;
      }
      if (open !== undefined && heading.level <= open.heading.heading.level) open = undefined;
    }
    (open?.lines ?? rest).push(line);
  }
  return { blocks, rest };
}

/** For each line the next one that is not empty. */
function nextWithText(lines: readonly MarkdownLine[]): (MarkdownLine | undefined)[] {
  const result = new Array<MarkdownLine | undefined>(lines.length);
  let next: MarkdownLine | undefined;
  for (let n = lines.length - 1; n >= 0; n--) {
    const line = lines[n];
    result[n] = next;
    if (line !== undefined && line.text.trim() !== '') next = line;
  }
  return result;
}

/** Headings that look like tasks and say nothing that a task says. */
function strayHeadings(blocks: readonly Block[], rest: readonly MarkdownLine[], place: YamlPlace): Diagnostic[] {
  const levels = new Set(blocks.map((block) => block.heading.heading.level));
  return rest.flatMap((line) => {
    if (line.heading === undefined || !levels.has(line.heading.level)) return [];
    const message = `"${line.heading.title}" has no field such as **Status:**, so it is taken for prose, not for a task.`;
    return [unclear(place, line, message)];
  });
}

function toRecords(parsed: readonly MarkdownTask[]): Task[] {
  const slug = createSlugs('task');
  const ids = parsed.map((task) => slug(task.title));
  const index = titleIndex(parsed.map((task, n) => ({ id: ids[n] ?? '', title: task.title })));
  return parsed.map((task, n): Task => {
    const id = ids[n] ?? '';
    const { linked, note } = resolveDependencies(task.dependencies, id, index);
    return {
      id,
      title: task.title,
      category: task.category,
      ...(task.tags.some((tag) => tag !== task.category) && { tags: [...task.tags] }),
      status: task.status,
      ...(task.statusNote !== undefined && { 'status-note': task.statusNote }),
      ...(task.blockedReason !== undefined && { blocked_reason: task.blockedReason }),
      dependencies: linked,
      ...(note !== '' && { 'dependencies-note': note }),
      description: task.description,
      ...(task.results !== undefined && { results: task.results }),
      ...(task.handoff !== undefined && { handoff: task.handoff }),
      ...task.others,
    };
  });
}

/** Nothing on a circle could ever start, so the links that close one become notes. */
function withoutCircles(tasks: readonly Task[], closing: readonly DependencyLink[]): Task[] {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const dropped = new Map<string, string[]>();
  for (const { id, dependency } of closing) dropped.set(id, [...(dropped.get(id) ?? []), dependency]);
  return tasks.map((task) => {
    const links = dropped.get(task.id);
    if (links === undefined) return task;
    const notes = [task['dependencies-note'], ...links.map((id) => titles.get(id) ?? id)];
    return {
      ...task,
      dependencies: (task.dependencies ?? []).filter((id) => !links.includes(id)),
      'dependencies-note': notes.filter((note) => note !== undefined).join('; '),
    };
  });
}
