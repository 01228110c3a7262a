import { join } from 'node:path';
import type { DirectoryEntry, ReadingDisk } from '../../base/disk.ts';
import { visible } from '../../base/fence.ts';
import { oneLine } from '../../base/text.ts';
import { idFromSegment, isQualifiedId, type QualifiedId, rootPlanName, wholePlanName } from '../../model/id.ts';
import { planFiles } from '../../model/plan.ts';
import { projectPaths, type VaultLayout } from '../../vault/layout.ts';
import type { NameSource } from './table.ts';

/** A name that can stand at the cursor. */
export interface NameAtCursor {
  readonly value: string;
  readonly about?: string;
}

/** What names are looked up with. Nothing is checked or repaired: a file that cannot be read has no names. */
export interface NamePorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  /** Names that do not begin so are not needed. */
  readonly prefix: string;
  /** The plan that the command line names, by its id or its project; undefined if it names none. */
  readonly plan: string | undefined;
}

/** Larger files are not read, nor folders looked into below this depth, nor more names than this given. */
const bytesMax = 8 * 1024 * 1024;
const depthMax = 8;
const namesMax = 20_000;
/** Folders of plans that are read, and plans in them that the catalogue does not have yet. */
const parentsMax = 200;
const freshPlansMax = 2000;
/** How many numbers each file has among the stamps. */
const stampParts = 4;
/** Of the first records the file is read to say what they are; the others are only named. */
const describedMax = 40;

type LookUp = (ports: NamePorts) => Promise<readonly NameAtCursor[]>;

/** How names of each kind are found; those that are not in a vault are absent. */
export const lookUps: Readonly<Partial<Record<NameSource, LookUp>>> = {
  plan: async (ports) => [...(await projectNames(ports)), ...(await planNames(ports))],
  project: projectNames,
  async target(ports) {
    const [projects, plans, experts] = await Promise.all([projectNames(ports), planNames(ports), expertNames(ports)]);
    const named = projects.map(({ value }) => ({ value: `project:${value}`, about: 'whichever of its plans fits' }));
    return [{ value: 'auto', about: 'let Ravel find the receiver' }, ...projects, ...plans, ...named, ...experts];
  },
  actor: async (ports) => [...(await planNames(ports)), ...(await expertNames(ports))],
  expert: async (ports) => {
    const experts = await expertNames(ports);
    return ports.prefix.startsWith('expert:')
      ? experts
      : experts.map(({ value, ...rest }) => ({ value: value.replace('expert:', ''), ...rest }));
  },
  task: (ports) => recordIds(ports, planFiles.backlog, 'tasks'),
  receivedMessage: (ports) => recordIds(ports, planFiles.backlog, 'received'),
  memoryEntry: (ports) => recordIds(ports, planFiles.memory, 'entries'),
  sessionRecord: (ports) => recordIds(ports, planFiles.sessionLog, undefined),
  approval: (ports) => records(ports, ports.layout.approvals, '.yaml', ['kind', 'plan', 'subject']),
  receipt: (ports) => records(ports, ports.layout.receipts, '.json', ['expert', 'question']),
  ingestion: (ports) => records(ports, ports.layout.ingestions, '.json', ['plan', 'state']),
  question: async (ports) => [
    ...(await inEachFolder(ports, ports.layout.questions, '.json')),
    ...(await records(ports, ports.layout.answers, '.yaml', ['to', 'from'])),
  ],
  deadLetter: (ports) => inEachFolder(ports, ports.layout.deadLetters, '.json'),
  session: async ({ disk, layout }) => (await folders(disk, layout.sessions)).map((value) => ({ value })),
  entry: (ports) => entryNames(ports, false),
  archivedEntry: (ports) => entryNames(ports, true),
  archive: archiveNames,
};

async function projectNames({ disk, layout }: NamePorts): Promise<readonly NameAtCursor[]> {
  const entries = await list(disk, layout.projects);
  return entries.flatMap(({ name }) => (isQualifiedId(`${name}/${rootPlanName}`) ? [{ value: name }] : []));
}

/**
 * The plans of the catalogue that the owner keeps, and those right below the folder that the person has typed so far,
 * for one that was made since. Without a catalogue, each folder is completed in turn.
 */
