import { join } from 'node:path';
import type { Disk, ReadingDisk } from '../base/disk.ts';
import { exists } from '../base/files.ts';
import { capitalized } from '../base/text.ts';
import { knowledgeAxes, uncategorizedFolder } from '../model/entry.ts';
import { formatYaml } from '../yaml/yaml.ts';
import { writeScaffold } from './scaffold.ts';

/** Paths of the files for Obsidian that a vault does not have: an older Ravel made none, and a person may remove them. */
export async function missingObsidianFiles(disk: ReadingDisk, root: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const path of obsidianFiles().keys()) {
    if (!(await exists(disk, join(root, path)))) missing.push(path);
  }
  return missing;
}

/** Makes those that are missing, and tells which; what is there is a person's and stays. */
export async function addObsidianFiles(disk: Disk, root: string): Promise<readonly string[]> {
  const missing = await missingObsidianFiles(disk, root);
  if (missing.length > 0) await writeScaffold(disk, root, obsidianFiles());
  return missing;
}

/** What a vault has for the editor Obsidian, by path: wikilinks, the graph, and queries by its Dataview plugin. */
export function obsidianFiles(): Map<string, string> {
  const settings = Object.entries(obsidian).map(([name, value]) => [`.obsidian/${name}`, formatJson(value)] as const);
  return new Map([
    ...settings,
    ['Plans.md', dashboard],
    ['Activity.md', activityPage],
    ['Knowledge.md', knowledgePage],
    ['Knowledge.base', knowledgeBase],
  ]);
}

const obsidian: Readonly<Record<string, unknown>> = {
  'app.json': {
    promptDelete: false,
    alwaysUpdateLinks: true,
    newLinkFormat: 'shortest',
    useMarkdownLinks: false,
    attachmentFolderPath: './attachments',
  },
  'community-plugins.json': ['dataview'],
  'core-plugins.json': [
    'file-explorer',
    'global-search',
    'switcher',
    'graph',
    'backlink',
    'outgoing-link',
    'tag-pane',
    'page-preview',
    'command-palette',
    'markdown-importer',
    'word-count',
    'open-with-default-app',
  ],
  'graph.json': {
    search: '-path:archive -path:decisions',
    showTags: false,
    showAttachments: false,
    hideUnresolved: true,
    showOrphans: true,
    colorGroups: [
      { query: 'tag:#ravel-plan', color: { a: 1, rgb: 0x3b82f6 } },
      { query: 'tag:#ravel-view', color: { a: 1, rgb: 0x9ca3af } },
      { query: 'path:knowledge', color: { a: 1, rgb: 0x10b981 } },
      { query: 'path:experts', color: { a: 1, rgb: 0xf59e0b } },
    ],
  },
};

/** Queries over the frontmatter of the views, which name their plan; nothing in it depends on one machine. */
const dashboard = `---
tags: [ravel-dashboard]
---
# Plans

These tables need the Dataview plugin. They read the views that Ravel makes; this note is yours to change.

## The state of each plan

\`\`\`dataview
TABLE WITHOUT ID link(file.folder + "/plan-state", plan) AS "Plan", phase AS "Phase", ready AS "Ready", blocked AS "Blocked", in-progress AS "In progress", done AS "Done", received AS "New"
FROM #ravel-view AND "projects"
WHERE file.name = "backlog"
SORT plan ASC
\`\`\`

## Waiting

\`\`\`dataview
TABLE WITHOUT ID link(file.folder + "/backlog", plan) AS "Plan", blocked AS "Blocked tasks", received AS "New messages", hand-offs AS "Hand-offs"
FROM #ravel-view AND "projects"
WHERE file.name = "backlog" AND (blocked > 0 OR received > 0 OR hand-offs > 0)
SORT received DESC, blocked DESC
\`\`\`

## What was learned

\`\`\`dataview
TABLE WITHOUT ID link(file.folder + "/memory", plan) AS "Plan", entries AS "Entries", words AS "Words"
FROM #ravel-view AND "projects"
WHERE file.name = "memory"
SORT words DESC
\`\`\`

## Sessions

\`\`\`dataview
TABLE WITHOUT ID link(file.folder + "/session-log", plan) AS "Plan", sessions AS "Sessions"
FROM #ravel-view AND "projects"
WHERE file.name = "session-log" AND sessions > 0
SORT sessions DESC
\`\`\`

See also [[Activity]] and [[plan-catalog]].
`;

/**
 * What happened, by queries over the pages in `runtime/pages` and the messages that the views of backlogs name. What a
 * text of others says with `key::` is not a field of the frontmatter, so the queries read that alone.
 */
