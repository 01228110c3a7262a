import { isRavelError } from '../../base/errors.ts';
import { fenced } from '../../base/fence.ts';
import { oneLine, plural, withoutEnd } from '../../base/text.ts';
import { maskSecrets } from '../../gates/secrets/maskSecrets.ts';
import type { KnowledgeBase, Known } from '../../knowledge/entries/knowledgeBase.ts';
import type { Remembering } from '../../knowledge/entries/remembering.ts';
import { classify } from '../../knowledge/likeness/classify.ts';
import { takeFitting } from '../../knowledge/retrieval/budget.ts';
import type { KnowledgeScope } from '../../knowledge/search/knowledgeScope.ts';
import { type FoundEntry, searchEntries } from '../../knowledge/search/searchEntries.ts';
import type { VaultSearch } from '../../knowledge/search/vaultSearch.ts';
import { usedNamesOf } from '../../knowledge/uses/usedNames.ts';
import type { UseJournal } from '../../knowledge/uses/useJournal.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { VerbArgs } from '../../model/verbs.ts';
import { type EntryHead, entryPathInVault, entrySubject } from '../../vault/entryFile.ts';
import { EntryIndex } from '../../vault/entryIndex.ts';

export interface SessionKnowledgeParts {
  readonly base: () => Promise<Pick<KnowledgeBase, 'load' | 'survey'>>;
  readonly search: Pick<VaultSearch, 'search'>;
  readonly remembering: Pick<Remembering, 'remember'>;
  readonly uses: Pick<UseJournal, 'record'>;
}

/** A session that asks for knowledge. */
export interface KnowledgeReader {
  readonly session: Ulid;
  readonly project: string;
  /** The same for a call that is made again: it counts as one use. */
  readonly use: string;
  readonly at: string;
}

/** What a session is shown. */
export interface ShownKnowledge {
  /** What entries say stands in fences. */
  readonly answer: string;
  /** What they say, and nothing else. */
  readonly text: string;
  /** As paths from the vault on. */
  readonly entries: readonly string[];
}

const foundUsually = 10;
const foundBytesUsually = 4_000;
const shownBytesUsually = 16_000;

/**
 * The knowledge as sessions of plans consult it: what the vault knows, and what their own project knows. What other projects
 * keep for themselves they are not shown. Entries that a session asked for are noted as shown to it, which counts nothing.
 */
export class SessionKnowledge {
  readonly #parts: SessionKnowledgeParts;

  constructor(parts: SessionKnowledgeParts) {
    this.#parts = parts;
  }

