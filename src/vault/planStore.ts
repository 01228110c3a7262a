import { isUtf8 } from 'node:buffer';
import { join, sep } from 'node:path';
import { defined } from '../base/defined.ts';
import type { Disk, ReadingDisk } from '../base/disk.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { type Backlog, backlogSchema } from '../model/backlog.ts';
import { diagnostic } from '../model/codes.ts';
import { describeIssue, foundAt } from '../model/issueText.ts';
import type { Memory } from '../model/memory.ts';
import { isPhase, type Phase, phases } from '../model/phase.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../model/plan.ts';
import { type PlanState, planStateSchema } from '../model/planState.ts';
import { readYaml } from '../yaml/yaml.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';
import { keyRange, parseFrontmatter } from './frontmatter.ts';
import { readMemoryFile } from './memoryFile.ts';
import type { PlanLocation } from './walk.ts';

/** Larger state files are not even read, so that one file cannot fill the memory of the owner. */
const stateFileBytesMax = 64 * 1024 * 1024;

/** The texts of these files as they are; one that does not exist has no entry. Throws what cannot be read. */
export async function loadPlanTexts(
  disk: Disk,
  directory: string,
  files: readonly PlanFile[],
): Promise<Map<PlanFile, string>> {
  const loaded = await Promise.all(files.map((file) => loadText(disk, join(directory, file))));
  const texts = new Map<PlanFile, string>();
  for (const [n, file] of files.entries()) {
    const text = loaded[n];
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

export interface ReadPlanFiles {
  readonly texts: PlanTexts;
  /** What could not be read at all; such a file has no text, though it exists. */
  readonly faults: ReadonlyMap<PlanFile, Diagnostic>;
}

/**
 * As `loadPlanTexts`, but a file that cannot be read becomes a diagnostic about the plan. That names the path through the
 * vault, wherever the files were read from.
 */
export async function readPlanFiles(
  disk: ReadingDisk,
  plan: PlanPlace,
  files: readonly PlanFile[],
): Promise<ReadPlanFiles> {
  const texts = new Map<PlanFile, string>();
  const faults = new Map<PlanFile, Diagnostic>();
  const from = plan.readFrom ?? plan.directory;
  const contents = await disk.readEach(
    files.map((file) => `${from}/${file}`),
    stateFileBytesMax,
  );
  for (const [n, file] of files.entries()) {
    const bytes = contents[n];
    if (bytes !== undefined && isUtf8(bytes)) texts.set(file, bytes.toString('utf8'));
    else await readAlone(file);
  }
  return { texts, faults };

  /** To learn what is wrong with it. */
  async function readAlone(file: PlanFile): Promise<void> {
    try {
      const text = await loadText(disk, join(plan.directory, file));
      if (text !== undefined) texts.set(file, text);
    } catch (error) {
      if (!isRavelError(error)) throw error;
      faults.set(file, { ...error.diagnostic, subject: plan.id });
    }
  }
}

export interface PlanPlace extends Pick<PlanLocation, 'id' | 'directory'> {
  /** The same folder by a shorter way. */
  readonly readFrom?: string;
}

/** A plan as its files say; what is wrong with one is in the diagnostics and its field is missing. */
export interface LoadedPlan {
  readonly state?: PlanState;
  readonly phase?: Phase;
  readonly backlog?: Backlog;
  readonly memory?: Memory;
  readonly diagnostics: readonly Diagnostic[];
}

const loadedFiles = [planFiles.marker, planFiles.phase, planFiles.backlog, planFiles.memory] as const;

export async function loadPlan(disk: ReadingDisk, plan: PlanPlace): Promise<LoadedPlan> {
  return parsePlan(await readPlanFiles(disk, plan, loadedFiles), plan);
}

/** Parses what was read of the four files that make up a plan, or of those `wanted`; each must be there. */
export function parsePlan(
  { texts, faults }: ReadPlanFiles,
  plan: PlanPlace,
  wanted: readonly PlanFile[] = loadedFiles,
): LoadedPlan {
  const diagnostics: Diagnostic[] = [];
  const state = parsed(planFiles.marker, readPlanState);
  const phase = parsed(planFiles.phase, readPhase);
  const backlog = parsed(planFiles.backlog, (text, place) => readYaml(backlogSchema, text, place));
  const memory = parsed(planFiles.memory, readMemoryFile);
  return {
    ...defined({ state, phase, backlog, memory }),
    diagnostics,
  };

  function parsed<T>(file: PlanFile, parse: (text: string, place: YamlPlace) => Read<T>): T | undefined {
    if (!wanted.includes(file)) return undefined;
    const place = { file: `${plan.directory}${sep}${file}`, subject: plan.id };
    const fault = faults.get(file);
    const text = texts.get(file);
    if (fault !== undefined) diagnostics.push(fault);
    else if (text === undefined) diagnostics.push(missing(file, place));
    if (text === undefined) return undefined;
    const result = parse(text, place);
    diagnostics.push(...result.diagnostics);
    return result.value;
  }
}

/** A value and what was found on the way to it; no value when there is an error. */
export interface Read<T> {
  readonly value?: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The frontmatter of `plan-state.md`. */
export function readPlanState(text: string, place: YamlPlace): Read<PlanState> {
  const { data, diagnostics } = parseFrontmatter(text, place);
  if (diagnostics.some((one) => one.severity === 'error')) return { diagnostics };
  const result = planStateSchema.safeParse(data);
  if (result.success) return { value: result.data, diagnostics };
  const problems = result.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    const isDescription = path === 'description' && typeof descriptionIn(data) === 'string';
    const message = isDescription
      ? `Bad description: ${issue.message}.`
      : `The frontmatter is not that of a plan: ${path === '' ? '' : `${path}: `}${describeIssue(issue, foundAt(data, issue.path))}.`;
    const code = isDescription ? 'plan/badDescription' : 'plan/badState';
    return diagnostic(code, place.subject, message, { file: place.file, range: keyRange(text, issue.path[0]) });
  });
  return { diagnostics: [...diagnostics, ...problems] };
}

/** The one word of `phase.md`, with whatever space around it. */
export function readPhase(text: string, place: YamlPlace): Read<Phase> {
  const word = text.trim();
  if (isPhase(word)) return { value: word, diagnostics: [] };
  const found = word === '' ? 'is empty' : `holds "${word.slice(0, 40)}", which is not a phase`;
  const message = `${planFiles.phase} ${found}; the phases are ${phases.join(', ')}.`;
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  return { diagnostics: [diagnostic('plan/badPhase', place.subject, message, { file: place.file, range })] };
}

export function formatPhase(phase: Phase): string {
  return `${phase}\n`;
}

function loadText(disk: ReadingDisk, path: string): Promise<string | undefined> {
  return readTextIfExists(disk, path, { bytesMax: stateFileBytesMax });
}

function missing(file: PlanFile, place: YamlPlace): Diagnostic {
  if (file === planFiles.phase) {
    const message = `${file} is missing; it holds one of ${phases.join(', ')}.`;
    return diagnostic('plan/badPhase', place.subject, message, { file: place.file });
  }
  return diagnostic('plan/missingFile', place.subject, `${file} is missing.`, { file: place.file });
}

function descriptionIn(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'description' in data ? data.description : undefined;
}