const activityPage = `---
tags: [ravel-dashboard]
---
# Activity

These tables need the Dataview plugin. They read pages that Ravel makes in \`runtime/pages\`: [[runtime/pages/decisions|decisions]], [[runtime/pages/routing|routing]], [[runtime/pages/cycles|cycles]] and [[runtime/pages/spending|spending]], which show the same without it. A page appears once there is something to show. This note is yours to change.

## Messages of all plans

\`\`\`dataview
TABLE WITHOUT ID m.at AS "At", file.frontmatter.plan AS "Plan", m.way AS "Way", m.with AS "With", m.state AS "State", m.text AS "Text"
FROM #ravel-view AND "projects"
WHERE file.name = "backlog" AND file.frontmatter.messages
FLATTEN file.frontmatter.messages AS m
SORT m.at DESC
LIMIT 50
\`\`\`

${activityTable('Decisions', 'decisions', [
  ['at', 'At'],
  ['plan', 'Plan'],
  ['kind', 'About'],
  ['decision', 'Answer'],
  ['by', 'By'],
  ['subject', 'Question'],
  ['reason', 'Reason'],
])}
${activityTable('How messages found their receivers', 'routing', [
  ['at', 'At'],
  ['from', 'From'],
  ['to', 'To'],
  ['step', 'Step'],
  ['state', 'State'],
  ['text', 'Text'],
])}
${activityTable('Cycles', 'cycles', [
  ['at', 'Ended'],
  ['plan', 'Plan'],
  ['cycle', 'Cycle'],
  ['end', 'End'],
  ['minutes', 'Minutes'],
  ['usd', 'US dollars'],
  ['commits', 'Commits'],
])}
${activityTable('Spending', 'spending', [
  ['day', 'Day'],
  ['usd', 'US dollars'],
  ['sessions', 'Sessions'],
  ['unknown', 'Of unknown cost'],
])}
See also [[Plans]].
`;

function activityTable(
  title: string,
  page: string,
  columns: readonly (readonly [key: string, title: string])[],
): string {
  const [first = ''] = columns[0] ?? [];
  return `## ${title}

\`\`\`dataview
TABLE WITHOUT ID ${columns.map(([key, name]) => `r.${key} AS "${name}"`).join(', ')}
FROM #ravel-page AND "runtime/pages"
WHERE file.name = "${page}"
FLATTEN file.frontmatter.records AS r
SORT r.${first} DESC
LIMIT 50
\`\`\`
`;
}

/** Folders of `knowledge/` with their titles, in the order in which the pages show them. */
const axes = [...knowledgeAxes, uncategorizedFolder].map((axis) => ({ axis, title: capitalized(axis) }));

/** An index of each axis, by queries over the frontmatter of its entries. */
const knowledgePage = `---
tags: [ravel-dashboard]
---
# Knowledge

These tables need the Dataview plugin. [[Knowledge.base]] shows the same without it. This note is yours to change.

${axes
  .map(
    ({ axis, title }) => `## ${title}

\`\`\`dataview
TABLE WITHOUT ID link(file.link, title) AS "Entry", kind AS "Kind", confidence AS "Confidence", tags AS "Tags", last_validated AS "Validated"
FROM "knowledge/${axis}"
WHERE title
SORT title ASC
\`\`\`
`,
  )
  .join('\n')}
## Not proven yet

\`\`\`dataview
TABLE WITHOUT ID link(file.link, title) AS "Entry", confidence AS "Confidence", created AS "Created"
FROM "knowledge"
WHERE title AND (confidence = "low" OR confidence = "prospective")
SORT created ASC
\`\`\`

See also [[Plans]].
`;

/** The same as a base of Obsidian, which needs no plugin: one view of all entries, and one for each axis. */
const knowledgeBase = formatYaml({
  filters: { and: ['file.inFolder("knowledge")', 'file.ext == "md"', 'file.hasProperty("title")'] },
  properties: {
    'note.title': { displayName: 'Entry' },
    'note.last_validated': { displayName: 'Validated' },
  },
  views: [
    baseView('All entries', []),
    ...axes.map(({ axis, title }) => baseView(title, [`file.inFolder("knowledge/${axis}")`])),
  ],
});

function baseView(name: string, conditions: readonly string[]) {
  const columns = ['file.name', 'note.title', 'note.kind', 'note.confidence', 'note.status', 'note.tags'];
  return {
    ...{ type: 'table', name },
    ...(conditions.length > 0 && { filters: { and: conditions } }),
    order: [...columns, 'note.last_validated'],
  };
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