async function planNames({ disk, layout, prefix }: NamePorts): Promise<readonly NameAtCursor[]> {
  const names = new Map<string, NameAtCursor>();
  const catalog = await read(disk, layout.catalog);
  for (const line of catalog.split('\n')) {
    const [label = '', about] = line.startsWith('- [[projects/')
      ? line.slice(line.indexOf('|') + 1).split(']]: ', 2)
      : [];
    if (about !== undefined && label.startsWith(prefix)) names.set(label, { value: label, about });
  }
  const typed = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const project = typed.split('/')[0] ?? '';
  const parents =
    typed === ''
      ? (await projectNames({ disk, layout, prefix, plan: undefined })).map(({ value }) => `${value}/`)
      : [typed];
  if (typed !== '' && !isQualifiedId(`${project}/${rootPlanName}`)) return [];
  const found: string[] = [];
  for (const parent of parents.slice(0, parentsMax)) {
    if (parent.split('/').some((part) => part.startsWith('.'))) continue;
    const inner = (await folders(disk, `${layout.projects}/${parent}`)).map((folder) => `${parent}${folder}`);
    found.push(...inner.filter((value) => value.startsWith(prefix) && !names.has(value) && isQualifiedId(value)));
  }
  const fresh = found.slice(0, freshPlansMax);
  const stamps = await disk.stampEach(fresh.map((value) => join(layout.projects, value, planFiles.marker)));
  for (const [at, value] of fresh.entries()) if (stamps[at * stampParts] !== 0) names.set(value, { value });
  return [...names.values()];
}

async function expertNames({ disk, layout }: NamePorts): Promise<readonly NameAtCursor[]> {
  const entries = await list(disk, layout.experts);
  return entries.flatMap(({ name }) => {
    const value = `expert:${name.replace(/\.md$/, '')}`;
    return name.endsWith('.md') && isQualifiedId(value) ? [{ value }] : [];
  });
}

