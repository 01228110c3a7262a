import { join } from 'node:path';
import { defined } from '../base/defined.ts';
import { diagnostic } from '../model/codes.ts';
import type { DocumentRecord, DocumentReference, ReferenceKind, YamlKind } from '../model/document.ts';
import { nearestNames } from '../model/nearest.ts';
import { planFiles } from '../model/plan.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { type DocumentPlace, fileOfPlan } from './documentPlace.ts';
import { type Found, found, replacements, replaceText } from './found.ts';
import type { NamedBy } from './recordShapes.ts';
import type { RawReference } from './records.ts';

/** What there is to be named. */
export interface Names {
  readonly plans: readonly PlanLocation[];
  /** Without `expert:`. */
  readonly experts: readonly { readonly id: string; readonly description: string }[];
  /** Claims of the latest session of the document's plan. */
  readonly claims: readonly DocumentRecord[];
}

interface LookUp {
  readonly layout: VaultLayout;
  readonly place: DocumentPlace;
  readonly names: Names;
  /** Of the document itself. */
  readonly records: readonly DocumentRecord[];
}

/** Each name with what has it. */
export function lookUpReferences(references: readonly RawReference[], world: LookUp): DocumentReference[] {
  const tasks = byId(world.records.filter(({ kind }) => kind === 'task'));
  const claims = byId(world.names.claims);
  const plans = new Map(world.names.plans.map((plan) => [String(plan.id), plan]));
  return references.map((raw) => {
    const { name, range } = raw;
    const kind = kindOf(raw);
    const id = kind === 'expert' && !name.startsWith('expert:') ? `expert:${name}` : name;
    const base = { kind, id, range };
    if (kind === 'task') return withRecord(base, tasks.get(name), world.place.file);
    if (kind === 'claim') return withRecord(base, claims.get(name), claimsFile(world.place));
    if (kind === 'expert') return withExpert(base, world);
    const plan = plans.get(kind === 'project' ? `${name}/project-root` : name);
    return { ...base, ...(plan !== undefined && { target: { file: markerOf(plan, world.place) } }) };
  });
}

/** Names that do not exist in the vault. A backlog records past messages, so its names can be of plans now gone. */
export function unknownNames(
  kind: YamlKind,
  references: readonly RawReference[],
  shown: readonly DocumentReference[],
  { names, place }: Pick<LookUp, 'names' | 'place'>,
): Found[] {
  if (kind === 'backlog' || kind === 'localProjects') return [];
  return references.flatMap((raw, at) => {
    if (shown[at]?.target !== undefined) return [];
    const { code, what } = problems[raw.by];
    const message = `"${raw.name}" is not a ${what} of this vault.`;
    const where = { severity: 'warning', file: place.file, range: raw.range } as const;
    return [
      found(diagnostic(code, place.subject, message, where), () =>
        replacements(nearestOf(raw.name, namesFor(raw.by, names)), (name) => replaceText(raw.range, name)),
      ),
    ];
  });
}

/** Of ids first those that lie as deep: a plan's parent has nearly its name. */
function nearestOf(name: string, all: readonly string[]): string[] {
  const depth = (id: string) => id.split('/').length;
  const near = nearestNames(
    name,
    all.filter((id) => depth(id) === depth(name)),
  );
  return near.length > 0 ? near : nearestNames(name, all);
}

/** What could stand where something is named. */
export function namesFor(by: NamedBy, { plans, experts, claims }: Names): string[] {
  const ids = plans.map(({ id }) => String(id));
  const actors = experts.map(({ id }) => `expert:${id}`);
  const projects = [...new Set(plans.map(({ project }) => project))];
  switch (by) {
    case 'task':
      return [];
    case 'claim':
      return claims.flatMap(({ id }) => id ?? []);
    case 'plan':
      return ids;
    case 'project':
      return projects;
    case 'bareExpert':
      return experts.map(({ id }) => id);
    case 'actor':
      return [...ids, ...actors];
    case 'receiver':
      return [...ids, ...actors, ...projects];
  }
}

const problems = {
  task: { code: 'state/unknownDependency', what: 'task' },
  claim: { code: 'state/unknownRecord', what: 'claim of the latest session' },
  actor: { code: 'plan/unknown', what: 'plan or expert' },
  receiver: { code: 'rule/unknownTarget', what: 'plan, expert or project' },
  plan: { code: 'plan/unknown', what: 'plan' },
  project: { code: 'project/unknown', what: 'project' },
  bareExpert: { code: 'expert/unknown', what: 'expert' },
} as const;

function kindOf({ by, name }: RawReference): ReferenceKind {
  if (by === 'task' || by === 'claim' || by === 'plan' || by === 'project') return by;
  if (by === 'bareExpert' || name.startsWith('expert:')) return 'expert';
  return name.includes('/') ? 'plan' : 'project';
}

function withRecord(
  base: DocumentReference,
  record: DocumentRecord | undefined,
  file: string | undefined,
): DocumentReference {
  if (record === undefined || file === undefined) return base;
  const { title, state, idRange } = record;
  return { ...base, title, target: { file, range: idRange }, ...defined({ state }) };
}

function withExpert(base: DocumentReference, { layout, names }: LookUp): DocumentReference {
  const id = base.id.slice('expert:'.length);
  const expert = names.experts.find((one) => one.id === id);
  if (expert === undefined) return base;
  return { ...base, title: expert.description, target: { file: join(layout.experts, `${id}.md`) } };
}

function markerOf(plan: PlanLocation, { isReal }: DocumentPlace): string {
  return fileOfPlan(plan, planFiles.marker, isReal);
}

function claimsFile({ plan, isReal }: DocumentPlace): string | undefined {
  return plan === undefined ? undefined : fileOfPlan(plan, planFiles.latestSession, isReal);
}

function byId(records: readonly DocumentRecord[]): ReadonlyMap<string, DocumentRecord> {
  return new Map(records.flatMap((record) => (record.id === undefined ? [] : [[record.id, record] as const])));
}
