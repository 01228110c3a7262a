import type * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { Disk, ReadingDisk } from '../base/disk.ts';
import { type Diagnostic, RavelError } from '../base/errors.ts';
import { readTextIfExists, sha256, writeAtomicIf } from '../base/files.ts';
import { localProjectsSchema, projectsSchema } from '../model/projectFile.ts';
import { editYaml, formatYaml, readYaml, type YamlEdit } from '../yaml/yaml.ts';
import type { VaultLayout } from './layout.ts';

/** A project of the vault. The name and remote are shared between machines; the path is this machine's own. */
export interface ProjectEntry {
  readonly name: string;
  readonly remote?: string;
  /** Absolute. */
  readonly path?: string;
}

export interface Projects {
  /** In the order of `projects.yaml`, then those that only this machine knows. */
  readonly projects: readonly ProjectEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads `projects.yaml` and `projects.local.yaml`; a file that does not exist is empty. */
export async function loadProjects(disk: ReadingDisk, layout: VaultLayout): Promise<Projects> {
  const shared = await read(disk, layout.projectsFile, projectsSchema);
  const local = await read(disk, layout.localProjectsFile, localProjectsSchema);
  const paths = new Map((local.value?.projects ?? []).map(({ name, path }) => [name, path]));
  const projects = new Map<string, ProjectEntry>();
  for (const { name, remote } of shared.value?.projects ?? []) {
    projects.set(name, { name, ...(remote ? { remote } : {}) });
  }
  for (const [name, path] of paths) projects.set(name, { ...projects.get(name), name, path });
  return { projects: [...projects.values()], diagnostics: [...shared.diagnostics, ...local.diagnostics] };
}

/** A change of the registry that was checked and computed, and is not yet written. */
export interface Registration {
  /** Whether both files say it already. */
  readonly isComplete: boolean;
  write(): Promise<void>;
}

/**
 * Prepares an entry for a project in both files, or its correction. Throws, before anything is written, when a file
 * cannot be read or edited.
 */
export async function prepareRegistration(
  disk: Disk,
  layout: VaultLayout,
  project: { readonly name: string; readonly path: string; readonly remote?: string },
): Promise<Registration> {
  const { name, path, remote } = project;
  const changes = [
    await prepare(disk, layout.localProjectsFile, localProjectsSchema, { name, path }),
    await prepare(disk, layout.projectsFile, projectsSchema, { name, ...defined({ remote }) }),
  ];
  return {
    isComplete: changes.every(({ before, after }) => before === after),
    async write() {
      for (const { file, hash, before, after } of changes) {
        if (before !== after) await writeAtomicIf(disk, file, hash, after);
      }
    },
  };
}

/** Takes a project out of both files; one that is in neither is fine. */
export async function unregisterProject(disk: Disk, layout: VaultLayout, name: string): Promise<void> {
  await editEntries(disk, layout, name, (at) => [{ op: 'delete', path: ['projects', at] }]);
}

/** Gives a project another name in both files; whatever else stands in its entry is kept. */
export async function renameRegistration(disk: Disk, layout: VaultLayout, from: string, to: string): Promise<void> {
  await editEntries(disk, layout, from, (at) => [{ op: 'set', path: ['projects', at, 'name'], value: to }]);
}

async function editEntries(
  disk: Disk,
  layout: VaultLayout,
  name: string,
  edit: (at: number) => YamlEdit[],
): Promise<void> {
  const files = [
    [layout.localProjectsFile, localProjectsSchema],
    [layout.projectsFile, projectsSchema],
  ] as const;
  for (const [file, schema] of files) {
    const { text, value, diagnostics } = await read(disk, file, schema);
    const problem = diagnostics.find((one) => one.severity === 'error');
    if (problem !== undefined) throw new RavelError(problem);
    const at = (value?.projects ?? []).findIndex((one) => one.name === name);
    if (text === undefined || at < 0) continue;
    await writeAtomicIf(disk, file, sha256(text), editYaml(text, edit(at), { file, subject: file }));
  }
}

interface Change {
  readonly file: string;
  readonly hash: string | undefined;
  readonly before: string | undefined;
  readonly after: string;
}

async function prepare(
  disk: Disk,
  file: string,
  schema: typeof projectsSchema | typeof localProjectsSchema,
  entry: Readonly<Record<string, string>>,
): Promise<Change> {
  const { text, value, diagnostics } = await read(disk, file, schema);
  const problem = diagnostics.find((one) => one.severity === 'error');
  if (problem !== undefined) throw new RavelError(problem);
  if (text === undefined) return { file, hash: undefined, before: undefined, after: formatYaml({ projects: [entry] }) };
  const list = value?.projects ?? [];
  const at = list.findIndex((one) => one.name === entry['name']);
  const edits: YamlEdit[] =
    at < 0
      ? [{ op: 'insert', path: ['projects'], index: list.length, value: entry }]
      : Object.entries(entry)
          .filter(([key, wanted]) => list[at]?.[key] !== wanted)
          .map(([key, wanted]) => ({ op: 'set', path: ['projects', at, key], value: wanted }));
  const after = edits.length === 0 ? text : editYaml(text, edits, { file, subject: file });
  return { file, hash: sha256(text), before: text, after };
}

async function read<S extends z.ZodType>(disk: ReadingDisk, file: string, schema: S) {
  const text = await readTextIfExists(disk, file);
  const { value, diagnostics } = readYaml(schema, text ?? '{}', { file, subject: file });
  return { text, value, diagnostics };
}
