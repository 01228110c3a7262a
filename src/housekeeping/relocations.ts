import { join, relative } from 'node:path';
import { actorFiles } from '../actors/moveMailbox.ts';
import { defined } from '../base/defined.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { exists, readTextIfExists } from '../base/files.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { failure } from '../model/codes.ts';
import {
  isQualifiedId,
  projectNameProblem,
  projectOf,
  type QualifiedId,
  qualifiedIdProblem,
  rootPlanName,
} from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import type { PutAway, Removed, Renamed, Restored } from '../model/requests/archives.ts';
import { approvalsOf } from '../plans/approvals/approvals.ts';
import { commitInVault } from '../plans/commits/commitInVault.ts';
import { recordRecovery } from '../plans/ledger.ts';
import type { RunLocks } from '../plans/phases/runLocks.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import { headOfProject } from '../plans/planHistory.ts';
import { renewViews } from '../plans/proposals/renewViews.ts';
import { emitFor, type PlanServices, timestamp } from '../plans/services.ts';
import { type Archived, type ArchivedPlan, type ArchivedProject, archiveName, loadArchive } from '../vault/archive.ts';
import { projectPaths } from '../vault/layout.ts';
import { carryOutMove, finishMove, type Mailboxes, type Move, type MoveStep } from '../vault/moveJournal.ts';
import {
  archiveRuntimeSteps,
  type NewName,
  newNames,
  removalSteps,
  removeProjectSteps,
  renameProjectSteps,
  renameSteps,
  restorePlanSteps,
  restoreProjectSteps,
  rootPlanOf,
} from '../vault/moveSteps.ts';
import { checkNewPlan, checkPlanName } from '../vault/planCreation.ts';
import { loadProjects, type ProjectEntry } from '../vault/projects.ts';
import { findReferences } from '../vault/references.ts';
import { foldFileName, type PlanLocation } from '../vault/walk.ts';
import { withPlansPaused } from './withPlansPaused.ts';

export interface RelocationParts {
  readonly services: PlanServices;
  readonly directory: PlanDirectory;
  readonly locks: Pick<RunLocks, 'withPlan'>;
  readonly mailboxes: Mailboxes;
}

/** A file of a plan and what becomes of it; `null` for no file. */
export interface ReplacedFile {
  readonly path: string;
  readonly was: string | null;
  readonly text: string | null;
}

/**
 * Renames, removes and restores plans and projects, with all that follows them in `runtime/`. One at a time; nothing of
 * what is moved runs meanwhile. Only the owner of the vault does this.
 */
export class Relocations {
  readonly #parts: RelocationParts;
  readonly #queue = new SerialQueue();

  constructor(parts: RelocationParts) {
    this.#parts = parts;
  }

