import { nextTurn } from '../../base/async.ts';
import type { ReadingDisk } from '../../base/disk.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { GroupedIndex } from '../../knowledge/retrieval/groupedIndex.ts';
import { bestLine } from '../../knowledge/search/bestLine.ts';
import type { Recipient, SpeakingLine } from '../../model/routing.ts';
import { projectOfRecipient } from '../../model/senders.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import type { KnownRecipients } from '../recipientDirectory.ts';
import { liesIn } from '../rules/ruleSet.ts';
import {
  type ContentDocument,
  type ContentSource,
  isProjectGroup,
  planSources,
  projectGroup,
  readmeSource,
  recipientDocument,
} from './contentSources.ts';
import { sourceNames } from './sourceNames.ts';

/** How much the texts of a recipient speak of a message. */
export interface ContentScore {
  /** 0 to 1. */
  readonly share: number;
  /** Different words of the message that its own texts have. */
  readonly words: number;
  /** What speaks for it most, the best first. */
  readonly lines: readonly SpeakingLine[];
}

export interface ContentPorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  /** Bounds that a test lowers. */
  readonly bytesMax?: number;
}

/** Of one file, and of all files together; what goes beyond it is not read, and then no lead decides. */
const fileBytesMax = 2 * 1024 * 1024;
const usualBytesMax = 32 * 1024 * 1024;
/** Recipients of which lines are quoted, and files that are read at a time. */
const quotedMax = 5;
const filesAtATime = 16;

/** What plans share with others of their project tells less than what is their own. */
const sharedWeight = 0.3;

/**
 * What plans and experts are about, by their own texts. Each look compares the stamps of the files and reads those that
 * changed, so an edit counts for the next message, and the whole is made again from the files by the next owner. A file that
 * cannot be read as what it should be leaves what was known of it.
 */
export class ContentIndex {
  readonly #ports: ContentPorts;
  readonly #queue = new SerialQueue();
  readonly #index = new GroupedIndex();
  readonly #texts = new Map<string, ContentDocument>();
  /** Of each file as it was read: its stamps, the ids of its documents, and its bytes. */
  readonly #files = new Map<string, { stamp: string; group: string; ids: readonly string[]; bytes: number }>();
  readonly #named = new Map<string, string>();
  readonly #walked = new Set<string>();
  #isComplete = true;

  constructor(ports: ContentPorts) {
    this.#ports = ports;
  }

  /** Whether everything was read; without that, a recipient can be behind only because it was not. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Makes it as the files are now. */
  refresh(known: KnownRecipients): Promise<void> {
    return this.#queue.run(() => this.#refresh(known));
  }

  /** By the id of the recipient; those without a word of the message are left out. */
  score(text: string, within?: string): ReadonlyMap<string, ContentScore> {
    const isAllowed = (group: string) =>
      within === undefined || (!isProjectGroup(group) && liesIn(group as Recipient['id'], within));
    const { scores, terms } = this.#index.rank(text, { isAllowed });
    const shared = new Map(
      scores.filter(({ group }) => isProjectGroup(group)).map(({ group, share }) => [group, share]),
    );
    const found = new Map<string, ContentScore>();
    for (const { group, share, words, documents } of scores) {
      if (isProjectGroup(group)) continue;
      const project = projectOfRecipient(group as Recipient['id']);
      const more = project === undefined ? 0 : (shared.get(projectGroup(project)) ?? 0) * sharedWeight;
      const quoted = found.size < quotedMax ? documents : [];
      const lines = quoted.flatMap((id) => {
        const document = this.#texts.get(id);
        const line = document === undefined ? '' : bestLine(this.#index.index, document.text, terms);
        return document === undefined || line === '' ? [] : [{ in: document.name, line }];
      });
      found.set(group, { share: Math.min(1, share + more), words, lines });
    }
    return found;
  }

  async #refresh(known: KnownRecipients): Promise<void> {
    const sources = this.#sourcesOf(known);
    this.#removeOthers(new Set(sources.map(({ path }) => path)), known);
    for (const recipient of known.recipients) this.#name(recipient);
    await this.#readNames(known);
    const stamps = await this.#ports.disk.stampEach(sources.map(({ path }) => path));
    const changed = sources.flatMap((source, n) => {
      const stamp = Array.from({ length: 4 }, (_, k) => stamps[4 * n + k] ?? 0).join(' ');
      return this.#files.get(source.path)?.stamp === stamp ? [] : [{ source, stamp, size: stamps[4 * n + 1] ?? 0 }];
    });
    let total = this.#bytes();
    for (let at = 0; at < changed.length; at += filesAtATime) {
      total = await this.#read(changed.slice(at, at + filesAtATime), total);
      await nextTurn();
    }
    this.#isComplete =
      this.#bytes() <= this.#bytesMax && [...this.#files.values()].every((file) => file.bytes <= fileBytesMax);
  }

