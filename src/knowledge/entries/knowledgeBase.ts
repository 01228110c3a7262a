import { type Clock, formatTimestamp } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import { readTextIfExists } from '../../base/files.ts';
import { judgeAddedWords, judgeWrite } from '../../gates/writes/writeGates.ts';
import { failure } from '../../model/codes.ts';
import { uncategorizedFolder } from '../../model/entry.ts';
import type { Ulid } from '../../model/id.ts';
import type { StoredValues } from '../../model/storedValues.ts';
import type { EntryCatalog } from '../../vault/entryCatalog.ts';
import { type EntryPlace, entrySubject, type KnowledgeEntry, parseEntry } from '../../vault/entryFile.ts';
import { type ProjectPlace, placeInFolder } from '../../vault/entryFiles.ts';
import { EntryIndex, foldName } from '../../vault/entryIndex.ts';
import type { EntryList, EntryListOrder } from '../../vault/entryList.ts';
import type { EntrySurvey } from '../../vault/entrySurvey.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { addEntry, type NewEntry, usualStem } from './addEntry.ts';
import { archiveEntry, restoreEntry, type TakenPaths } from './archiveEntry.ts';
import { contradictEntry } from './contradict.ts';
import { deletion, type EntryDeletion, refuseStale } from './deletion.ts';
import type { ChangeContext, EntryChange } from './entryChange.ts';
import { EntryWriter, type EntryWriterPorts, type Written } from './entryWriter.ts';
import { findEntry } from './findEntry.ts';
import { graduateEntry } from './graduate.ts';
import { mergeEntries } from './mergeEntries.ts';
import { renameEntry } from './renameEntry.ts';
import { type NewStatement, supersedeEntry, supersedeStatement } from './supersede.ts';
import { type Holding, validateEntry } from './validate.ts';

export interface KnowledgeBasePorts extends EntryWriterPorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly newUlid: () => Ulid;
  readonly catalog: EntryCatalog;
  readonly plans: () => Promise<readonly ProjectPlace[]>;
  /** Ids of what looks like a secret and is none. */
  readonly allowedSecrets: () => readonly string[];
  /** Finds the values of the person's secrets. */
  readonly storedSecrets: () => Promise<StoredValues>;
  /** Hears of each change that was made. */
  readonly onChanged: (written: Written) => void;
}

/** An entry that a person or a session proposes. */
export interface ProposedEntry extends Omit<NewEntry, 'status' | 'folder' | 'project'> {
  /** Without it the vault's own. */
  readonly project?: string | undefined;
  /** Without it the folder for what has no axis yet. */
  readonly folder?: string | undefined;
  /** Texts that were given to who proposes it. */
  readonly given: readonly string[];
}

/** The entries as they are at one moment, and by their names. */
export interface Known extends EntrySurvey {
  readonly index: EntryIndex;
  /** The projects that were looked into. */
  readonly projects: ReadonlySet<string>;
}

/**
 * What a vault and its projects know. It reads entries, and changes them one change after the other: each is planned from
 * the files as they are, written over no edit of a person, and committed.
 */
export class KnowledgeBase {
  readonly #ports: KnowledgeBasePorts;
  readonly #writer: EntryWriter;
  #index: EntryIndex | undefined;

  constructor(ports: KnowledgeBasePorts) {
    this.#ports = ports;
    this.#writer = new EntryWriter(ports);
  }