  /**
   * Brings to its end what an earlier owner had begun; the ledger says what came of it. What cannot be finished yet is
   * reported, and the rest of the vault goes on: it is tried again before anything else is moved.
   */
  finish(): Promise<void> {
    return this.#queue.run(async () => {
      try {
        await this.#finish();
      } catch (error) {
        if (!isRavelError(error)) throw error;
        const { log } = this.#parts.services;
        log.error('a move could not be finished', { error: error.message });
        const { subject } = error.diagnostic;
        if (!isQualifiedId(subject)) return;
        emitFor(this.#parts.services, subject, { type: 'diagnostic', diagnostic: error.diagnostic });
      }
    });
  }

  /**
   * Does `work`, which makes a plan under an unused id. It calls `makeWay` once it is sure that it will: what an
   * earlier plan of that id left in `runtime/` would be taken for the new one's, and is put away then.
   */
  make<T>(
    plan: QualifiedId,
    work: (makeWay: () => Promise<void>) => Promise<T>,
  ): Promise<{ readonly made: T } & PutAway> {
    return this.makeAll([plan], work);
  }

  /** As `make`, for several plans at once; of what was put away, the first is named. */
  makeAll<T>(
    plans: readonly QualifiedId[],
    work: (makeWay: () => Promise<void>) => Promise<T>,
  ): Promise<{ readonly made: T } & PutAway> {
    let archives: readonly string[] = [];
    const makeWay = async () => {
      archives = await this.#archiveStaleFiles(plans);
    };
    return this.#queue.run(async () => {
      await this.#finish();
      const made = await withPlansPaused(this.#parts, plans, () => work(makeWay));
      const [putAway] = archives;
      return putAway === undefined ? { made } : { made, putAway };
    });
  }

  /**
   * Does `work` while nothing runs for a plan and nothing else changes it. The files that it replaces, by their absolute
   * paths, are all replaced or none, whatever happens; one that a person saves in that moment stays theirs.
   */
  replaceFiles<T>(
    name: string,
    work: (
      location: PlanLocation,
      replace: (what: string, files: readonly ReplacedFile[]) => Promise<void>,
    ) => Promise<T>,
  ): Promise<T> {
    return this.#queue.run(async () => {
      const location = await this.#find(name);
      const { id } = location;
      const { layout } = this.#parts.services;
      const replace = async (what: string, files: readonly ReplacedFile[]) => {
        const steps = files.map(({ path, ...texts }): MoveStep => {
          return { kind: 'replace', path: relative(layout.root, path), ...texts };
        });
        await carryOutMove(this.#ports(), this.#toMove({ what, subject: id, plans: [id], steps }));
        isReplaced = true;
      };
      let isReplaced = false;
      try {
        return await withPlansPaused(this.#parts, [id], () => work(location, replace));
      } finally {
        // Views are written under the plan's lock, which the work had.
        if (isReplaced) await this.#refreshViews([id]);
      }
    });
  }

  /** Gives a plan, and those below it, another place in its project. */
  rename(name: string, to: string): Promise<Renamed> {
    return this.#queue.run(async () => {
      const location = await this.#find(name);
      const target = checkTarget(location, to);
      const { disk, layout } = this.#parts.services;
      const isCaseOnly =
        parentOf(target) === parentOf(location.id) && foldFileName(target) === foldFileName(location.id);
      if (isCaseOnly) checkPlanName(target);
      else await this.#checkFree(target);
      const names = newNames(await this.#withChildren(location.id), location.id, target);
      const what = `rename of ${location.id} to ${target}`;
      const head = await headOfProject(this.#parts.services, location.project);
      const policy = await this.#policyAfter({ from: location.id, to: target }, [location], names);
      const { follow } = policy;
      await this.#move({ what, subject: location.id, names, becomes: names.map((one) => one.to) }, () =>
        renameSteps(layout, names, { head, follow }),
      );
      const uncommitted = await this.#commitPolicy(policy, `Let the policy follow the ${what}`);
      emitFor(this.#parts.services, target, { type: 'plan.changed', change: 'renamed', from: location.id });
      const diagnostics = [...policy.lost, ...uncommitted, ...(await this.#references(names.map((one) => one.from)))];
      const project = location.projectDirectory;
      return { plan: target, directory: await disk.realPath(layout.plan(target)), project, names, diagnostics };
    });
  }

  /** Puts a plan away; nothing of it is lost, and it can be restored. */
  remove(name: string, options: { readonly withChildren?: boolean } = {}): Promise<Removed> {
    return this.#queue.run(async () => {
      const { services } = this.#parts;
      const { id: plan, projectDirectory } = await this.#find(name);
      if (isRoot(plan)) throw failure('plan/isRoot', plan, `${plan} is the root plan of its project.`);
      const plans = await this.#withChildren(plan);
      if (plans.length > 1 && options.withChildren !== true) {
        const message = `${plan} has ${plans.length - 1 === 1 ? 'a child plan' : `${plans.length - 1} child plans`}.`;
        throw failure('plan/hasChildren', plan, message);
      }
      const record: ArchivedPlan = { kind: 'plan', plan, plans, at: timestamp(services) };
      const archive = archiveName({ plan }, services.newUlid());
      await this.#move({ what: `removal of ${plan}`, subject: plan, names: plans.map(unchanged) }, () =>
        removalSteps(services.layout, record, archive),
      );
      emitFor(services, plan, { type: 'plan.changed', change: 'removed' });
      return { archive, plans, project: projectDirectory, diagnostics: await this.#references(plans) };
    });
  }

  /** Brings back what `remove` or `removeProject` put away, a plan perhaps under another id. */
  restore(name: string, as?: string): Promise<Restored> {
    return this.#queue.run(async () => {
      await this.#finish();
      const { disk, layout } = this.#parts.services;
      const archived = await loadArchive(disk, layout, name);
      await this.#parts.directory.rescan();
      return archived.record.kind === 'plan'
        ? this.#restorePlan(archived, archived.record, as)
        : this.#restoreProject(archived, archived.record, as);
    });
  }

  renameProject(from: string, to: string): Promise<Renamed> {
    return this.#queue.run(async () => {
      const { services } = this.#parts;
      const { layout, disk } = services;
      const project = await this.#findProject(from);
      await this.#checkProjectName(to, from);
      const target = await disk.realPath(layout.project(from));
      const names = project.plans.map((plan): NewName => {
        return { from: plan, to: toId(`${to}${plan.slice(from.length)}`) };
      });
      const what = `rename of the project ${from} to ${to}`;
      const head = await headOfProject(services, from);
      const { plans } = await this.#parts.directory.all();
      const own = plans.filter((plan) => plan.project === from);
      const policy = await this.#policyAfter({ from, to }, own, names);
      const { follow } = policy;
      await this.#move({ what, subject: rootPlanOf(from), names, becomes: names.map((one) => one.to) }, () =>
        renameProjectSteps(layout, names, { from, to, target, head, follow }),
      );
      const uncommitted = await this.#commitPolicy(policy, `Let the policy follow the ${what}`);
      const plan = rootPlanOf(to);
      emitFor(services, plan, { type: 'plan.changed', change: 'renamed', from: rootPlanOf(from) });
      const diagnostics = [...policy.lost, ...uncommitted, ...(await this.#references(names.map((one) => one.from)))];
      return { plan, directory: layout.plan(plan), project: target, names, diagnostics };
    });
  }

  /** Takes a project out of the vault. Its own folder stays as it is. */
  removeProject(name: string): Promise<Removed> {
    return this.#queue.run(async () => {
      const { services } = this.#parts;
      const { entry, plans } = await this.#findProject(name);
      const { path, remote } = entry;
      const record: ArchivedProject = {
        ...{ kind: 'project', project: name },
        ...defined({ path, remote }),
        ...{ plans, at: timestamp(services) },
      };
      const archive = archiveName({ project: name }, services.newUlid());
      const subject = rootPlanOf(name);
      await this.#move({ what: `removal of the project ${name}`, subject, names: plans.map(unchanged) }, () =>
        removeProjectSteps(services.layout, record, archive),
      );
      emitFor(services, subject, { type: 'plan.changed', change: 'removed' });
      return { archive, plans, project: path ?? '', diagnostics: await this.#references(plans) };
    });
  }

  async #restorePlan(archived: Archived, record: ArchivedPlan, as: string | undefined): Promise<Restored> {
    const { services } = this.#parts;
    const { layout } = services;
    const target = as === undefined ? record.plan : toId(as);
    await this.#checkFree(target);
    const names = newNames(record.plans, record.plan, target);
    const what = `restoration of ${target}`;
    const head = await headOfProject(services, projectOf(target));
    await this.#move({ what, subject: target, names: [], becomes: names.map((one) => one.to) }, () =>
      restorePlanSteps(layout, archived, { names, head }),
    );
    emitFor(services, target, { type: 'plan.changed', change: 'restored' });
    return { plan: target, plans: names.map((one) => one.to), directory: layout.plan(target) };
  }

  async #restoreProject(archived: Archived, record: ArchivedProject, as: string | undefined): Promise<Restored> {
    const { services } = this.#parts;
    const { disk, layout } = services;
    const { project, path, plans } = record;
    if (as !== undefined) throw failure('plan/badId', as, 'A project is restored under its own name.');
    await this.#checkProjectName(project);
    if (path === undefined || !(await exists(disk, join(path, projectPaths.ravel, rootPlanName, planFiles.marker)))) {
      const help = `Adopt it where it is now: \`ravel adopt DIR --name ${project}\`; what is kept of it stays in the archive.`;
      throw failure('project/notHere', project, `The project is no longer in ${path ?? 'a known place'}.`, { help });
    }
    const target = join(path, projectPaths.ravel);
    const what = `restoration of the project ${project}`;
    await this.#move({ what, subject: rootPlanOf(project), names: [], becomes: plans }, () =>
      restoreProjectSteps(layout, archived, { record, path, target }),
    );
    const plan = rootPlanOf(project);
    emitFor(services, plan, { type: 'plan.changed', change: 'restored' });
    return { plan, plans, directory: layout.plan(plan) };
  }

  async #move(
    about: {
      readonly what: string;
      readonly subject: QualifiedId;
      readonly names: readonly NewName[];
      /** Ids that are about to be used: what an earlier plan of that id left is put away first. */
      readonly becomes?: readonly QualifiedId[];
    },
    steps: () => readonly MoveStep[],
  ): Promise<void> {
    const { what, subject, names, becomes = [] } = about;
    const plans = names.map((one) => one.from);
    const move = async () => {
      await this.#archiveStaleFiles(becomes.filter((plan) => !isSameFolder(plans, plan)));
      await carryOutMove(this.#ports(), this.#toMove({ what, subject, plans: becomes, steps: steps() }));
    };
    await withPlansPaused(this.#parts, plans, move, becomes);
    await this.#parts.directory.rescan();
    await this.#refreshViews(becomes);
  }

  /** The archives that it made, by their paths in the vault. */
  async #archiveStaleFiles(plans: readonly QualifiedId[]): Promise<readonly string[]> {
    const { services } = this.#parts;
    const { disk, layout } = services;
    const archives: string[] = [];
    for (const plan of plans) {
      const { mailbox, letters } = actorFiles(layout.mailboxes, layout.deadLetters, plan);
      const questions = (await approvalsOf(services, plan)).map((approval) => layout.approval(approval));
      const places = [...questions, ...layout.runtimeOf(plan), mailbox, letters];
      const paths = await Promise.all(places.map((path) => exists(disk, path)));
      if (!paths.includes(true)) continue;
      const archive = archiveName({ plan }, services.newUlid());
      const what = `removal of what an earlier ${plan} left`;
      const steps = archiveRuntimeSteps(layout, { plan, questions }, archive);
      await carryOutMove(this.#ports(), this.#toMove({ what, subject: plan, plans: [], steps }));
      await recordRecovery(services, plan, `${what}, to archive/${archive}`, 'finished');
      archives.push(`archive/${archive}`);
    }
    return archives;
  }

  #toMove(move: Omit<Move, 'id'>): Move {
    return { id: this.#parts.services.newUlid(), ...move };
  }

  #ports() {
    const { services, mailboxes } = this.#parts;
    return { disk: services.disk, layout: services.layout, mailboxes };
  }

  async #finish(): Promise<void> {
    const { services, directory } = this.#parts;
    const finished = await finishMove(this.#ports());
    if (finished === undefined) return;
    const { move, outcome } = finished;
    await directory.rescan();
    if (outcome === 'finished') await this.#refreshViews(move.plans);
    await recordRecovery(services, move.subject, move.what, outcome);
  }

  async #find(name: string): Promise<PlanLocation> {
    await this.#finish();
    await this.#parts.directory.rescan();
    return this.#parts.directory.find(name);
  }

  async #withChildren(plan: QualifiedId): Promise<QualifiedId[]> {
    return [plan, ...(await this.#parts.directory.childrenOf(plan))];
  }

  async #findProject(name: string): Promise<{ readonly entry: ProjectEntry; readonly plans: QualifiedId[] }> {
    await this.#finish();
    const { services, directory } = this.#parts;
    const { projects } = await loadProjects(services.disk, services.layout);
    const { plans } = await directory.rescan();
    const own = plans.filter(({ project }) => project === name).map(({ id }) => id);
    const entry = projects.find((one) => one.name === name);
    if (entry === undefined && own.length === 0) {
      throw failure('project/unknown', name, `There is no project "${name}" in this vault.`);
    }
    return { entry: entry ?? { name }, plans: own };
  }

  /** That a plan can come to be under this id, where no folder is yet. */
  async #checkFree(plan: QualifiedId): Promise<void> {
    const { disk, layout } = this.#parts.services;
    const folder = await checkNewPlan(disk, layout, plan);
    if (await exists(disk, folder)) {
      throw failure('plan/exists', plan, `There is a folder of that name already: ${folder}.`);
    }
  }

  async #checkProjectName(name: string, from?: string): Promise<void> {
    const { disk, layout } = this.#parts.services;
    const problem = projectNameProblem(name);
    if (problem !== undefined) throw failure('plan/badId', name, `"${name}" cannot name a project: ${problem}.`);
    const { projects } = await loadProjects(disk, layout);
    const taken = projects.find((one) => one.name !== from && foldFileName(one.name) === foldFileName(name));
    if (taken === undefined && name !== from && !(await exists(disk, layout.project(name)))) return;
    const help = 'Choose another name for the project.';
    throw failure('project/exists', name, `The name "${taken?.name ?? name}" is taken.`, { help });
  }

  /** How the vault's policy follows a rename, and the rules, of projects too, that hold for none of the new names. */
  async #policyAfter(
    renamed: { readonly from: string; readonly to: string },
    places: readonly PlanLocation[],
    names: readonly NewName[],
  ): Promise<PolicyAfter> {
    const { disk, layout } = this.#parts.services;
    const file = layout.policy;
    const was = await readTextIfExists(disk, file);
    const ofProjects = [...new Set(places.map(({ ravelDirectory }) => join(ravelDirectory, projectPaths.policy)))];
    const others = await Promise.all(ofProjects.map(async (one) => [one, await readTextIfExists(disk, one)] as const));
    if ([was, ...others.map(([, said]) => said)].every((said) => said === undefined)) return { follow: [], lost: [] };
    const { lostActors, renameActors } = await import('../plans/policyActors.ts');
    const text = renameActors(was ?? '', file, renamed);
    const path = relative(layout.root, file);
    const all = [[file, text] as const, ...others];
    return {
      follow: was === undefined || text === was ? [] : [{ kind: 'replace', path, was, text }],
      lost: all.flatMap(([at, said]) => lostActors(said ?? '', at, names)),
    };
  }

  /** What kept it from being committed: the rename itself is done by then. */
  async #commitPolicy({ follow }: PolicyAfter, title: string): Promise<readonly Diagnostic[]> {
    const { services } = this.#parts;
    if (follow.length === 0) return [];
    try {
      await commitInVault(services, [relative(services.layout.root, services.layout.policy)], title);
      return [];
    } catch (error) {
      if (!isRavelError(error)) throw error;
      return [{ ...error.diagnostic, severity: 'warning' }];
    }
  }

  async #references(gone: readonly QualifiedId[]): Promise<readonly Diagnostic[]> {
    const { plans } = await this.#parts.directory.all();
    return findReferences(this.#parts.services.disk, plans, new Set(gone));
  }

  /** Views name their plan; one that a person edited is left alone. */
  async #refreshViews(plans: readonly QualifiedId[]): Promise<void> {
    for (const plan of plans) await renewViews(this.#parts.services, plan);
  }
}

