import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import { pathsOfCommit } from '../git/commit.ts';
import { parentOf } from '../git/diffStats.ts';
import { type DatedCommit, firstCommitWith, showCommit } from '../git/origins.ts';
import { lastTrailer, showFile } from '../git/snapshot.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { type Rule, ruleFileSchema } from '../model/rule.ts';
import { loadDecision } from '../plans/approvals/decisions.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import { erasOf } from '../plans/planHistory.ts';
import type { PlanServices } from '../plans/services.ts';
import type { CauseRef, ExpandedCause } from '../routing/causes/causality.ts';
import { expandCommit } from '../routing/causes/planCauses.ts';
import { planPath } from '../vault/layout.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { readYaml } from '../yaml/yaml.ts';

type Services = Pick<PlanServices, 'git' | 'disk' | 'layout'>;

export interface CommitSources {
  readonly services: Services;
  readonly directory: Pick<PlanDirectory, 'all'>;
}

const rulesPath = 'routing.yaml';

/** The commit that first had a task, under whichever name its plan had then; undefined if none has it. */
export async function firstCommitOf(
  services: Services,
  location: PlanLocation,
  task: string,
): Promise<DatedCommit | undefined> {
  return unlessFailed(() => firstCommitOfTask(services, location, task));
}

async function firstCommitOfTask(
  services: Services,
  location: PlanLocation,
  task: string,
): Promise<DatedCommit | undefined> {
  const eras = await erasOf(services, location);
  for (const { plan, ...range } of eras.toReversed()) {
    const path = `${planPath(plan)}/${planFiles.backlog}`;
    const wanted = { path, pattern: idPattern(task), ...range };
    const found = await firstCommitWith(services.git, location.projectDirectory, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The commit of the vault that first had a rule. */
export async function commitOfRule({ git, layout }: Services, rule: string): Promise<DatedCommit | undefined> {
  return unlessFailed(() => firstCommitWith(git, layout.root, { path: rulesPath, pattern: idPattern(rule) }));
}

/** A line of YAML that gives a record this id, as an extended regular expression. */
function idPattern(id: string): string {
  const literal = id.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  return `^[- ]*id: +["']?${literal}["']? *$`;
}

/** A commit of the vault, or of one of its projects, by its name or the beginning of it. */
export async function findCommit(
  { services, directory }: CommitSources,
  { id, plan }: Pick<CauseRef, 'id' | 'plan'>,
  signal: AbortSignal,
): Promise<{ readonly commit: DatedCommit; readonly directory: string } | undefined> {
  const { plans } = await directory.all();
  const folders = plans.filter((one) => plan === undefined || one.id === plan).map((one) => one.projectDirectory);
  for (const folder of new Set(plan === undefined ? [services.layout.root, ...folders] : folders)) {
    signal.throwIfAborted();
    const commit = await unlessFailed(() => showCommit(services.git, folder, id));
    if (commit !== undefined) return { commit, directory: folder };
  }
  return undefined;
}

/** A commit that Ravel made in one of the projects, and where it is. */
interface OwnCommit extends DatedCommit {
  readonly plan: QualifiedId;
  readonly directory: string;
  readonly phase: string | undefined;
  readonly session: string | undefined;
  readonly isRollback: boolean;
}

/**
 * A commit that Ravel made in a project, by its name or the beginning of it. Throws `git/unknownCommit` for others: those
 * of a person are git's to show.
 */
export async function findOwnCommit(sources: CommitSources, name: string, signal: AbortSignal): Promise<OwnCommit> {
  const { plans } = await sources.directory.all();
  for (const directory of new Set(plans.map(({ projectDirectory }) => projectDirectory))) {
    signal.throwIfAborted();
    const commit = await unlessFailed(() => showCommit(sources.services.git, directory, name));
    const named = commit && lastTrailer(commit, 'Ravel-Plan');
    if (commit === undefined || named === undefined) continue;
    const here = plans.filter((one) => one.projectDirectory === directory).map(({ id }) => id);
    // Under another name by now, it is still a commit of the project.
    const plan = here.find((id) => id === named) ?? here.toSorted((a, b) => a.length - b.length)[0];
    if (plan === undefined) continue;
    const trailer = (key: string) => lastTrailer(commit, key);
    const isRollback = trailer('Ravel-Entry')?.endsWith('/rollback') === true;
    return { ...commit, plan, directory, phase: trailer('Ravel-Phase'), session: trailer('Ravel-Session'), isRollback };
  }
  throw failure('git/unknownCommit', name, `Ravel made no commit ${name} in the projects of this vault.`, {
    help: 'Only a commit that Ravel made for a plan can be shown; `git show` shows any other.',
  });
}

export async function expandNamedCommit(
  sources: CommitSources,
  ref: CauseRef,
  signal: AbortSignal,
): Promise<ExpandedCause> {
  const { id } = ref;
  const found = await findCommit(sources, ref, signal);
  if (found === undefined) {
    const gap = `The commit ${id} is in none of the repositories any more.`;
    return { node: { kind: 'commit', id, title: `commit ${id.slice(0, 8)}` }, before: [], after: [], gaps: [gap] };
  }
  const { commit } = found;
  const [plan, session] = [lastTrailer(commit, 'Ravel-Plan'), lastTrailer(commit, 'Ravel-Session')];
  const isOfVault = found.directory === sources.services.layout.root;
  return expandCommit({
    ...commit,
    ...defined({ plan, session }),
    wrote: isOfVault ? await writtenBy(sources.services, commit.hash) : [],
  });
}

/** Answered suggestions and rules that a commit of the vault wrote down. */
async function writtenBy(services: Services, hash: string): Promise<readonly CauseRef[]> {
  const { git, layout } = services;
  const paths = (await unlessFailed(() => pathsOfCommit(git, layout.root, hash))) ?? [];
  const refs: CauseRef[] = [];
  for (const path of paths) {
    const decision = /^decisions\/([0-9A-Z]{26})\.yaml$/.exec(path)?.[1] as Ulid | undefined;
    const found = decision === undefined ? undefined : await unlessFailed(() => loadDecision(services, decision));
    if (found?.kind === 'rule-suggestion') refs.push({ kind: 'suggestion', id: found.id });
  }
  if (!paths.includes(rulesPath)) return refs;
  const parent = await unlessFailed(() => parentOf(git, layout.root, hash));
  const before = new Map((await rulesIn(services, parent)).map((rule) => [rule.id, JSON.stringify(rule)]));
  const changed = (await rulesIn(services, hash)).filter((rule) => before.get(rule.id) !== JSON.stringify(rule));
  return [...refs, ...changed.map(({ id }): CauseRef => ({ kind: 'rule', id }))];
}

async function rulesIn({ git, layout }: Services, commit: string | undefined): Promise<readonly Rule[]> {
  if (commit === undefined) return [];
  const text = await unlessFailed(() => showFile(git, layout.root, commit, rulesPath));
  return readYaml(ruleFileSchema, text ?? '{}', { file: rulesPath, subject: rulesPath }).value?.rules ?? [];
}

/** What cannot be read, such as the history of a folder that is not a repository, is unknown: a gap, not a failure. */
export async function unlessFailed<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isRavelError(error)) return undefined;
    throw error;
  }
}