  get #bytesMax(): number {
    return this.#ports.bytesMax ?? usualBytesMax;
  }

  #sourcesOf({ recipients, projects }: KnownRecipients): ContentSource[] {
    const { layout } = this.#ports;
    const groupOf = groupsOfProjects(recipients);
    const readmes = [...projects].map(([project, directory]) => readmeSource(groupOf(project), directory));
    return [...recipients.flatMap((recipient) => planSources(layout, recipient)), ...readmes];
  }

  #bytes(): number {
    return [...this.#files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** With the bytes of all files before; resolves with those after. */
  async #read(
    changed: readonly { source: ContentSource; stamp: string; size: number }[],
    before: number,
  ): Promise<number> {
    const contents = await this.#ports.disk.readEach(
      changed.map(({ source }) => source.path),
      fileBytesMax,
    );
    let total = before;
    for (const [n, { source, stamp, size }] of changed.entries()) {
      total += size - (this.#files.get(source.path)?.bytes ?? 0);
      const isRead = total <= this.#bytesMax && size <= fileBytesMax;
      const documents = isRead ? source.read(contents[n]?.toString('utf8') ?? '') : [];
      const ids = documents === undefined ? (this.#files.get(source.path)?.ids ?? []) : this.#put(source, documents);
      this.#files.set(source.path, { stamp, group: source.group, ids, bytes: size });
    }
    return total;
  }

  #put({ group, path }: Pick<ContentSource, 'group' | 'path'>, documents: readonly ContentDocument[]): string[] {
    for (const id of this.#files.get(path)?.ids ?? []) this.#texts.delete(id);
    this.#index.put(group, path, documents);
    for (const document of documents) this.#texts.set(document.id, document);
    return documents.map(({ id }) => id);
  }

  #name(recipient: Recipient): void {
    const document = recipientDocument(recipient);
    const known = `${document.title}\n${document.tags.join('\n')}`;
    if (this.#named.get(recipient.id) === known) return;
    this.#named.set(recipient.id, known);
    this.#index.put(recipient.id, '', [document]);
    this.#texts.set(document.id, document);
  }

  /** The names in the sources of a project; looked at once by each owner, since they say little that changes. */
  async #readNames({ recipients, projects }: KnownRecipients): Promise<void> {
    const groupOf = groupsOfProjects(recipients);
    for (const [project, directory] of projects) {
      if (this.#walked.has(project)) continue;
      this.#walked.add(project);
      const group = groupOf(project);
      const documents = await sourceNames(this.#ports.disk, directory, group);
      const path = `${directory}/`;
      const ids = this.#put({ group, path }, documents);
      this.#files.set(path, { stamp: '', group, ids, bytes: 0 });
    }
  }

  #removeOthers(paths: ReadonlySet<string>, { byId, projects }: KnownRecipients): void {
    const folders = new Set([...projects.values()].map((directory) => `${directory}/`));
    for (const project of this.#walked) if (!projects.has(project)) this.#walked.delete(project);
    for (const [path, { group, ids }] of this.#files) {
      if (paths.has(path) || folders.has(path)) continue;
      this.#index.put(group, path, []);
      for (const id of ids) this.#texts.delete(id);
      this.#files.delete(path);
    }
    for (const id of this.#named.keys()) {
      if (byId.has(id)) continue;
      this.#named.delete(id);
      this.#index.removeGroup(id);
      this.#texts.delete(`${id}\n`);
    }
  }
}

/** Whom the shared texts of a project speak for: its only plan, or all of its plans. Looks at each recipient once. */
function groupsOfProjects(recipients: KnownRecipients['recipients']): (project: string) => string {
  const onlyIds = new Map<string, string | undefined>();
  for (const { id } of recipients) {
    const project = projectOfRecipient(id);
    if (project !== undefined) onlyIds.set(project, onlyIds.has(project) ? undefined : id);
  }
  return (project) => onlyIds.get(project) ?? projectGroup(project);
}
