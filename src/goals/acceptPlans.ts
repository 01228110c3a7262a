import { dirname, join } from 'node:path';
import * as z from 'zod';
import { listIfThere, toDiskError } from '../base/diskErrors.ts';
import { ensureDirectory, exists, readTextIfExists, removeFile, removeTree, writeAtomic } from '../base/files.ts';
import { readJson } from '../base/jsonFile.ts';
import { plural } from '../base/text.ts';
import { backlogSchema } from '../model/backlog.ts';
import { failure } from '../model/codes.ts';
import { allocateSlug, isUlid, type QualifiedId, type Ulid } from '../model/id.ts';
import { memorySchema } from '../model/memory.ts';
import type { Author } from '../model/origin.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../model/plan.ts';
import { type PlanDraft, type PlanProposal, samePlan } from '../model/planProposal.ts';
import type { PutAway } from '../model/requests/archives.ts';
import { recordOrigins } from '../plans/origins.ts';
import { changePlanFileOnce, loadPlanFiles, withPlanLock } from '../plans/proposals/planWriter.ts';
import { emitFor, type PlanServices } from '../plans/services.ts';
import { checkNewPlan } from '../vault/planCreation.ts';
import { planScaffold } from '../vault/planScaffold.ts';
import { editYaml, formatYaml, readYaml, type YamlEdit } from '../yaml/yaml.ts';
import { draftProposal } from './draftProposal.ts';

export interface AcceptParts {
  readonly services: PlanServices;
  /** Makes plans under unused ids, one such work at a time. */
  readonly makeAll: <T>(
    plans: readonly QualifiedId[],
    work: (makeWay: () => Promise<void>) => Promise<T>,
  ) => Promise<{ readonly made: T } & PutAway>;
  readonly refreshCatalog: () => Promise<unknown>;
}

export interface AcceptedProposal {
  readonly approval: Ulid;
  readonly under: QualifiedId;
  readonly proposal: PlanProposal;
  readonly author: Author;
}

/** How far it is, so that it goes on from there after a crash. */
const progressSchema = z.looseObject({
  /** Every new plan was put together beside its place; one that is no longer there was put in its place. */
  isBuilt: z.boolean(),
  /** Files of the plan itself whose new text was put beside them. */
  prepared: z.array(z.string()),
});
type Progress = z.infer<typeof progressSchema>;

/**
 * Makes the plans of a proposal that a person accepted, with their tasks and memory, and adds what is for the plan itself.
 * Every new plan is put together beside its place before the first one is put there; called again after a crash, it goes
 * on where it was, and does nothing twice. Throws what `createPlan` throws if a name was taken meanwhile.
 */
export async function acceptPlans(parts: AcceptParts, accepted: AcceptedProposal): Promise<string> {
  const { services } = parts;
  await removeOldProgress(services, accepted.approval);
  const file = join(services.layout.acceptedPlans, `${accepted.approval}.json`);
  const progress = await loadProgress(services, file);
  const save = async (next: Progress) => {
    await ensureDirectory(services.disk, services.layout.acceptedPlans);
    await writeAtomic(services.disk, file, `${JSON.stringify(next)}\n`);
  };
  const drafts = draftProposal(accepted.under, accepted.proposal, []);
  const fresh = drafts.filter(({ isThere }) => !isThere);
  const state = { progress, save };
  if (fresh.length > 0) await makePlans(parts, accepted, fresh, state);
  const added = drafts.some(({ isThere }) => isThere)
    ? await addToPlan(services, accepted, state)
    : { tasks: 0, entries: 0 };
  await parts.refreshCatalog();
  const tasks = fresh.reduce((sum, plan) => sum + plan.tasks.length, 0);
  const made = fresh.length === 0 ? [] : [`Made ${plural(fresh.length, 'plan')} with ${plural(tasks, 'task')}`];
  const given = added.tasks + added.entries === 0 ? [] : [`added ${plural(added.tasks, 'task')} to ${accepted.under}`];
  const did = [...made, ...given].join(' and ');
  return did === '' ? 'Everything of it was there already.' : `${did.charAt(0).toUpperCase()}${did.slice(1)}.`;
}

