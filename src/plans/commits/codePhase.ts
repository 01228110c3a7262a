import { defined } from '../../base/defined.ts';
import { secretsAdded } from '../../gates/secrets/secretFindings.ts';
import { type AppliedEntry, applyCommitSpec, catchAllEntry } from '../../git/commitSpec.ts';
import { literalPathspec } from '../../git/pathspec.ts';
import { assertReady, inspectForCommits, readHead } from '../../git/repository.ts';
import { backlogSchema } from '../../model/backlog.ts';
import { diagnostic } from '../../model/codes.ts';
import { allocateSlug, type QualifiedId, type Ulid } from '../../model/id.ts';
import { isDreamDue } from '../../model/memory.ts';
import { type CodePhase, nextPhase, type Phase } from '../../model/phase.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import { type CommitEntry, commitSpecSchema, sessionLogSchema, sessionRecordSchema } from '../../model/session.ts';
import { projectPaths } from '../../vault/layout.ts';
import { readMemoryFile } from '../../vault/memoryFile.ts';
import { formatPhase, loadPlanTexts } from '../../vault/planStore.ts';
import { loadRunState, type RunState, saveRunState, type WorkBaseline } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { editYaml, formatYaml, readYaml } from '../../yaml/yaml.ts';
import type { ApprovalQuestion } from '../approvals/phaseQuestion.ts';
import { archiveMessages } from '../messages/messageArchive.ts';
import { committedText } from '../planHistory.ts';
import { changePlanFiles, editPlanFile } from '../proposals/planWriter.ts';
import { refreshViews } from '../proposals/renewViews.ts';
import { emitFor, type PlanServices, type PlanWriterPorts } from '../services.ts';
import { summariseBacklog, summariseMemory } from '../sessions/summaries.ts';
import { commitQuestion } from './commitQuestion.ts';
import { pathsLeftOut } from './dirtyPaths.ts';
import { programsQuestion, releasePrograms } from './programsQuestion.ts';
import { rotateSessionLog } from './rotateSessionLog.ts';
import { commitPlanState } from './stateCommit.ts';

export interface CodePhaseJob {
  readonly location: PlanLocation;
  readonly phase: CodePhase;
  /** The reasoning session whose outcome is committed. */
  readonly session: Ulid;
  readonly children: readonly QualifiedId[];
}

export type CodePhaseResult =
  | {
      readonly outcome: 'done';
      readonly next: Phase;
      readonly commits: readonly { readonly commit: string; readonly title: string }[];
    }
  | { readonly outcome: 'question'; readonly question: ApprovalQuestion };

/**
 * Carries out a code phase. The plan's files are advanced first, so that the transition is inside the commit; every
 * step finds its own traces, so that a run after a crash reaches the same end. When git refuses, `phase.md` goes back
 * to this phase and the refusal is thrown.
 */
export async function runCodePhase(services: PlanServices, job: CodePhaseJob): Promise<CodePhaseResult> {
  const { location, phase } = job;
  const repository = await inspectForCommits(services.git, location.projectDirectory);
  assertReady(repository, location.id);
  const state = await loadRunState(services, location.id);
  const baseline = state.baselines.work;
  const changed = await programsQuestion(services, location, phase);
  if (changed !== undefined) return { outcome: 'question', question: changed };
  if (phase === 'git-commit-work') {
    const question = await commitQuestion(services.git, location, baseline, repository.branch);
    if (question !== undefined) return { outcome: 'question', question };
  }
  const next = await advance(services, job);
  try {
    await refreshViews(services, location.id);
    const { commits, head } = await commitAll(services, job, baseline);
    await finish(services, job, { state, head });
    // The next phase asks about changes that a hook of these commits made.
    if ((await programsQuestion(services, location, next)) === undefined) await releasePrograms(services, location);
    return { outcome: 'done', next, commits };
  } catch (error) {
    await writePhase(services, location.id, { from: next, to: phase });
    await refreshViews(services, location.id);
    throw error;
  }
}

/** Writes the successor and, after work, the session record into the log. Returns the successor. */
async function advance(services: PlanWriterPorts & Pick<PlanServices, 'settings'>, job: CodePhaseJob): Promise<Phase> {
  const { location, phase, session } = job;
  if (phase === 'git-commit-triage') await archiveMessages(services, location.id);
  if (phase === 'git-commit-work') await rotateSessionLog(services, location.id);
  return changePlanFiles(services, location.id, (texts) => {
    const next = nextPhase(phase, phase === 'git-commit-reflect' && dreamIsDue(services, texts));
    const edits = new Map<PlanFile, string | undefined>();
    if (phaseIn(texts) === phase) edits.set(planFiles.phase, formatPhase(next));
    if (phase === 'git-commit-work') {
      const log = withRecord(texts, location.id, session);
      if (log !== undefined) edits.set(planFiles.sessionLog, log);
    }
    return { edits, result: next };
  });
}

function phaseIn(texts: PlanTexts): string | undefined {
  return texts.get(planFiles.phase)?.trim();
}