interface PolicyAfter {
  readonly follow: readonly MoveStep[];
  readonly lost: readonly Diagnostic[];
}

/** Where a disk knows no case, what lies under the one name is not left by another plan. */
function isSameFolder(plans: readonly QualifiedId[], target: QualifiedId): boolean {
  return plans.some((plan) => foldFileName(plan) === foldFileName(target));
}

function checkTarget(location: PlanLocation, to: string): QualifiedId {
  const { id } = location;
  if (isRoot(id)) throw failure('plan/isRoot', id, `${id} is the root plan of its project and keeps its name.`);
  const target = toId(to);
  if (target.startsWith('expert:') || projectOf(target) !== projectOf(id)) {
    throw failure('plan/otherProject', id, `${id} cannot become ${target}: that is not in its project.`);
  }
  if (target === id || target.startsWith(`${id}/`)) {
    throw failure('plan/badId', target, `${id} cannot become ${target}: it would be inside itself.`);
  }
  return target;
}

function toId(text: string): QualifiedId {
  if (isQualifiedId(text)) return text;
  throw failure('plan/badId', text, `"${text}" cannot name a plan: ${qualifiedIdProblem(text) ?? ''}.`);
}

function isRoot(plan: QualifiedId): boolean {
  return plan === rootPlanOf(projectOf(plan));
}

function parentOf(plan: QualifiedId): string {
  return plan.slice(0, plan.lastIndexOf('/'));
}

function unchanged(plan: QualifiedId): NewName {
  return { from: plan, to: plan };
}
