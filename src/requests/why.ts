import { defined } from '../base/defined.ts';
import { failure } from '../model/codes.ts';
import { isUlid } from '../model/id.ts';
import { nearestNames } from '../model/nearest.ts';
import { type CauseKind, type causalityRequests, causeKinds } from '../model/requests/causality.ts';
import type { CauseRef } from '../routing/causes/causality.ts';
import { loadRules } from '../vault/loadRules.ts';
import type { CauseFinder, CauseSources } from './causes.ts';
import type { HandlersOf } from './handlers.ts';

/** Opening a vault does not load what these need. */
export const causalityHandlers: HandlersOf<typeof causalityRequests> = {
  async why({ services, directory, history, routing }, { subject, plan }, signal) {
    const sources = { services, directory, history, routes: routing.history, router: routing.router };
    const { CauseFinder } = await import('./causes.ts');
    const { traceCauses } = await import('../routing/causes/causality.ts');
    const finder = new CauseFinder(sources);
    const named = plan === undefined ? undefined : (await directory.find(plan)).id;
    const start = await refOf(sources, finder, { subject, plan: named }, signal);
    return traceCauses(start, (ref, stop) => finder.expand(ref, stop), signal);
  },
};

interface Asked {
  readonly subject: string;
  readonly plan: string | undefined;
}

/**
 * What a person means: a task as `<plan>#<task>`, or what any list or file shows as an id. `<kind>:<id>` says which kind it
 * is. Rejects with `routing/unknownSubject`.
 */
async function refOf(
  sources: CauseSources,
  finder: CauseFinder,
  { subject, plan }: Asked,
  signal: AbortSignal,
): Promise<CauseRef> {
  const given = kindIn(subject);
  const id = given === undefined ? subject : subject.slice(given.length + 1);
  const hash = id.lastIndexOf('#');
  const kinds: readonly CauseKind[] = given === undefined ? guesses(id, hash, plan) : [given];
  for (const kind of kinds) {
    const ref = await known(sources, finder, { kind, id, ...defined({ plan }) }, signal);
    if (ref !== undefined) return ref;
  }
  const near = await nearSubjects(sources, finder, { id, plan });
  const meant = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
  const help =
    plan === undefined && hash === -1
      ? 'A task is named with its plan, as `shop/project-root#close-the-till`; messages, sessions and suggestions by their ids, commits by their hashes.'
      : 'The tasks of a plan: `ravel state backlog list PLAN`.';
  const message = `Nothing on record is called "${subject}".`;
  throw failure('routing/unknownSubject', subject, message, { help: `${meant}${help}` });
}

/** What may have been meant, as `ravel why` takes it: tasks of the plan, or of any one and rules if none is named. */
async function nearSubjects(
  { services, directory }: CauseSources,
  finder: CauseFinder,
  { id, plan }: { readonly id: string; readonly plan: string | undefined },
): Promise<string[]> {
  const hash = id.lastIndexOf('#');
  const wanted = id.slice(hash + 1);
  const named = hash === -1 ? plan : (await directory.find(id.slice(0, hash))).id;
  const plans =
    named === undefined ? (await directory.all()).plans.slice(0, plansSearched).map((one) => one.id) : [named];
  const subjects = new Map<string, string[]>();
  const add = (name: string, subject: string) => subjects.set(name, [...(subjects.get(name) ?? []), subject]);
  for (const one of plans) {
    for (const task of (await finder.backlog(one)).tasks ?? []) add(task.id, `${one}#${task.id}`);
  }
  if (named === undefined) {
    for (const rule of (await loadRules(services.disk, services.layout)).rules) add(rule.id, `rule:${rule.id}`);
  }
  const names = [...subjects.keys()];
  const longer = wanted.length < 3 ? [] : names.filter((name) => name.includes(wanted));
  const near = new Set([...longer.slice(0, nearMax), ...nearestNames(wanted, names)]);
  return [...near].flatMap((name) => subjects.get(name) ?? []).slice(0, nearMax);
}

/** A person who mistyped waits for no more of them. */
const plansSearched = 200;
const nearMax = 3;

function kindIn(subject: string): CauseKind | undefined {
  return causeKinds.find((kind) => subject.startsWith(`${kind}:`));
}

/** What an id can be, the likeliest first. */
function guesses(id: string, hash: number, plan: string | undefined): readonly CauseKind[] {
  if (hash !== -1) return ['task'];
  if (isUlid(id)) return ['decision', 'suggestion', 'session', 'message'];
  const others: readonly CauseKind[] = /^[0-9a-f]{7,64}$/.test(id) ? ['commit', 'rule'] : ['rule'];
  return plan === undefined ? others : ['task', ...others];
}

/** The ref as it is traced, if there is something of that kind and id. */
async function known(
  sources: CauseSources,
  finder: CauseFinder,
  ref: CauseRef,
  signal: AbortSignal,
): Promise<CauseRef | undefined> {
  const { kind, id } = ref;
  const { services, directory } = sources;
  const hash = id.lastIndexOf('#');
  switch (kind) {
    case 'task': {
      if (hash === -1) return ref.plan !== undefined && (await finder.hasTask(ref.plan, id)) ? ref : undefined;
      const plan = (await directory.find(id.slice(0, hash))).id;
      const task = id.slice(hash + 1);
      return (await finder.hasTask(plan, task)) ? { kind, id: task, plan } : undefined;
    }
    case 'decision':
      return isUlid(id) && (await sources.routes.find(id)) !== undefined ? { ...ref, kind: 'message' } : undefined;
    case 'suggestion':
      return (await finder.question(id))?.kind === 'rule-suggestion' ? ref : undefined;
    case 'rule': {
      const { rules } = await loadRules(services.disk, services.layout);
      return rules.some((rule) => rule.id === id) ? ref : undefined;
    }
    case 'commit': {
      const { findCommit } = await import('./commitCauses.ts');
      const found = await findCommit(sources, ref, signal);
      return found === undefined ? undefined : { ...ref, id: found.commit.hash };
    }
    case 'session':
    case 'message':
      return isUlid(id) && (await isRecorded(finder, ref, signal)) ? ref : undefined;
    case 'answer':
      return isUlid(id) ? ref : undefined;
    case 'person':
      return undefined;
  }
}

/** Whether anything is known of a session or a message beside its id. */
async function isRecorded(finder: CauseFinder, ref: CauseRef, signal: AbortSignal): Promise<boolean> {
  const { node } = await finder.expand(ref, signal);
  return ref.kind === 'session' ? (node.plan ?? node.at) !== undefined : node.at !== undefined;
}