interface ProgressState {
  progress: Progress;
  readonly save: (next: Progress) => Promise<void>;
}

async function makePlans(
  { services, makeAll }: AcceptParts,
  { approval, author }: AcceptedProposal,
  fresh: readonly PlanDraft[],
  state: ProgressState,
): Promise<void> {
  const { disk, layout } = services;
  const placeOf = ({ id, slug }: PlanDraft) => {
    const directory = layout.plan(id);
    return { directory, beside: join(dirname(directory), `.${slug}.${approval.toLowerCase()}.tmp`) };
  };
  await makeAll(
    fresh.map(({ id }) => id),
    async (makeWay) => {
      if (!state.progress.isBuilt) {
        for (const draft of fresh) await assertFree(services, draft.id);
        await makeWay();
        for (const draft of fresh) await build(services, placeOf(draft).beside, draft);
        state.progress = { ...state.progress, isBuilt: true };
        await state.save(state.progress);
      }
      for (const draft of fresh) {
        const { directory, beside } = placeOf(draft);
        try {
          if (await exists(disk, beside)) await disk.rename(beside, directory);
          await disk.syncDirectory(dirname(directory));
        } catch (error) {
          throw toDiskError(error, directory, 'make');
        }
      }
    },
  );
  for (const { id } of fresh) {
    await withPlanLock(services, id, async () => {
      const texts = await loadPlanFiles(services, id);
      const changes = [...texts].map(([file, after]) => ({ file, before: null, after }));
      await recordOrigins(services, id, author, changes);
    });
    emitFor(services, id, { type: 'plan.changed', change: 'created' });
  }
}

async function assertFree({ disk, layout }: PlanServices, id: QualifiedId): Promise<void> {
  const directory = await checkNewPlan(disk, layout, id);
  const [first] = await listIfThere(disk, directory);
  if (first === undefined) return;
  throw failure('plan/exists', id, `The plan "${id}" cannot be made: there is "${first.name}" in that folder.`);
}

async function build(
  { disk }: PlanServices,
  folder: string,
  { slug, title, description, tasks, memory }: PlanDraft,
): Promise<void> {
  const scaffold = new Map(planScaffold(title === '' ? slug : title, description));
  if (tasks.length > 0) scaffold.set(planFiles.backlog, formatYaml({ tasks }));
  if (memory.length > 0) scaffold.set(planFiles.memory, formatYaml({ entries: memory.map(entryOf) }));
  await removeTree(disk, folder);
  await ensureDirectory(disk, folder);
  for (const [name, text] of scaffold) await writeAtomic(disk, join(folder, name), text);
}

/** A person decided it by accepting it, so it needs no evidence. */
function entryOf({ id, title, body }: PlanDraft['memory'][number]) {
  return { id, title, body, source: 'decision' };
}

/** What is for the plan that is there: from its files as they are now, each file once. */
async function addToPlan(
  services: PlanServices,
  accepted: AcceptedProposal,
  state: ProgressState,
): Promise<{ readonly tasks: number; readonly entries: number }> {
  const { approval, under, author } = accepted;
  const counts = { tasks: 0, entries: 0 };
  for (const [file, add] of [
    [planFiles.backlog, addTasks],
    [planFiles.memory, addEntries],
  ] as const) {
    let change: { readonly before: string | null; readonly after: string } | undefined;
    const once = {
      ...{ file, id: approval, wasPrepared: state.progress.prepared.includes(file) },
      recordPrepared: async () => {
        state.progress = { ...state.progress, prepared: [...state.progress.prepared, file] };
        await state.save(state.progress);
      },
    };
    await changePlanFileOnce(services, under, once, (texts) => {
      const { text, tasks = 0, entries = 0 } = add(accepted, texts);
      if (text === undefined) return undefined;
      change = { before: texts.get(file) ?? null, after: text };
      Object.assign(counts, file === planFiles.backlog ? { tasks } : { entries });
      return text;
    });
    if (change === undefined) continue;
    const made = change;
    await withPlanLock(services, under, () => recordOrigins(services, under, author, [{ file, ...made }]));
    emitFor(services, under, {
      type: 'plan.changed',
      change: 'edited',
      files: [file],
      summary: 'added what was proposed',
    });
  }
  return counts;
}