function dreamIsDue(services: Pick<PlanServices, 'settings'>, texts: PlanTexts): boolean {
  const memory = readMemoryFile(texts.get(planFiles.memory) ?? '', place(planFiles.memory, '')).value;
  if (memory === undefined) return false;
  const count = Number.parseInt(texts.get(planFiles.dreamWordCount) ?? '0', 10);
  return isDreamDue(memory, Number.isNaN(count) ? 0 : count, services.settings.dream['headroom-words']);
}

/** The log with the latest record appended; undefined when there is none, or when it is there already. */
function withRecord(texts: PlanTexts, plan: QualifiedId, session: Ulid): string | undefined {
  const latest = texts.get(planFiles.latestSession);
  if (latest === undefined) return undefined;
  const record = readYaml(sessionRecordSchema, latest, place(planFiles.latestSession, plan)).value;
  if (record === undefined) return undefined;
  const text = texts.get(planFiles.sessionLog) ?? formatYaml({ sessions: [] });
  const log = readYaml(sessionLogSchema, text, place(planFiles.sessionLog, plan)).value;
  const sessions = log?.sessions ?? [];
  const of = record.session ?? session;
  const ids = new Set(sessions.map((known) => known.id));
  if (sessions.some((known) => known.session === of || (known.id === record.id && record.session == null))) {
    return undefined;
  }
  const { timestamp, phase, body } = record;
  // Two sessions of one day can have the same title, and so the same id; neither record is lost.
  const value = {
    id: ids.has(record.id) ? allocateSlug(record.id, ids, 'session') : record.id,
    timestamp,
    phase,
    body,
    session: of,
  };
  const edit = { op: 'insert' as const, path: ['sessions'], index: sessions.length, value };
  return editYaml(text, [edit], place(planFiles.sessionLog, plan));
}

async function commitAll(
  services: PlanServices,
  job: CodePhaseJob,
  baseline: WorkBaseline | undefined,
): Promise<{ readonly commits: readonly MadeCommit[]; readonly head: string | undefined }> {
  const { location, phase, session, children } = job;
  const made: MadeCommit[] = [];
  if (phase === 'git-commit-work') {
    for (const entry of await commitSource(services, job, baseline)) {
      if (entry.outcome === 'committed') made.push({ commit: entry.commit, title: entry.title });
    }
    await nameLeftOut(services, location, baseline);
  }
  const message = await stateMessage(services, job);
  const outcome = await commitPlanState(services.git, {
    location,
    phase,
    session,
    message,
    children,
    since: baseline?.commit,
  });
  if (outcome.outcome === 'committed') {
    made.push({ commit: outcome.commit, title: outcome.title });
    emitFor(services, location.id, { type: 'commit.made', phase, ...pick(outcome) });
  }
  return { commits: made, head: outcome.outcome === 'committed' && outcome.isLast ? outcome.commit : undefined };
}

interface MadeCommit {
  readonly commit: string;
  readonly title: string;
}

async function commitSource(
  services: Pick<PlanServices, 'disk' | 'clock' | 'settings' | 'git' | 'emit' | 'storedSecrets'>,
  job: CodePhaseJob,
  baseline: WorkBaseline | undefined,
): Promise<readonly AppliedEntry[]> {
  const { location, phase, session } = job;
  const planned = await commitEntries(services, location);
  const entries = [...planned, ...includedEntry(baseline)];
  const stored = await services.storedSecrets();
  return applyCommitSpec(services.git, {
    directory: location.projectDirectory,
    entries,
    exclude: [projectPaths.ravel, ...(baseline?.dirty ?? []).map((entry) => entry.path)],
    session,
    plan: location.id,
    phase,
    ...defined({ baseline: baseline?.commit }),
    // What was judged with the analysis may have changed since: here the commit itself is looked at.
    review: (diff) => secretsAdded(diff, { allowed: new Set(services.settings.gates['allowed-secrets']), stored }),
    onEntry: (entry) => {
      if (entry.outcome === 'committed') {
        emitFor(services, location.id, { type: 'commit.made', phase, ...pick(entry) });
      } else if (entry.number <= planned.length || entry.outcome === 'present') {
        // What a person included, an entry of the session can have committed already.
        emitFor(services, location.id, { type: 'commit.skipped', phase, title: entry.title, reason: entry.reason });
      }
    },
  });
}

/** Paths that were dirty before and that a person wants to go in as well; those that no entry before it has taken. */
function includedEntry(baseline: WorkBaseline | undefined): readonly CommitEntry[] {
  const paths = baseline?.included ?? [];
  const [first, ...others] = paths.map(literalPathspec);
  if (first === undefined) return [];
  const what = others.length === 0 ? 'a file' : `${paths.length} files`;
  return [{ paths: [first, ...others], message: `Commit earlier changes to ${what}` }];
}

/** Paths that a message names. */
const namesMax = 20;

