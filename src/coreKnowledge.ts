import { commitInVault } from './plans/commits/commitInVault.ts';
// Builds what a vault knows: its entries, their uses, and the question before one is deleted.

import { CachedPromise } from './base/cachedPromise.ts';
import { commitOwnPaths } from './git/vaultRepository.ts';
import { type EntryDeletion, entryDeletionSchema } from './knowledge/entries/deletion.ts';
import type { KnowledgeBase, KnowledgeBasePorts } from './knowledge/entries/knowledgeBase.ts';
import type { Remembering } from './knowledge/entries/remembering.ts';
import type { VaultSearch } from './knowledge/search/vaultSearch.ts';
import type { UseJournal } from './knowledge/uses/useJournal.ts';
import { createVaultApprovals } from './plans/approvals/vaultApprovals.ts';
import type { WorkTrees } from './plans/phases/workTrees.ts';
import type { PlanDirectory } from './plans/planDirectory.ts';
import { emitFor, type PlanServices, timestamp } from './plans/services.ts';
import type { SessionKnowledge } from './plans/sessions/sessionKnowledge.ts';
import type { Knowledge } from './requests/handlers.ts';
import { EntryCatalog } from './vault/entryCatalog.ts';
import { entrySubject } from './vault/entryFile.ts';
import type { EntryThread } from './vault/entryThread.ts';

/** What a vault knows, and how that is used and changed. Nothing is read before the first request. */
export function createKnowledge(
  services: PlanServices,
  {
    directory,
    trees,
    uses,
    vaultSearch: search,
    thread,
  }: {
    readonly directory: PlanDirectory;
    readonly trees: WorkTrees;
    readonly uses: UseJournal;
    readonly vaultSearch: VaultSearch;
    readonly thread: EntryThread;
  },
): Knowledge {
  const { disk, layout, clock, git, newUlid, settings } = services;
  const questions = createVaultApprovals(services);
  const ports: KnowledgeBasePorts = {
    ...{ disk, layout, clock, newUlid, catalog: new EntryCatalog({ disk, layout, clock, thread }) },
    plans: async () => (await directory.all()).plans,
    allowedSecrets: () => settings.gates['allowed-secrets'],
    storedSecrets: services.storedSecrets,
    async commit(project, paths, message) {
      if (project === '') return commitInVault(services, paths, message);
      if (settings.vault.commit !== 'auto') return;
      const plan = (await directory.all()).plans.find((one) => one.project === project);
      if (plan === undefined) return;
      // Beside the commits of its plans, which have the same index.
      await trees.withRepository(plan, 'git-commit-reflect', () =>
        commitOwnPaths(git, plan.projectDirectory, paths, message),
      );
    },
    onChanged: ({ title, places }) =>
      emitFor(services, 'vault', { type: 'knowledge.changed', did: title, entries: places.map(entrySubject) }),
  };
  const kept = new CachedPromise<KnowledgeBase>();
  const turns = new CachedPromise<Remembering>();
  // Opening a vault does not load it: most owners are asked for no entry.
  const base = () =>
    kept.get(async () => {
      const { KnowledgeBase } = await import('./knowledge/entries/knowledgeBase.ts');
      return new KnowledgeBase(ports);
    });
  const remembering = () =>
    turns.get(async () => {
      const { Remembering } = await import('./knowledge/entries/remembering.ts');
      return new Remembering({ base, search });
    });
  return {
    base,
    remembering,
    uses,
    newUse: () => ({ use: newUlid(), at: timestamp(services) }),
    ask(deletion) {
      const question = { kind: 'entry-deletion', subject: `Delete ${deletion.title}`, details: deletion } as const;
      return questions.openUnlessAsked(question, (details) => isSame(details, deletion));
    },
  };
}

/** The knowledge as sessions of plans consult it; loaded with the first call. */
export function createSessionKnowledge(
  { base, remembering, uses }: Knowledge,
  search: VaultSearch,
): () => Promise<SessionKnowledge> {
  const kept = new CachedPromise<SessionKnowledge>();
  return () =>
    kept.get(async () => {
      const { SessionKnowledge } = await import('./plans/sessions/sessionKnowledge.ts');
      return new SessionKnowledge({ base, search, remembering: await remembering(), uses });
    });
}

function isSame(details: unknown, { project, path, isArchived, hash }: EntryDeletion): boolean {
  const { data } = entryDeletionSchema.safeParse(details);
  return data?.project === project && data.path === path && data.isArchived === isArchived && data.hash === hash;
}