interface Added {
  readonly text?: string;
  readonly tasks?: number;
  readonly entries?: number;
}

function addTasks({ under, proposal }: AcceptedProposal, texts: PlanTexts): Added {
  const place = { file: planFiles.backlog, subject: under };
  const before = texts.get(planFiles.backlog) ?? 'tasks: []\n';
  const { value, diagnostics } = readYaml(backlogSchema.nullable(), before, place);
  if (value === undefined) throw unreadable(under, planFiles.backlog, diagnostics[0]?.message);
  const there = value?.tasks ?? [];
  const promoted = (value?.received ?? []).flatMap(({ task }) => task ?? []);
  const plans = proposal.plans.filter(({ slug }) => slug === samePlan);
  const [draft] = draftProposal(under, { plans }, there, promoted);
  const tasks = draft?.tasks ?? [];
  if (tasks.length === 0) return {};
  return { text: editYaml(before, appended('tasks', value?.tasks ?? undefined, tasks), place), tasks: tasks.length };
}

function addEntries({ under, proposal }: AcceptedProposal, texts: PlanTexts): Added {
  const place = { file: planFiles.memory, subject: under };
  const before = texts.get(planFiles.memory) ?? 'entries: []\n';
  const { value, diagnostics } = readYaml(memorySchema.nullable(), before, place);
  if (value === undefined) throw unreadable(under, planFiles.memory, diagnostics[0]?.message);
  const there = value?.entries ?? [];
  const taken = new Set(there.map(({ id }) => id));
  const plans = proposal.plans.filter(({ slug }) => slug === samePlan);
  const said = new Set(there.map(({ title, body }) => `${title}\n${body.trim()}`));
  const entries = draftProposal(under, { plans }, [])
    .flatMap(({ memory }) => memory)
    .filter(({ title, body }) => !said.has(`${title}\n${body.trim()}`))
    .map(({ title, body }) => {
      const id = allocateSlug(title, taken, 'entry');
      taken.add(id);
      return entryOf({ id, title, body });
    });
  if (entries.length === 0) return {};
  return {
    text: editYaml(before, appended('entries', value?.entries ?? undefined, entries), place),
    entries: entries.length,
  };
}

function appended(list: string, there: readonly unknown[] | undefined, records: readonly object[]): YamlEdit[] {
  if (there === undefined) return [{ op: 'set', path: [list], value: records as never }];
  return records.map((value, at) => ({ op: 'insert', path: [list], index: there.length + at, value: value as never }));
}

function unreadable(under: QualifiedId, file: PlanFile, why = 'it holds nothing') {
  return failure('gate/refused', under, `Nothing can be added to ${file} of ${under}: ${why}`, {
    help: 'Fix the file, then accept again; `ravel verify` names each mistake.',
  });
}

async function loadProgress({ disk }: Pick<PlanServices, 'disk'>, file: string): Promise<Progress> {
  const text = await readTextIfExists(disk, file);
  const read = text === undefined ? undefined : readJson(text, progressSchema);
  return read !== undefined && 'value' in read ? read.value : { isBuilt: false, prepared: [] };
}

/** What is known of proposals that are done with: their questions are gone. */
async function removeOldProgress({ disk, layout }: PlanServices, current: Ulid): Promise<void> {
  for (const { name } of await listIfThere(disk, layout.acceptedPlans)) {
    const id = name.replace(/\.json$/, '');
    if (id === current || !isUlid(id) || (await exists(disk, layout.approval(id)))) continue;
    await removeFile(disk, join(layout.acceptedPlans, name));
  }
}

/** Throws as `acceptPlans` would if the files of the plan itself cannot take what is added to them. */
export async function assertAddable(services: PlanServices, accepted: Omit<AcceptedProposal, 'author'>): Promise<void> {
  if (!accepted.proposal.plans.some(({ slug }) => slug === samePlan)) return;
  const texts = await loadPlanFiles(services, accepted.under);
  const added = { ...accepted, author: { by: 'person' as const } };
  addTasks(added, texts);
  addEntries(added, texts);
}