/** Says which paths were dirty before the work and so are in none of its commits. */
async function nameLeftOut(
  services: Pick<PlanServices, 'clock' | 'git' | 'emit'>,
  location: PlanLocation,
  baseline: WorkBaseline | undefined,
): Promise<void> {
  if (baseline === undefined) return;
  const paths = await pathsLeftOut(services.git, location.projectDirectory, baseline);
  if (paths.length === 0) return;
  const more = paths.length > namesMax ? ` and ${paths.length - namesMax} more` : '';
  const message = `These paths had changes of yours before work began; they are in no commit of this work: ${paths.slice(0, namesMax).join(', ')}${more}.`;
  const leftOut = diagnostic('git/leftOut', location.id, message, { severity: 'info' });
  emitFor(services, location.id, { type: 'diagnostic', diagnostic: leftOut });
}

/** The specification that the analysis wrote; without a readable one, one entry for everything below the project. */
async function commitEntries(
  services: Pick<PlanServices, 'disk' | 'clock' | 'emit'>,
  location: PlanLocation,
): Promise<readonly CommitEntry[]> {
  const file = planFiles.commits;
  const texts = await loadPlanTexts(services.disk, location.directory, [file]);
  const text = texts.get(file);
  if (text === undefined) return [catchAllEntry(location.id)];
  const { value, diagnostics } = readYaml(commitSpecSchema, text, place(file, location.id));
  for (const problem of diagnostics) emitFor(services, location.id, { type: 'diagnostic', diagnostic: problem });
  return value?.commits ?? [catchAllEntry(location.id)];
}

function pick(made: { commit: string; title: string; paths: readonly string[] }) {
  return { commit: made.commit, title: made.title, paths: made.paths };
}

/**
 * Says in the title how the state differs from the last commit, and when it was committed, but not who changed it: what
 * people, imports and messages had put there until then is in the same commit.
 */
async function stateMessage(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  { location, phase }: CodePhaseJob,
): Promise<string> {
  const name = location.id.split('/').at(-1) === 'project-root' ? location.project : location.id.split('/').at(-1);
  const committed = async (file: PlanFile): Promise<string | undefined> => {
    try {
      return await committedText(services, location, 'HEAD', file);
    } catch (error) {
      // Nothing is committed yet in a new repository if work changed no source.
      if ((await readHead(services.git, location.projectDirectory)) === undefined) return undefined;
      throw error;
    }
  };
  const compare = async <T>(file: PlanFile, read: (text: string | undefined) => T): Promise<[T, T]> => {
    const old = await committed(file);
    const now = (await loadPlanTexts(services.disk, location.directory, [file])).get(file);
    return [read(old), read(now)];
  };
  const memory = (text: string | undefined) => readMemoryFile(text ?? '', place(planFiles.memory, '')).value;
  const backlog = (text: string | undefined) => readYaml(backlogSchema, text ?? '', place(planFiles.backlog, '')).value;
  switch (phase) {
    case 'git-commit-work':
      return `Record the backlog of ${name} after work: ${summariseBacklog(...(await compare(planFiles.backlog, backlog)))}`;
    case 'git-commit-reflect':
      return `Record the memory of ${name} after reflection: ${summariseMemory(...(await compare(planFiles.memory, memory)))}`;
    case 'git-commit-dream':
      return `Record the memory of ${name} after a dream: ${summariseMemory(...(await compare(planFiles.memory, memory)))}`;
    case 'git-commit-triage':
      return `Record the backlog of ${name} after triage: ${summariseBacklog(...(await compare(planFiles.backlog, backlog)))}`;
  }
}

/**
 * After the commits: baselines for the phases to come, and the specification goes, last of all. `head` is what HEAD named
 * after the last commit, if that is known.
 */
async function finish(
  services: PlanWriterPorts & Pick<PlanServices, 'git'>,
  job: CodePhaseJob,
  { state, head: made }: { readonly state: RunState; readonly head: string | undefined },
): Promise<void> {
  const { location, phase } = job;
  const isWanted = phase !== 'git-commit-triage';
  const head = made ?? (isWanted ? await readHead(services.git, location.projectDirectory) : undefined);
  const { work, ...others } = state.baselines;
  const baselines = {
    ...others,
    ...(work !== undefined && phase !== 'git-commit-triage' && { work }),
    ...(head !== undefined && phase === 'git-commit-work' && { reflect: head }),
    ...(head !== undefined && phase === 'git-commit-reflect' && { dream: head, triage: head }),
    ...(head !== undefined && phase === 'git-commit-dream' && { triage: head }),
  };
  const cycle = state.cycle + (phase === 'git-commit-triage' ? 1 : 0);
  const current = await loadRunState(services, location.id);
  const { running: _running, earlierRecord: _earlierRecord, ...rest } = current;
  await saveRunState(services, location.id, { ...rest, baselines, cycle });
  if (phase !== 'git-commit-work') return;
  await editPlanFile(services, location.id, planFiles.commits, () => undefined);
}

function writePhase(
  services: PlanWriterPorts,
  plan: QualifiedId,
  change: { readonly from: Phase; readonly to: Phase },
): Promise<void> {
  return editPlanFile(services, plan, planFiles.phase, (text, texts) =>
    phaseIn(texts) === change.from ? formatPhase(change.to) : text,
  );
}

function place(file: PlanFile, subject: string): { readonly file: string; readonly subject: string } {
  return { file, subject };
}
