import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { inlined, visible } from '../base/fence.ts';
import { readTextIfExists, sha256, writeAtomicIf } from '../base/files.ts';
import { type Backlog, backlogSchema, countBacklog } from '../model/backlog.ts';
import { diagnostic } from '../model/codes.ts';
import { projectOf, type QualifiedId } from '../model/id.ts';
import { countWords, type Memory } from '../model/memory.ts';
import type { Phase } from '../model/phase.ts';
import { type PlanFile, type PlanTexts, planFiles, viewFiles } from '../model/plan.ts';
import { type SessionLog, sessionLogSchema } from '../model/session.ts';
import { readYaml } from '../yaml/yaml.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';
import { formatBacklogBody } from './backlogBody.ts';
import { inert } from './inertText.ts';
import { readMemoryFile } from './memoryFile.ts';
import { messageRows } from './messagesBody.ts';
import { tamed } from './tamedMarkdown.ts';
import { checkSeal, sealView } from './viewSeal.ts';
import { isBlockId, planLink } from './wikilink.ts';

export type ViewFile = (typeof viewFiles)[number];

/** What a view says of its plan, for queries over all plans. */
export interface ViewMeta {
  readonly plan: QualifiedId;
  readonly phase: Phase;
}

export function formatBacklogView(backlog: Backlog, meta: ViewMeta): string {
  const counts = countBacklog(backlog);
  const numbers = [
    `ready: ${counts.ready}`,
    `blocked: ${counts.blocked}`,
    `in-progress: ${counts.inProgress}`,
    `done: ${counts.done}`,
    `received: ${counts.received}`,
    `hand-offs: ${counts.handoffs}`,
    `dispatched: ${backlog.dispatched?.length ?? 0}`,
    ...messageRows(backlog),
  ];
  return seal(planFiles.backlog, meta, numbers, `# Backlog of ${planLink(meta.plan)}\n\n${formatBacklogBody(backlog)}`);
}

export function formatMemoryView(memory: Memory, meta: ViewMeta): string {
  const entries = memory.entries ?? [];
  const sections = entries.map((entry) => {
    const about = [entry.source, entry.since, entry['source-session']].filter((text) => text);
    return `## ${inert(entry.title)}\n\n${idLine(entry.id, about)}\n\n${tamed(entry.body)}\n`;
  });
  const numbers = [`entries: ${entries.length}`, `words: ${countWords(memory)}`];
  const body = sections.length === 0 ? '_(no entries)_\n' : sections.join('\n');
  return seal(planFiles.memory, meta, numbers, `# Memory of ${planLink(meta.plan)}\n\n${body}`);
}

/** The newest session stands first. */
export function formatSessionLogView(log: SessionLog, meta: ViewMeta): string {
  const sessions = (log.sessions ?? []).toReversed();
  const sections = sessions.map(
    (record) =>
      `## ${inert(`${record.timestamp} ${record.phase}`)}\n\n${idLine(record.id, [record.session])}\n\n${tamed(record.body)}\n`,
  );
  const body = sections.length === 0 ? '_(no sessions)_\n' : sections.join('\n');
  const heading = `# Session log of ${planLink(meta.plan)}`;
  return seal(planFiles.sessionLog, meta, [`sessions: ${sessions.length}`], `${heading}\n\n${body}`);
}

/** How each view comes from its source; undefined if the source cannot be read, which `verify` reports. */
const views: Readonly<Record<ViewFile, ViewRow>> = {
  'backlog.md': {
    source: planFiles.backlog,
    format: (text, place, meta) => {
      const { value } = readYaml(backlogSchema, text, place);
      return value === undefined ? undefined : formatBacklogView(value, meta);
    },
  },
  'memory.md': {
    source: planFiles.memory,
    format: (text, place, meta) => {
      const { value } = readMemoryFile(text, place);
      return value === undefined ? undefined : formatMemoryView(value, meta);
    },
  },
  'session-log.md': {
    source: planFiles.sessionLog,
    format: (text, place, meta) => {
      const { value } = readYaml(sessionLogSchema, text, place);
      return value === undefined ? undefined : formatSessionLogView(value, meta);
    },
  },
};

