import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { entryKeysSchema, knowledgeAxes, uncategorizedFolder } from '../../src/model/entry.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { addObsidianFiles, obsidianFiles } from '../../src/vault/obsidianTemplate.ts';
import { formatBacklogView, formatMemoryView, formatSessionLogView } from '../../src/vault/views.ts';
import { parseYaml } from '../../src/yaml/yaml.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const files = obsidianFiles();

describe('the Obsidian settings', () => {
  test.each([...files.keys()].filter((path) => path.endsWith('.json')))('in %s are valid JSON', (path) =>
    expect(() => JSON.parse(files.get(path) ?? '')).not.toThrow(),
  );

  test('use wikilinks and enable Dataview', () => {
    expect(JSON.parse(files.get('.obsidian/app.json') ?? '')).toMatchObject({ useMarkdownLinks: false });
    expect(JSON.parse(files.get('.obsidian/community-plugins.json') ?? '')).toEqual(['dataview']);
  });
});

test('addObsidianFiles adds the missing files and keeps those of the person', async () => {
  const root = await makeTemporaryDirectory();
  await writeFile(join(root, 'Plans.md'), 'Mine.\n');
  const made = await addObsidianFiles(nodeDisk, root);
  expect(made).toEqual([...files.keys()].filter((path) => path !== 'Plans.md'));
  for (const path of made) expect(await readFile(join(root, path), 'utf8')).toBe(files.get(path));
  expect(await readFile(join(root, 'Plans.md'), 'utf8')).toBe('Mine.\n');
  expect(await addObsidianFiles(nodeDisk, root)).toEqual([]);
});

describe('the dashboard', () => {
  const meta = { plan: toQualifiedId('Demo/project-root'), phase: 'work' as const };
  const views: Readonly<Record<string, string>> = {
    backlog: formatBacklogView({ tasks: [] }, meta),
    memory: formatMemoryView({ entries: [] }, meta),
    'session-log': formatSessionLogView({ sessions: [] }, meta),
  };
  const queries = (files.get('Plans.md') ?? '').match(/```dataview\n[^`]+```/g) ?? [];

  test('queries only fields that the views have', () => {
    expect(queries).toHaveLength(4);
    for (const query of queries) {
      const view = views[/file\.name = "([a-z-]+)"/.exec(query)?.[1] ?? ''] ?? '';
      const keys = new Set([...view.matchAll(/^([a-z-]+):/gm)].map(([, key]) => key));
      const fields = [...query.matchAll(/[ (]([a-z-]+) (?:AS "|> 0|(?:A|DE)SC)/g)].map(([, field]) => field);
      expect(fields.length).toBeGreaterThan(1);
      expect(fields.filter((field) => !keys.has(field))).toEqual([]);
      expect(view).toContain('tags: [ravel-view]');
    }
  });

  test('contains no path of one machine', () => expect(files.get('Plans.md')).not.toMatch(/\/(?:home|Users)\//));
});

describe('the pages about knowledge', () => {
  const keys = new Set([...Object.keys(entryKeysSchema.shape), 'file']);
  const folders = [...knowledgeAxes, uncategorizedFolder].map((axis) => `knowledge/${axis}`);

  test('have a query for each axis, over keys that entries have', () => {
    const queries = (files.get('Knowledge.md') ?? '').match(/```dataview\n[^`]+```/g) ?? [];
    const asked = queries.map((query) => /^FROM "([^"]+)"$/m.exec(query)?.[1]);
    expect(asked).toEqual([...folders, 'knowledge']);
    for (const query of queries) {
      const fields = [...query.matchAll(/(?:, |[( ])([a-z_-]+) (?:AS "|=|ASC)/g)].map(([, field]) => field ?? '');
      expect(fields.length).toBeGreaterThan(2);
      expect(fields.filter((field) => !keys.has(field))).toEqual([]);
    }
  });

  test('have a base with a view for each axis, over the same keys', () => {
    const { value } = parseYaml(files.get('Knowledge.base') ?? '', { file: 'Knowledge.base', subject: 'base' });
    const { views, properties } = value as {
      readonly views: readonly {
        readonly order: readonly string[];
        readonly filters?: { readonly and: readonly string[] };
      }[];
      readonly properties: object;
    };
    expect(views.map(({ filters }) => filters?.and)).toEqual([
      undefined,
      ...folders.map((folder) => [`file.inFolder("${folder}")`]),
    ]);
    const columns = [...views.flatMap(({ order }) => order), ...Object.keys(properties)];
    expect(columns.filter((column) => !keys.has(column.replace(/^note\.|\..*$/g, '')))).toEqual([]);
  });
});
