import { relative, sep } from 'node:path';
import { assert } from '../base/assert.ts';
import { defined } from '../base/defined.ts';
import { type QualifiedId, rootPlanName, segmentFromId, toQualifiedId } from '../model/id.ts';
import {
  type Archived,
  type ArchivedPlan,
  type ArchivedProject,
  type ArchiveRecord,
  archiveFile,
  formatArchive,
} from './archive.ts';
import type { VaultLayout } from './layout.ts';
import type { MoveStep } from './moveJournal.ts';

/** A plan and its id after a move. */
export interface NewName {
  readonly from: QualifiedId;
  readonly to: QualifiedId;
}

/** The ids after a plan got another one: those of the plans below it change with it. */
export function newNames(plans: readonly QualifiedId[], from: QualifiedId, to: QualifiedId): NewName[] {
  return plans.map((plan) => {
    assert(plan === from || plan.startsWith(`${from}/`), `${plan} is not a part of ${from}`);
    return { from: plan, to: toQualifiedId(to + plan.slice(from.length)) };
  });
}

/** The plan's folder first: if that can not be moved, nothing is. `follow`: files that name the plan and get its new name. */
export function renameSteps(
  layout: VaultLayout,
  names: readonly NewName[],
  { head, follow }: { readonly head: string | undefined; readonly follow: readonly MoveStep[] },
): MoveStep[] {
  const [plan] = names;
  assert(plan !== undefined, 'a plan is renamed');
  return [
    { kind: 'path', from: inVault(layout, layout.plan(plan.from)), to: inVault(layout, layout.plan(plan.to)) },
    { kind: 'note-rename', from: plan.from, to: plan.to },
    ...follow,
    ...names.flatMap((name) => runtimeSteps(layout, name, head)),
  ];
}

/** Puts a plan away with everything in `runtime/` that is its own. The record comes last: only then can it be restored. */
export function removalSteps(layout: VaultLayout, record: ArchivedPlan, archive: string): MoveStep[] {
  return [
    { kind: 'path', from: inVault(layout, layout.plan(record.plan)), to: `archive/${archive}/plan` },
    ...record.plans.flatMap((plan) => archiveSteps(layout, plan, archive)),
    recordStep(record, archive),
  ];
}

/** What an earlier plan of this id left in `runtime/`, questions to a person included; it would be taken for the new one's. */
export function archiveRuntimeSteps(
  layout: VaultLayout,
  left: { readonly plan: QualifiedId; readonly questions: readonly string[] },
  archive: string,
): MoveStep[] {
  return [
    ...left.questions.map((path): MoveStep => {
      const from = inVault(layout, path);
      return { kind: 'path', from, to: `archive/${archive}/${from}` };
    }),
    ...archiveSteps(layout, left.plan, archive),
  ];
}

export function restorePlanSteps(
  layout: VaultLayout,
  archived: Archived,
  { names, head }: { readonly names: readonly NewName[]; readonly head: string | undefined },
): MoveStep[] {
  const [plan] = names;
  assert(plan !== undefined, 'a plan is restored');
  const folder = `archive/${archived.name}`;
  return [
    { kind: 'path', from: `${folder}/plan`, to: inVault(layout, layout.plan(plan.to)) },
    { kind: 'note-rename', from: plan.from, to: plan.to },
    ...names.flatMap((name) => [...restoreSteps(layout, name, folder), ...earlierNameSteps(name, head)]),
    { kind: 'clear', path: `${folder}/${archiveFile}` },
  ];
}

/** The new link first, the old one last: at no moment is the project out of reach. */
export function renameProjectSteps(
  layout: VaultLayout,
  names: readonly NewName[],
  project: {
    readonly from: string;
    readonly to: string;
    readonly target: string;
    readonly head: string | undefined;
    readonly follow: readonly MoveStep[];
  },
): MoveStep[] {
  const { from, to, target, head, follow } = project;
  return [
    { kind: 'link', name: to, target },
    { kind: 'note-rename', from, to },
    ...follow,
    ...names.flatMap((name) => runtimeSteps(layout, name, head)),
    { kind: 'rename-registration', from, to },
    { kind: 'unlink', name: from },
  ];
}

/** Never touches the project's own folder. */
export function removeProjectSteps(layout: VaultLayout, record: ArchivedProject, archive: string): MoveStep[] {
  return [
    { kind: 'unlink', name: record.project },
    { kind: 'unregister', name: record.project },
    ...record.plans.flatMap((plan) => archiveSteps(layout, plan, archive)),
    recordStep(record, archive),
  ];
}

export function restoreProjectSteps(
  layout: VaultLayout,
  archived: Archived,
  project: { readonly record: ArchivedProject; readonly path: string; readonly target: string },
): MoveStep[] {
  const { record, path, target } = project;
  const folder = `archive/${archived.name}`;
  const remote = defined({ remote: record.remote });
  return [
    { kind: 'link', name: record.project, target },
    { kind: 'register', name: record.project, path, ...remote },
    ...record.plans.flatMap((plan) => restoreSteps(layout, { from: plan, to: plan }, folder)),
    { kind: 'clear', path: `${folder}/${archiveFile}` },
  ];
}

/** The id of a project's root plan. */
export function rootPlanOf(project: string): QualifiedId {
  return toQualifiedId(`${project}/${rootPlanName}`);
}

function runtimeSteps(layout: VaultLayout, { from, to }: NewName, head: string | undefined): MoveStep[] {
  const targets = layout.runtimeOf(to);
  return [
    ...layout.runtimeOf(from).map((path, at): MoveStep => {
      const target = targets[at];
      assert(target !== undefined, 'every plan has the same paths');
      return { kind: 'path', from: inVault(layout, path), to: inVault(layout, target) };
    }),
    { kind: 'mailbox', from, to },
    ...earlierNameSteps({ from, to }, head),
  ];
}

function earlierNameSteps({ from, to }: NewName, head: string | undefined): MoveStep[] {
  if (from === to) return [];
  return [{ kind: 'note-earlier-name', plan: to, earlier: { plan: from, ...defined({ head }) } }];
}

function archiveSteps(layout: VaultLayout, plan: QualifiedId, archive: string): MoveStep[] {
  return [
    ...layout.runtimeOf(plan).map((path): MoveStep => {
      const from = inVault(layout, path);
      return { kind: 'path', from, to: `archive/${archive}/${from}` };
    }),
    { kind: 'archive-mailbox', actor: plan, directory: mailboxFolder(`archive/${archive}`, plan) },
  ];
}

function restoreSteps(layout: VaultLayout, { from, to }: NewName, folder: string): MoveStep[] {
  const targets = layout.runtimeOf(to);
  return [
    ...layout.runtimeOf(from).map((path, at): MoveStep => {
      const target = targets[at];
      assert(target !== undefined, 'every plan has the same paths');
      return { kind: 'path', from: `${folder}/${inVault(layout, path)}`, to: inVault(layout, target) };
    }),
    { kind: 'restore-mailbox', directory: mailboxFolder(folder, from), actor: to },
  ];
}

function mailboxFolder(folder: string, plan: QualifiedId): string {
  return `${folder}/mailboxes/${segmentFromId(plan)}`;
}

function recordStep(record: ArchiveRecord, archive: string): MoveStep {
  return { kind: 'write', path: `archive/${archive}/${archiveFile}`, text: formatArchive(record) };
}

function inVault(layout: VaultLayout, path: string): string {
  return relative(layout.root, path).split(sep).join('/');
}
