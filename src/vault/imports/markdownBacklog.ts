import type { Diagnostic } from '../../base/errors.ts';
import { dependencyCycle, type Task } from '../../model/backlog.ts';
import { diagnostic } from '../../model/codes.ts';
import { allocateSlug } from '../../model/id.ts';
import type { YamlPlace } from '../yamlDocument.ts';
import { resolveDependencies, titleIndex } from './markdownDependencies.ts';
import { joinLines, type MarkdownLine, markdownLines } from './markdownLines.ts';
import { beginsTask, isHandoffMark, type MarkdownTask, parseTask } from './markdownTask.ts';

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
  for (const { id, dependency } of breakCycles(tasks)) {
    const message = `The task "${id}" would depend on "${dependency}" in a circle; that is only a note now.`;
    diagnostics.push(unclear(place, undefined, message));
  }
  return { records: tasks, prose: joinLines(rest), diagnostics };
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
  const taken = new Set<string>();
  const ids = parsed.map((task) => {
    const id = allocateSlug(task.title, taken, 'task');
    taken.add(id);
    return id;
  });
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

/** Nothing on a circle could ever start, so the link that closes one becomes a note. */
function breakCycles(tasks: Task[]): { readonly id: string; readonly dependency: string }[] {
  const broken: { id: string; dependency: string }[] = [];
  for (let cycle = dependencyCycle(tasks); cycle !== undefined; cycle = dependencyCycle(tasks)) {
    const [id = '', dependency = ''] = cycle.slice(-2);
    const at = tasks.findIndex((task) => task.id === id);
    const task = tasks[at];
    const title = tasks.find((other) => other.id === dependency)?.title ?? dependency;
    if (task === undefined) break;
    const note = [task['dependencies-note'], title].filter((text) => text !== undefined).join('; ');
    const dependencies = (task.dependencies ?? []).filter((other) => other !== dependency);
    tasks[at] = { ...task, dependencies, 'dependencies-note': note };
    broken.push({ id, dependency });
  }
  return broken;
}