/** The file that a view is made from. */
export function sourceOf(view: ViewFile): PlanFile {
  return views[view].source;
}

interface ViewRow {
  readonly source: PlanFile;
  readonly format: (text: string, place: YamlPlace, meta: ViewMeta) => string | undefined;
}

export interface SavedViews {
  readonly written: readonly ViewFile[];
  /** `view/edited` for each view that was left alone because a person wrote in it. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Brings the views of a plan up to date with the texts of its files. Writes only what changed; never touches a file
 * that a person edited, or that Ravel did not generate.
 */
export async function saveViews(disk: Disk, directory: string, texts: PlanTexts, meta: ViewMeta): Promise<SavedViews> {
  const written: ViewFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of viewFiles) {
    const { source, format } = views[name];
    const text = texts.get(source);
    const view =
      text === undefined ? undefined : format(text, { file: join(directory, source), subject: meta.plan }, meta);
    if (view === undefined) continue;
    const outcome = await saveView(disk, join(directory, name), view, { name, source, subject: meta.plan });
    if (outcome === 'written') written.push(name);
    else if (outcome !== 'unchanged') diagnostics.push(outcome);
  }
  return { written, diagnostics };
}

export interface ViewName {
  readonly name: string;
  readonly source: string;
  /** What it is about. */
  readonly subject: string;
}

/** Writes a generated note if it differs, unless a person edited it: then `view/edited`. */
export async function saveView(
  disk: Disk,
  file: string,
  view: string,
  names: ViewName,
): Promise<'written' | 'unchanged' | Diagnostic> {
  try {
    const old = await readTextIfExists(disk, file);
    if (old === view) return 'unchanged';
    if (old !== undefined && checkSeal(old) !== 'generated') return editedView(file, old, view, names);
    await writeAtomicIf(disk, file, old === undefined ? undefined : sha256(old), view);
    return 'written';
  } catch (error) {
    // Both mean that a person is at work in the file.
    if (isRavelError(error, 'yaml/changedMeanwhile') || isRavelError(error, 'yaml/encoding')) {
      return diagnostic(
        'view/edited',
        names.subject,
        `${names.name} was changed by another program; it is left as it is.`,
        {
          severity: 'warning',
          file,
        },
      );
    }
    throw error;
  }
}

function editedView(file: string, old: string, view: string, names: ViewName): Diagnostic {
  const { name, source, subject } = names;
  if (checkSeal(old) === 'foreign') {
    const help = `Move its changes into ${source}, then rename or remove ${name}.`;
    const message = `${name} was not made by Ravel and is left as it is.`;
    return diagnostic('view/edited', subject, message, { severity: 'warning', file, help });
  }
  const lines = old.split('\n');
  const current = view.split('\n');
  // The line with the hash always differs; it says nothing of what the person did.
  const line = lines.findIndex((text, n) => text !== current[n] && !text.startsWith('*Ravel makes this view'));
  const at = Math.max(0, line);
  const was = current[at] === undefined ? 'nothing' : `"${current[at]}"`;
  const message = `${name} was edited by hand and is left as it is; line ${at + 1} is "${lines[at] ?? ''}", ${source} makes it ${was}.`;
  const range = { start: { line: at, character: 0 }, end: { line: at, character: (lines[at] ?? '').length } };
  return diagnostic('view/edited', subject, message, { severity: 'warning', file, range });
}

function seal(source: PlanFile, meta: ViewMeta, numbers: readonly string[], body: string): string {
  const frontmatter = [
    `plan: ${JSON.stringify(meta.plan)}`,
    `project: ${JSON.stringify(projectOf(meta.plan))}`,
    `phase: ${meta.phase}`,
    ...numbers,
    'tags: [ravel-view]',
  ];
  // Records hold text by others; nothing of it acts on who reads the view, or hides in it.
  return sealView({ source, frontmatter, body: visible(body) });
}

function idLine(id: string, about: readonly (string | null | undefined)[]): string {
  const details = about.filter((text) => text).join(', ');
  const block = isBlockId(id) ? ` ^${id}` : '';
  return `\`${inlined(id)}\`${details === '' ? '' : ` (${inert(details)})`}${block}`;
}