/** Ids of the records of a plan, by their lines alone: of a file with a mistake in it, those that can be seen. */
async function recordIds(ports: NamePorts, file: string, list: string | undefined): Promise<readonly NameAtCursor[]> {
  const plan = await planOf(ports);
  if (plan === undefined) return [];
  const names: { value: string; about?: string }[] = [];
  let isListed = list === undefined;
  // Where the keys of its records begin; texts inside them are further in.
  let column = 0;
  for (const line of (await read(ports.disk, join(ports.layout.plan(plan), file))).split('\n')) {
    const [, key] = /^([\w-]+):/.exec(line) ?? [];
    if (key !== undefined && list !== undefined) isListed = key === list;
    if (key !== undefined) column = 0;
    if (!isListed) continue;
    const [, dash = ''] = /^( {0,4}- +)\w/.exec(line) ?? [];
    if (column === 0) column = dash.length;
    const start = line.search(/[^ -]/);
    if (start !== column || column === 0) continue;
    const [, id] = /^id: *["']?([\w.-]+)["']? *$/.exec(line.slice(column)) ?? [];
    const title = line.startsWith('title:', column) ? line.slice(column + 'title:'.length) : undefined;
    const last = names.at(-1);
    if (id !== undefined) names.push({ value: id });
    else if (title !== undefined && last !== undefined) last.about ??= plain(title);
  }
  return names;
}

/** The plan that the line names; without one, the only plan of the vault. */
async function planOf(ports: NamePorts): Promise<QualifiedId | undefined> {
  if (ports.plan !== undefined) {
    const whole = wholePlanName(ports.plan);
    return isQualifiedId(whole) && !whole.startsWith('expert:') ? whole : undefined;
  }
  const [only, ...others] = await planNames({ ...ports, prefix: '' });
  return only !== undefined && others.length === 0 && isQualifiedId(only.value) ? only.value : undefined;
}

/** Records that are files with their id as name, the newest first, with what some of their fields say. */
async function records(
  { disk, prefix }: NamePorts,
  folder: string,
  ending: string,
  fields: readonly string[],
): Promise<readonly NameAtCursor[]> {
  const ids = (await list(disk, folder)).flatMap(({ name }) =>
    name.endsWith(ending) && !name.startsWith('.') ? [name.slice(0, -ending.length)] : [],
  );
  const fitting = ids
    .filter((id) => id.startsWith(prefix.toUpperCase()))
    .sort()
    .reverse();
  const names = fitting.slice(0, namesMax).map(async (value, at): Promise<NameAtCursor> => {
    if (at >= describedMax) return { value };
    const text = await read(disk, join(folder, `${value}${ending}`));
    const parts = fields.flatMap((field) => fieldOf(text, field, ending === '.json') ?? []);
    return parts.length === 0 ? { value } : { value, about: parts.join(' · ') };
  });
  return Promise.all(names);
}

/** A field at the top of a record: of JSON, or of a line of YAML. */
function fieldOf(text: string, field: string, isJson: boolean): string | undefined {
  if (!isJson) {
    const line = text.split('\n').find((one) => one.startsWith(`${field}: `));
    return line === undefined ? undefined : plain(line.slice(field.length + 2));
  }
  try {
    const value: unknown = JSON.parse(text)?.[field];
    return typeof value === 'string' ? plain(value) : undefined;
  } catch {
    // A record that cannot be read has no description.
    return undefined;
  }
}

/** Ids of files in the folders of a folder, one for each plan or expert. */
async function inEachFolder({ disk }: NamePorts, folder: string, ending: string): Promise<readonly NameAtCursor[]> {
  const names: NameAtCursor[] = [];
  for (const segment of await folders(disk, folder)) {
    const about = idFromSegment(segment);
    for (const { name } of await list(disk, join(folder, segment))) {
      if (!name.endsWith(ending) || names.length >= namesMax) continue;
      const value = name.slice(0, -ending.length);
      names.push(about === undefined ? { value } : { value, about });
    }
  }
  return names;
}

async function entryNames({ disk, layout, prefix }: NamePorts, isArchived: boolean): Promise<readonly NameAtCursor[]> {
  const inVault = isArchived ? layout.archivedKnowledge : layout.knowledge;
  const inProject = isArchived ? projectPaths.archivedKnowledge : projectPaths.knowledge;
  const names: NameAtCursor[] = [];
  const walk = async (folder: string, path: string, depth: number): Promise<void> => {
    if (depth > depthMax) return;
    for (const { name, kind } of await list(disk, folder)) {
      if (name.startsWith('.') || names.length >= namesMax) continue;
      const inner = `${path}/${name}`;
      if (kind === 'directory') {
        const isOnTheWay = prefix.startsWith(`${inner}/`) || `${inner}/`.startsWith(prefix);
        if (isOnTheWay) await walk(join(folder, name), inner, depth + 1);
      } else if (name.endsWith('.md')) names.push({ value: inner });
    }
  };
  const ofVault = isArchived ? 'archive/knowledge' : 'knowledge';
  await walk(inVault, ofVault, 0);
  for (const { value } of await projectNames({ disk, layout, prefix, plan: undefined })) {
    await walk(join(layout.project(value), inProject), `projects/${value}/${ofVault}`, 0);
  }
  return names;
}

/** A plan or project that was removed once is named by its id, else by the name of its folder. */
async function archiveNames({ disk, layout }: NamePorts): Promise<readonly NameAtCursor[]> {
  const found: { readonly folder: string; readonly of: string | undefined }[] = [];
  for (const kind of ['plans', 'projects']) {
    for (const folder of await folders(disk, join(layout.archive, kind))) {
      const id = idFromSegment(folder.replace(/-[0-9A-HJKMNP-TV-Z]{26}$/, ''));
      found.push({ folder: `${kind}/${folder}`, of: kind === 'plans' ? id : id?.split('/')[0] });
    }
  }
  return found.map(({ folder, of }) => {
    const isOnly = found.filter((one) => one.of === of).length === 1;
    return of === undefined ? { value: folder } : isOnly ? { value: of } : { value: folder, about: of };
  });
}

async function folders(disk: ReadingDisk, folder: string): Promise<string[]> {
  const entries = await list(disk, folder);
  return entries.flatMap(({ name, kind }) => (kind === 'directory' && !name.startsWith('.') ? [name] : []));
}

async function list(disk: ReadingDisk, folder: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await disk.readDirectory(folder);
  } catch {
    // What cannot be read has no names; a completion reports nothing.
    return [];
  }
}

async function read(disk: ReadingDisk, path: string): Promise<string> {
  const [bytes] = await disk.readEach([path], bytesMax);
  return bytes?.toString('utf8') ?? '';
}

/** A field's text on one line, without its quotes. */
function plain(text: string): string {
  return oneLine(visible(text.trim().replace(/^(["'])(.*)\1$/, '$2')));
}
