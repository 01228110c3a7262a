import type { QualifiedId } from '../model/id.ts';
import { isPhase, phaseFromWord, phases } from '../model/phase.ts';
import { planFiles } from '../model/plan.ts';
import { planScaffold } from '../vault/planScaffold.ts';
import { formatPhase } from '../vault/planStore.ts';
import { Draft } from './draft.ts';
import { draftRecords, markdownFiles, warnOfTokens } from './draftRecords.ts';
import { escapeTokens, promptPhase, resolvePathTokens } from './pathTokens.ts';
import type { SourceFolder } from './sourceFolder.ts';

/** What an import starts from: the folder's files, and the texts of those that are looked into. */
export interface PlanSource extends SourceFolder {
  /** The folder, for diagnostics. */
  readonly directory: string;
  readonly texts: ReadonlyMap<string, string>;
}

export interface ImportTarget {
  readonly id: QualifiedId;
  readonly description: string;
  /** Path of the new plan from its project, with `/`. */
  readonly planPath: string;
}

export interface DraftedPlan {
  readonly draft: Draft;
  readonly tasks: number;
  readonly entries: number;
  readonly sessions: number;
}

const relatedPlans = 'related-plans.md';
/** What the oldest plans called the word count of the last dream. */
const compactBaseline = 'compact-baseline';

/** Whether the text of a file of the source is needed to decide what becomes of it. */
export function isReadOnImport(path: string): boolean {
  if (path.includes('/')) return false;
  const known: readonly string[] = [...Object.values(planFiles), ...markdownFiles, relatedPlans, compactBaseline];
  return known.includes(path) || path.startsWith('prompt-');
}

/**
 * Decides what an import makes of a folder; does no I/O. Files of the YAML form stay as they are, to the byte; those of
 * the Markdown form are converted and their originals kept. An error among the diagnostics means that nothing may be
 * made.
 */
export function draftPlan(source: PlanSource, target: ImportTarget): DraftedPlan {
  const draft = new Draft(target.id, source.directory);
  const name = target.id.slice(target.id.lastIndexOf('/') + 1);
  const scaffold = planScaffold(name, target.description);
  draftOthers(draft, source, target.planPath);
  const { prose, ...counts } = draftRecords(draft, source, { planPath: target.planPath, scaffold });
  draftPhase(draft, source.texts);
  draftWordCount(draft, source.texts);
  draft.finish(source.files);
  const body = prose.map(({ from, text }) => `\n## From ${from}\n\n${text}`).join('');
  const note = prose.length === 0 ? undefined : `holds the prose of ${prose.map(({ from }) => from).join(', ')}`;
  // The marker comes last: a folder without one is not a plan yet.
  draft.make(planFiles.marker, `${scaffold.get(planFiles.marker) ?? ''}${body}`, note);
  return { draft, ...counts };
}

/** What a folder must hold one of: it says what is next, what is to do, or what was learned. */
export const planSigns: readonly string[] = [
  planFiles.phase,
  planFiles.backlog,
  planFiles.memory,
  'backlog.md',
  'memory.md',
];

function draftOthers(draft: Draft, source: PlanSource, planPath: string): void {
  for (const { path, reason } of source.leftOut) draft.leaveOut(path, reason);
  for (const path of source.files) {
    const text = source.texts.get(path);
    if (path.startsWith('prompt-') && text !== undefined) draftPrompt(draft, source, { path, text, planPath });
    else if (path === relatedPlans && text !== undefined) draftText(draft, path, text, planPath);
    else if (!isReadOnImport(path) || path.endsWith('-baseline')) draft.take(path, remarkOn(path));
  }
}

function remarkOn(path: string): string | undefined {
  if (path.endsWith('-baseline')) return 'left alone; Ravel keeps its own';
  if (path === 'config.lua' || path === 'subagent-dispatch.yaml') return 'Ravel does not read it';
  return undefined;
}

interface PromptFile {
  readonly path: string;
  readonly text: string;
  readonly planPath: string;
}

/** An addition to a prompt must be one that its phase can run with. */
function draftPrompt(draft: Draft, source: PlanSource, { path, text, planPath }: PromptFile): void {
  const phase = promptPhase(path);
  if (phase === undefined) {
    draft.take(path, 'no phase has that name, so nothing reads it');
    return;
  }
  const name = `prompt-${phase}.md`;
  if (name !== path && source.files.includes(name)) {
    draft.keep(path, `${name} is there as well`);
    return;
  }
  const { text: result, escaped } = escapeTokens(resolvePathTokens(text, planPath), phase);
  if (escaped.length > 0) {
    const message = `${path} uses tokens that ${phase} is not given; they are plain text now: ${escaped.join(', ')}.`;
    draft.warn('import/unclear', path, message);
  }
  if (result === text && name === path) draft.take(path);
  else draft.convert(path, name, result, result === text ? undefined : 'tokens resolved');
}

function draftText(draft: Draft, path: string, text: string, planPath: string): void {
  const result = resolvePathTokens(text, planPath);
  warnOfTokens(draft, path, result);
  if (result === text) draft.take(path);
  else draft.convert(path, path, result, 'tokens resolved');
}

function draftPhase(draft: Draft, texts: ReadonlyMap<string, string>): void {
  const path = planFiles.phase;
  const text = texts.get(path);
  const word = text?.trim() ?? '';
  if (isPhase(word)) {
    draft.take(path, `next is ${word}`);
    return;
  }
  const phase = phaseFromWord(word);
  if (phase !== undefined) {
    draft.convert(path, path, formatPhase(phase), `${word} is called ${phase}`);
    return;
  }
  if (text === undefined) {
    draft.warn('plan/missingFile', path, `${path} was missing; the plan starts with work.`);
    draft.make(path, formatPhase('work'));
    return;
  }
  const message = `${path} holds "${word.slice(0, 40)}", which is not one of ${phases.join(', ')}; the plan starts with work.`;
  draft.warn('plan/badPhase', path, message);
  draft.convert(path, path, formatPhase('work'));
}

/** The count itself, or what older plans kept in other files; 0 for a plan that never dreamt. */
function draftWordCount(draft: Draft, texts: ReadonlyMap<string, string>): void {
  const path = planFiles.dreamWordCount;
  const text = texts.get(path);
  if (text !== undefined && isCount(text)) {
    draft.take(path);
    return;
  }
  if (text !== undefined) {
    draft.warn('import/unclear', path, `${path} holds "${text.trim().slice(0, 40)}", which is not a number of words.`);
    draft.keep(path);
  }
  const older = [planFiles.dreamBaseline, compactBaseline].find((file) => isCount(texts.get(file) ?? ''));
  const count = older === undefined ? '0' : (texts.get(older) ?? '').trim();
  draft.make(path, `${count}\n`, older === undefined ? undefined : `from ${older}`);
}

function isCount(text: string): boolean {
  return /^\s*\d{1,15}\s*$/.test(text);
}