  /** All entries, as they are on disk. */
  async survey(signal?: AbortSignal): Promise<Known> {
    const plans = await this.#ports.plans();
    const survey = await this.#ports.catalog.survey(plans, signal);
    return { ...survey, index: await this.#indexOf(survey.heads, signal), projects: projectsOf(plans) };
  }

  /** A part of all entries, in the order of a survey. */
  async page(order: EntryListOrder, signal?: AbortSignal): Promise<EntryList> {
    return this.#ports.catalog.page(await this.#ports.plans(), order, signal);
  }

  /** The entry that a name stands for, with its text. Throws what `findEntry` throws. */
  async load(name: string, known?: Known): Promise<KnowledgeEntry> {
    const all = known ?? (await this.survey());
    const head = findEntry(all, name, all.index);
    const entry = await this.#ports.catalog.load(head);
    if (entry === undefined)
      throw failure('entry/unknown', entrySubject(head), `${head.file} is gone, or was broken by an edit.`);
    return entry;
  }

  /** Does the rest of a change that an earlier owner did not finish; undefined if there was none. */
  async finish(): Promise<Written | undefined> {
    const written = await this.#writer.finish();
    if (written !== undefined) this.#ports.onChanged(written);
    return written;
  }

  /** Throws what the write gate says, and what `addEntry` throws. */
  add({ given, ...proposed }: ProposedEntry): Promise<Written> {
    const { project = '', folder = project === '' ? uncategorizedFolder : '' } = proposed;
    const entry: NewEntry = { ...proposed, project, folder, status: 'staged' };
    return this.#write(async (context) => {
      const { layout, catalog } = this.#ports;
      const plans = await this.#ports.plans();
      refuseUnknown({ projects: projectsOf(plans) }, project);
      // Of all that a vault knows, only what has this name or this place matters.
      const found = await catalog.namesakes(plans, { name: entry.title, file: usualStem(layout, entry) });
      const change = addEntry(layout, new EntryIndex(found.heads), entry, { ...context, taken: takenBy(found.files) });
      await this.#judge(change, given);
      return change;
    });
  }

  async validate(name: string, holding: Holding): Promise<Written> {
    await this.#judgeWords(name, holding.context, holding.project);
    return this.#change(async (known, context) => {
      refuseUnknown(known, holding.project ?? '');
      return validateEntry(await this.load(name, known), holding, context);
    });
  }

  /** Says that what several projects proved holds in general. */
  graduate(name: string): Promise<Written> {
    return this.#change(async (known, context) => graduateEntry(await this.load(name, known), context));
  }

  /** Replaces a statement of an entry. The new text passes the write gate as well. */
  supersedeStatement(name: string, statement: NewStatement): Promise<Written> {
    return this.#change(async (known, context) => {
      const change = supersedeStatement(await this.load(name, known), statement, context);
      await this.#judge(change, []);
      return change;
    });
  }

  async supersede(name: string, by: string, reason: string): Promise<Written> {
    await this.#judgeWords(name, reason);
    return this.#change(async (known, context) => {
      const [older, newer] = [await this.load(name, known), await this.load(by, known)];
      return supersedeEntry(known.index, { older, newer }, reason, context);
    });
  }

  async contradict(name: string, other: string, reason: string): Promise<Written> {
    await this.#judgeWords(name, reason);
    return this.#change(async (known, context) => {
      const both = [await this.load(name, known), await this.load(other, known)] as const;
      return contradictEntry(known.index, both, reason, context);
    });
  }

  async rename(name: string, title: string): Promise<Written> {
    await this.#judgeWords(name, title);
    return this.#change(async (known, context) =>
      renameEntry(known.index, await this.load(name, known), title, context),
    );
  }

  merge(name: string, into: string): Promise<Written> {
    return this.#change(async (known, context) => {
      const both = { from: await this.load(name, known), into: await this.load(into, known) };
      return mergeEntries(this.#ports.layout, known.index, both, context);
    });
  }

  async archive(name: string, reason: string): Promise<Written> {
    await this.#judgeWords(name, reason);
    return this.#change(async (known, context) =>
      archiveEntry(this.#ports.layout, await this.load(name, known), reason, context),
    );
  }

  restore(name: string): Promise<Written> {
    return this.#change(async (known, context) =>
      restoreEntry(this.#ports.layout, await this.load(name, known), context),
    );
  }

  /** What a person is asked before an entry is deleted; it holds for the text that the entry has now. */
  async proposeDeletion(name: string, reason: string): Promise<EntryDeletion> {
    await this.#judgeWords(name, reason);
    return deletion(await this.load(name), reason);
  }

  /** Throws `entry/deletionStale` if the file of the entry is gone, or not as it was when a person was asked. */
  async checkDeletion(asked: EntryDeletion): Promise<void> {
    refuseStale(asked, await readTextIfExists(this.#ports.disk, this.#placeOf(asked).file));
  }

  /** Deletes it for good. An entry that is gone already stays gone, and no place is written then. */
  delete(asked: EntryDeletion): Promise<Written> {
    return this.#change(async () => {
      const place = this.#placeOf(asked);
      const before = await readTextIfExists(this.#ports.disk, place.file);
      const title = `Delete ${asked.title}`;
      if (before === undefined) return { title, reason: asked.reason, files: [] };
      refuseStale(asked, before);
      return { title, reason: asked.reason, files: [{ place, before }] };
    });
  }

  /** The catalog has the same heads again as long as no file changes. */
  async #indexOf(heads: Known['heads'], signal?: AbortSignal): Promise<EntryIndex> {
    const last = this.#index;
    if (last?.heads.length === heads.length && heads.every((head, at) => head === last.heads[at])) return last;
    const index = await EntryIndex.build(heads, signal);
    this.#index = index;
    return index;
  }

  async #change(
    plan: (known: Known, context: ChangeContext & { readonly taken: TakenPaths }) => EntryChange | Promise<EntryChange>,
  ): Promise<Written> {
    return this.#write(async (context) => {
      const known = await this.survey();
      return plan(known, { ...context, taken: takenPaths(known) });
    });
  }

  async #write(plan: (context: ChangeContext) => EntryChange | Promise<EntryChange>): Promise<Written> {
    const { clock, newUlid } = this.#ports;
    const written = await this.#writer.write(async () =>
      plan({ today: formatTimestamp(clock.wallMs()).slice(0, 10), newUlid }),
    );
    this.#ports.onChanged(written);
    return written;
  }

  async #judge({ files }: EntryChange, given: readonly string[]): Promise<void> {
    const storedSecrets = await this.#ports.storedSecrets();
    for (const { place, after } of files) {
      if (after === undefined) continue;
      const parsed = parseEntry(after, place);
      const subject = entrySubject(place);
      if (parsed.kind !== 'entry') {
        const why = parsed.diagnostics.map(({ message }) => message).join(' ');
        throw failure('write/badForm', subject, `The entry would not be one. ${why}`);
      }
      const { fields, body } = parsed.entry;
      const facts = { given, allowedSecrets: this.#ports.allowedSecrets(), storedSecrets };
      const refusal = judgeWrite({ title: fields.title, body, fields }, facts);
      if (refusal !== undefined) throw failure(refusal.code, subject, refusal.findings.join(' '));
    }
  }

  /** Words that join an entry, or the message of a commit, in another way than as its text. */
  async #judgeWords(name: string, ...words: readonly (string | undefined)[]): Promise<void> {
    const text = words.filter((one) => one !== undefined).join('\n');
    const storedSecrets = await this.#ports.storedSecrets();
    const refusal = judgeAddedWords(text, { allowedSecrets: this.#ports.allowedSecrets(), storedSecrets });
    if (refusal !== undefined) throw failure(refusal.code, name, refusal.findings.join(' '));
  }

  #placeOf({ project, path, isArchived }: EntryDeletion): EntryPlace {
    return placeInFolder(this.#ports.layout, { project, isArchived }, path);
  }
}

/** A project that the vault does not have proves nothing. */
function refuseUnknown({ projects }: Pick<Known, 'projects'>, project: string): void {
  if (project === '' || projects.has(project)) return;
  throw failure('project/unknown', project, `The vault has no project "${project}".`);
}

/** Any file counts, whatever it is, since a new one would replace it. */
function takenPaths({ heads, others }: EntrySurvey): TakenPaths {
  return takenBy([...heads, ...others.map(({ note }) => note)].map(({ file }) => file));
}

function takenBy(files: readonly string[]): TakenPaths {
  const taken = new Set(files.map(foldName));
  return ({ file }) => taken.has(foldName(file));
}

function projectsOf(plans: readonly ProjectPlace[]): ReadonlySet<string> {
  return new Set(plans.map(({ project }) => project));
}
