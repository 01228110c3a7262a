// Builds what a vault knows: its entries, their uses, and the question before one is deleted.

import { CachedPromise } from './base/cachedPromise.ts';
import { commitOwnPaths } from './git/vaultRepository.ts';
import { type EntryDeletion, entryDeletionSchema } from './knowledge/entries/deletion.ts';
import type { KnowledgeBase, KnowledgeBasePorts } from './knowledge/entries/knowledgeBase.ts';
import type { UseJournal } from './knowledge/uses/useJournal.ts';
import { createVaultApprovals } from './plans/approvals/vaultApprovals.ts';
import type { WorkTrees } from './plans/phases/workTrees.ts';
import type { PlanDirectory } from './plans/planDirectory.ts';
import { emitFor, type PlanServices, timestamp } from './plans/services.ts';
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
    thread,
  }: {
    readonly directory: PlanDirectory;
    readonly trees: WorkTrees;
    readonly uses: UseJournal;
    readonly thread: EntryThread;
  },
): Knowledge {
  const { disk, layout, clock, git, newUlid, settings, vaultCommits } = services;
  const questions = createVaultApprovals(services);
  const ports: KnowledgeBasePorts = {
    ...{ disk, layout, clock, newUlid, catalog: new EntryCatalog({ disk, layout, clock, thread }) },
    plans: async () => (await directory.all()).plans,
    allowedSecrets: () => settings.gates['allowed-secrets'],
    async commit(project, paths, message) {
      if (settings.vault.commit !== 'auto') return;
      if (project === '') {
        await vaultCommits.run(() => commitOwnPaths(git, layout.root, paths, message));
        return;
      }
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
  const base = new CachedPromise<KnowledgeBase>();
  return {
    // Opening a vault does not load it: most owners are asked for no entry.
    base: () =>
      base.get(async () => {
        const { KnowledgeBase } = await import('./knowledge/entries/knowledgeBase.ts');
        return new KnowledgeBase(ports);
      }),
    uses,
    newUse: () => ({ use: newUlid(), at: timestamp(services) }),
    ask(deletion) {
      const question = { kind: 'entry-deletion', subject: `Delete ${deletion.title}`, details: deletion } as const;
      return questions.openUnlessAsked(question, (details) => isSame(details, deletion));
    },
  };
}

function isSame(details: unknown, { project, path, isArchived, hash }: EntryDeletion): boolean {
  const { data } = entryDeletionSchema.safeParse(details);
  return data?.project === project && data.path === path && data.isArchived === isArchived && data.hash === hash;
}
