import { SerialQueue } from '../../base/semaphore.ts';
import { memoryFingerprint } from '../../model/memory.ts';
import { entrySubject } from '../../vault/entryFile.ts';
import { foldName } from '../../vault/entryIndex.ts';
import type { VaultSearch } from '../search/vaultSearch.ts';
import type { Written } from './entryWriter.ts';
import type { KnowledgeBase, ProposedEntry } from './knowledgeBase.ts';

export interface RememberingParts {
  readonly base: () => Promise<Pick<KnowledgeBase, 'add' | 'load' | 'survey'>>;
  readonly search: Pick<VaultSearch, 'search'>;
}

/** What became of a statement. */
export interface StagedStatement {
  /** The entry that says it, as the diagnostics of entries name one. */
  readonly entry: string;
  /** Whether it was added, and not there already. */
  readonly isNew: boolean;
  readonly diagnostics: Written['diagnostics'];
}

/** Entries whose words are compared with a statement. */
const comparedMax = 10;

/**
 * Stages what agents and sessions say, unless an entry says it already. One statement is judged after the other: of two that
 * say the same at once, the second finds the entry of the first.
 */
export class Remembering {
  readonly #parts: RememberingParts;
  readonly #turns = new SerialQueue();

  constructor(parts: RememberingParts) {
    this.#parts = parts;
  }

  /** Throws what `KnowledgeBase.add` throws. */
  remember(proposed: Omit<ProposedEntry, 'confidence' | 'origins'>, signal: AbortSignal): Promise<StagedStatement> {
    return this.#turns.run(async () => {
      const known = await this.#entryThatSays(proposed, signal);
      if (known !== undefined) return { entry: known, isNew: false, diagnostics: [] };
      const base = await this.#parts.base();
      // No origin: what nothing has proven yet must not count as held in a project.
      const { places, diagnostics } = await base.add({ ...proposed, confidence: 'low' });
      return { entry: places.map(entrySubject)[0] ?? proposed.title, isNew: true, diagnostics };
    }, signal);
  }

  /** The entry of a vault or project that says a statement word for word, under whatever title. */
  async #entryThatSays(
    { title, body, project = '' }: Pick<ProposedEntry, 'title' | 'body' | 'project'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const query = `${title}\n${body}`.slice(0, 20_000);
    const { hits } = await this.#parts.search.search(
      { query, in: ['knowledge'], limit: comparedMax, fresh: true },
      signal,
    );
    const base = await this.#parts.base();
    const known = await base.survey(signal);
    const files = new Set(hits.map(({ file }) => file));
    const folded = foldName(title);
    const wanted = memoryFingerprint({ title: '', body });
    const near = known.heads.filter(
      (head) =>
        !head.isArchived &&
        head.project === project &&
        (files.has(head.file) || foldName(head.fields.title) === folded),
    );
    for (const head of near) {
      const entry = await base.load(entrySubject(head), known);
      if (memoryFingerprint({ title: '', body: entry.body }) === wanted) return entrySubject(head);
    }
    return undefined;
  }
}