  /** The entries that fit best, each with how well it is proven and the line that fits. */
  async search(
    { text, scope, tag, kind, limit = foundUsually, bytes = foundBytesUsually }: VerbArgs<'knowledge/search'>,
    reader: KnowledgeReader,
    signal: AbortSignal,
  ): Promise<ShownKnowledge> {
    const { project } = reader;
    const order = {
      ...{
        query: text,
        limit,
        within: placesFor(project),
        also: scope === undefined ? undefined : [placeOf(scope, project)],
      },
      ...{
        tags: tag === undefined ? undefined : [tag.replace(/^#/, '')],
        kinds: kind === undefined ? undefined : [kind.toLowerCase()],
      },
    };
    const { found, diagnostics } = await searchEntries(this.#parts, order, signal);
    const rows = found.map((one) => {
      const row = rowOf(one);
      return { ...one, row, bytes: Buffer.byteLength(row) };
    });
    const { taken, skipped } = takeFitting(rows, limit, { bytesMax: bytes });
    const problems = diagnostics.map(({ message }) => message);
    const left =
      skipped === 0 ? [] : [`${plural(skipped, 'entry', 'entries')} more did not fit; ask with more words or bytes.`];
    if (taken.length === 0)
      return { answer: ['No entry of the knowledge fits.', ...left, ...problems].join('\n'), text: '', entries: [] };
    await this.#noteShown(
      taken.map(({ head }) => head),
      reader,
    );
    const list = fenced(taken.map(({ row }) => row).join(''), 'entries');
    const more = 'Whole entries: `knowledge_show`, by title or path, several at once.';
    return {
      answer: [list, ...left, more, ...problems].join('\n'),
      text: taken.map(({ head, line }) => `${head.fields.title}\n${line}`).join('\n\n'),
      entries: taken.map(({ head }) => entryPathInVault(head)),
    };
  }

  /** Entries in full; of several, one wrong name does not cost the others. */
  async show(
    { entry, bytes = shownBytesUsually }: VerbArgs<'knowledge/show'>,
    reader: KnowledgeReader,
    signal: AbortSignal,
  ): Promise<ShownKnowledge> {
    const base = await this.#parts.base();
    const known = visibleIn(await base.survey(signal), reader.project);
    const names = namesIn(entry, known);
    const share = Math.floor(bytes / names.length);
    const parts: string[] = [];
    const heads: EntryHead[] = [];
    const said: string[] = [];
    for (const name of names) {
      try {
        const { body, ...head } = await base.load(name, known);
        if (heads.some(({ file }) => file === head.file)) continue;
        const clean = maskSecrets(body.trim());
        const shown = cut(clean, share);
        const rest = Buffer.byteLength(clean) - Buffer.byteLength(shown);
        parts.push(fenced(`${aboutEntry(head)}\n\n${shown}`, 'entry'));
        if (rest > 0) parts.push(`${plural(rest, 'more byte')} are left out; ask for it alone, or with more bytes.`);
        heads.push(head);
        said.push(`${head.fields.title}\n${shown}`);
      } catch (error) {
        if (!isRavelError(error) || names.length === 1) throw error;
        parts.push(error.message);
      }
    }
    await this.#noteShown(heads, reader);
    return { answer: parts.join('\n'), text: said.join('\n\n'), entries: heads.map(entryPathInVault) };
  }

  /** Stages what a session says. Throws what the write gate refuses; what repeats a text of `given` is refused. */
  async remember(
    { title, statement, tags, axis }: VerbArgs<'knowledge/remember'>,
    from: { readonly plan: QualifiedId; readonly session: Ulid; readonly given: readonly string[] },
    signal: AbortSignal,
  ): Promise<{ readonly entry: string; readonly isNew: boolean }> {
    const { folder, kind } = classify({ title, body: statement }, []);
    const { plan: source, session: sourceSession, given } = from;
    const { entry, isNew } = await this.#parts.remembering.remember(
      { title, body: statement, tags, kind, folder: axis ?? folder, given, source, sourceSession },
      signal,
    );
    return { entry, isNew };
  }

  async #noteShown(heads: readonly EntryHead[], { use, at, session, project }: KnowledgeReader): Promise<void> {
    const entries = heads.map((head) => usedNamesOf(head)[0]);
    if (entries.length > 0) await this.#parts.uses.record({ use, kind: 'shown', entries, at, session, project });
  }
}

/** All that sessions of a project can see. */
function placesFor(project: string): readonly KnowledgeScope[] {
  return [
    { project: '', glob: '*' },
    { project, glob: '*' },
  ];
}

function placeOf(scope: string, project: string): KnowledgeScope {
  if (scope === 'project') return { project, glob: '*' };
  return { project: '', glob: scope.replace(/^knowledge\//, '').replace(/\/$/, '') };
}

/** Without what other projects keep for themselves. */
function visibleIn(known: Known, own: string): Known {
  const isVisible = ({ project }: { readonly project: string }) => project === '' || project === own;
  const heads = known.heads.filter(isVisible);
  return {
    ...known,
    heads,
    others: known.others.filter(({ note }) => isVisible(note)),
    index: new EntryIndex(heads),
  };
}

/** At most `bytesMax` bytes from the beginning, without half of a character. */
function cut(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= bytesMax ? text : withoutEnd(bytes.subarray(0, bytesMax).toString('utf8'), '\ufffd');
}

/** The command line names several with commas between them. */
function namesIn(entry: string | readonly string[], { index }: Known): readonly string[] {
  if (typeof entry !== 'string') return entry;
  if (!entry.includes(',') || index.find(entry).length > 0) return [entry];
  return entry
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, 10);
}

function rowOf({ head, line }: FoundEntry): string {
  const first = `- ${aboutEntry(head)}\n`;
  return line === '' || line === head.fields.title ? first : `${first}  ${oneLine(line)}\n`;
}

function aboutEntry(head: EntryHead): string {
  const { title, kind, confidence, status, tags } = head.fields;
  const about = [
    kind,
    `confidence ${confidence}`,
    head.isArchived ? 'archived' : status,
    ...tags.map((tag) => `#${tag}`),
  ];
  return oneLine(`${maskSecrets(title)} (${entrySubject(head)}) [${about.join(', ')}]`);
}
