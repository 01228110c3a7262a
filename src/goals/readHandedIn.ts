import * as z from 'zod';
import { isRecord } from '../base/json.ts';
import { parseJsonText } from '../base/jsonFile.ts';
import { headline, oneLine, plural } from '../base/text.ts';
import { parseMarkdown } from '../imports/markdownLines.ts';
import { createSlugs } from '../imports/slugs.ts';
import { descriptionLengthMax } from '../model/plan.ts';
import { type PlanProposal, type ProposedPlan, type ProposedTask, samePlan } from '../model/planProposal.ts';
import { foldTitle } from './draftProposal.ts';
import { readProposal } from './proposalForm.ts';

/** What a text holds, with remarks for a person; or what is wrong with it, as whole sentences. */
export type HandedIn =
  | { readonly value: PlanProposal; readonly notes: readonly string[] }
  | { readonly problems: readonly string[] };

/**
 * A proposal from a text of a person: issues as a forge's client prints them (JSON), a proposal in its own form (YAML), or
 * a Markdown list. Does not judge what it says.
 */
export function readHandedIn(text: string, source: string): HandedIn {
  const body = text.replace(/^\uFEFF/, '');
  if (body.trim() === '') return { problems: ['The text is empty.'] };
  // A page writes a proposal as JSON, which YAML can read.
  if (/^\s*\{/.test(body) && isProposal(body)) return ownForm(body, source);
  if (/^\s*[[{]/.test(body)) return readIssues(body, source);
  if (/^(?:description|plans|questions|suggestions)\s*:/m.test(body)) {
    return ownForm(body, source);
  }
  return readList(body, source);
}

function ownForm(text: string, source: string): HandedIn {
  const read = readProposal(text, source);
  return 'value' in read ? { value: read.value, notes: [] } : read;
}

function isProposal(json: string): boolean {
  const parsed = parseJsonText(json);
  return 'value' in parsed && isRecord(parsed.value) && Array.isArray(parsed.value['plans']);
}

/** As `gh issue list --json number,title,body,labels` prints them; `glab` names the labels alone, and the body differently. */
const issueSchema = z.looseObject({
  title: z.string(),
  body: z.string().nullish(),
  description: z.string().nullish(),
  number: z.number().optional(),
  iid: z.number().optional(),
  state: z.string().optional(),
  labels: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).optional(),
});
const issuesSchema = z.array(issueSchema);

function readIssues(text: string, source: string): HandedIn {
  const parsed = parseJsonText(text);
  if ('problem' in parsed) return { problems: [`${source} is not JSON: ${parsed.problem}.`] };
  const { value } = parsed;
  const { data, error } = issuesSchema.safeParse(Array.isArray(value) ? value : [value]);
  if (data === undefined) {
    const [first] = error.issues;
    const place = first?.path.map(String).join('.') ?? '';
    return { problems: [`${source} is not a list of issues: ${place}: ${first?.message ?? 'it has another form'}.`] };
  }
  const open = data.filter(({ state }) => state === undefined || !/^(?:closed|merged)$/i.test(state));
  const closed = data.length - open.length;
  const seen = new Set<string>();
  const tasks = open.map((issue): ProposedTask => {
    const { title, labels = [], body, description } = issue;
    const number = issue.number ?? issue.iid;
    const names = labels.map((label) => (typeof label === 'string' ? label : label.name));
    const said = [number === undefined ? '' : `From issue #${number}.`, (body ?? description ?? '').trim()];
    return {
      title: uniqueTitle(oneLine(title), number, seen),
      category: oneLine(names[0] ?? '') || 'issue',
      description: said.filter((part) => part !== '').join('\n\n'),
    };
  });
  if (tasks.length === 0) return { problems: [`${source} has no open issue.`] };
  const notes = closed === 0 ? [] : [`${plural(closed, 'closed issue')} left out.`];
  return {
    value: { description: `${plural(tasks.length, 'issue')} as tasks`, plans: [{ slug: samePlan, tasks }] },
    notes,
  };
}

/** Two issues can have one title, and two tasks cannot. */
function uniqueTitle(title: string, number: number | undefined, seen: Set<string>): string {
  const key = title.toLowerCase();
  const unique = seen.has(key) && number !== undefined ? `${title} (#${number})` : title;
  seen.add(key);
  return unique;
}

interface Item {
  /** Where it stands in the text, from 1. */
  readonly line: number;
  readonly indent: number;
  readonly text: string;
  readonly isDone: boolean;
  /** The lines below it that are not items. */
  readonly more: string[];
  readonly children: Item[];
}

const itemPattern = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(\S.*)$/;

/**
 * A list: an item with items below it becomes a child plan with these tasks, one without becomes a task of the plan
 * itself. A heading above items is a plan as well. What is ticked is left out, with all below it.
 */
function readList(text: string, source: string): HandedIn {
  const { heads, done } = readItems(text);
  const titled = heads.filter(({ title }) => title !== undefined).length;
  const open = heads.flatMap(({ title, more, items }) => ({
    title,
    more,
    items: items.filter(({ isDone }) => !isDone),
  }));
  const plans: ProposedPlan[] = [];
  const problems: string[] = [];
  const slugOf = createSlugs('plan');
  const ownItems: Item[] = [];
  for (const { title, more, items } of open) {
    const isOne = title !== undefined && titled > 1;
    const tasks: Item[] = [];
    for (const item of items) {
      const below = item.children.filter(({ isDone }) => !isDone);
      if (below.length > 0 && !isOne) {
        plans.push(planOf(item.text, item.more, below.map(taskOf), slugOf));
        problems.push(...repeatedTitles(below));
      } else if (item.children.length === 0 || below.length > 0) tasks.push(item);
    }
    if (isOne && tasks.length > 0) {
      plans.push(planOf(title, more, tasks.map(taskOf), slugOf));
      problems.push(...repeatedTitles(tasks));
    } else ownItems.push(...tasks);
  }
  problems.push(...repeatedTitles(ownItems));
  if (problems.length > 0) return { problems };
  const own = ownItems.map(taskOf);
  if (own.length > 0) plans.unshift({ slug: samePlan, tasks: own });
  if (plans.length === 0) {
    return { problems: [`${source} has no list with an open item: write lines such as "- Index the catalogue".`] };
  }
  const [first] = heads;
  const description = cut(first?.title ?? `The list of ${source}`);
  return { value: { description, plans }, notes: done === 0 ? [] : [`${plural(done, 'ticked item')} left out.`] };
}

/** Two tasks of one plan cannot have one title: where they stand. */
function repeatedTitles(tasks: readonly Item[]): string[] {
  const lines = new Map<string, number[]>();
  for (const { text, line } of tasks) {
    const key = foldTitle(plainTitle(text));
    lines.set(key, [...(lines.get(key) ?? []), line]);
  }
  return tasks.flatMap(({ text, line }) => {
    const [first, ...others] = lines.get(foldTitle(plainTitle(text))) ?? [];
    if (first !== line || others.length === 0) return [];
    const title = headline(plainTitle(text), 60);
    return [`Lines ${[first, ...others].join(', ')}: several tasks have the title "${title}". Change or remove one.`];
  });
}

/** The items below each heading, or below none. */
function readItems(text: string): {
  readonly heads: readonly { readonly title: string | undefined; readonly more: string[]; readonly items: Item[] }[];
  readonly done: number;
} {
  const { lines, headings, isFenced } = parseMarkdown(text);
  const titles = new Map(headings.map(({ line, title }) => [line, title]));
  const heads: { title: string | undefined; more: string[]; items: Item[] }[] = [
    { title: undefined, more: [], items: [] },
  ];
  let path: Item[] = [];
  let done = 0;
  for (const [n, line] of lines.entries()) {
    const heading = titles.get(n);
    if (heading !== undefined) {
      heads.push({ title: oneLine(heading), more: [], items: [] });
      path = [];
      continue;
    }
    const match = isFenced(n) ? null : itemPattern.exec(line);
    if (match === null) {
      if (line.trim() !== '' || path.length > 0) (path.at(-1)?.more ?? heads.at(-1)?.more)?.push(line.trim());
      continue;
    }
    const [, blanks = '', tick, words = ''] = match;
    const indent = blanks.replaceAll('\t', '    ').length;
    path = path.filter((above) => above.indent < indent);
    const item: Item = {
      line: n + 1,
      indent,
      text: oneLine(words),
      isDone: /[xX]/.test(tick ?? ''),
      more: [],
      children: [],
    };
    if (item.isDone) done += 1;
    (path.at(-1)?.children ?? heads.at(-1)?.items)?.push(item);
    path.push(item);
  }
  return { heads: heads.filter(({ title, items }) => items.length > 0 || title !== undefined), done };
}

function taskOf({ text, more, children }: Item): ProposedTask {
  const details = [...textOf(more), ...children.flatMap((child) => nested(child, 0))].join('\n');
  return { title: plainTitle(text), category: 'task', ...(details !== '' && { description: details }) };
}

function nested({ text, isDone, more, children }: Item, depth: number): string[] {
  if (isDone) return [];
  const blanks = '  '.repeat(depth);
  return [
    `${blanks}- ${text}`,
    ...textOf(more).map((line) => `${blanks}  ${line}`),
    ...children.flatMap((one) => nested(one, depth + 1)),
  ];
}

function textOf(more: readonly string[]): string[] {
  const text = more.join('\n').trim();
  return text === '' ? [] : text.split('\n');
}

function planOf(
  title: string,
  more: readonly string[],
  tasks: ProposedTask[],
  slugOf: (title: string) => string,
): ProposedPlan {
  const name = plainTitle(title);
  const slug = slugOf(name);
  const said = oneLine(more.join(' '));
  // A name alone describes nothing, and the person who wrote it sees this on the page.
  return { slug, title: name, description: cut(said === '' ? `Everything about: ${name}` : said), tasks };
}

/** Without emphasis and links around the whole of it. */
function plainTitle(text: string): string {
  return headline(text.replace(/^(\*\*|__|`)(.+)\1$/, '$2'), 200);
}

function cut(text: string): string {
  return headline(text, descriptionLengthMax);
}
