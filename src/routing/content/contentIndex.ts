import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { nextTurn } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { ReadingDisk } from '../../base/disk.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { compareText } from '../../base/text.ts';
import { GroupedIndex, type GroupWeights } from '../../knowledge/retrieval/groupedIndex.ts';
import { bestLine } from '../../knowledge/search/bestLine.ts';
import type { RavelEvent } from '../../model/event.ts';
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
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Whether events report what others change; if not, each look is at everything. */
  readonly isWatched: () => boolean;
  /** Bounds that a test lowers. */
  readonly bytesMax?: number;
}

/** A task of a plan, which as a message would be for that plan. */
export interface LabelledTask {
  readonly id: string;
  readonly plan: Recipient['id'];
  readonly text: string;
}

export interface ContentQuery {
  readonly within?: string | undefined;
  /** A text that is ranked without: it is the query itself. */
  readonly leftOut?: string;
  /** Recipients of which lines are quoted. */
  readonly quoted?: number;
  /** Other weights than the usual ones, to compare them. */
  readonly weights?: GroupWeights;
}

/** Of one file, and of all files together; what goes beyond it is not read, and then no lead decides. */
const fileBytesMax = 2 * 1024 * 1024;
const usualBytesMax = 32 * 1024 * 1024;
/** Recipients of which lines are quoted, and files that are read at a time. */
const quotedUsual = 5;
const filesAtATime = 16;

/** A change that no event reports, as in a README, counts after this time. */
const lookAgainMs = 15_000;

/** What plans share with others of their project tells less than what is their own. */
const sharedWeight = 0.3;

/**
 * What plans and experts are about, by their own texts. A look compares the stamps of files and reads those that changed:
 * the files of plans that something happened to since the last look, and all of them if the plans changed, after some
 * seconds, or if nothing is watched. The whole is made again from the files by the next owner. A file that cannot be read
 * as what it should be leaves what was known of it.
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
  /** Of the last look at everything. */
  #seen: { readonly known: KnownRecipients; readonly atMs: number } | undefined;
  /** Actors that something happened to since they were looked at. */
  readonly #touched = new Set<string>();
  #digest: string | undefined;

  constructor(ports: ContentPorts) {
    this.#ports = ports;
  }

  /** Whether everything was read; without that, a recipient can be behind only because it was not. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Of everything that scores depend on: the same texts of the same recipients have the same one. */
  get digest(): string {
    this.#digest ??= createHash('sha256').update(this.#index.contents().join('\n')).digest('base64url');
    return this.#digest;
  }

  /** What happens to a plan can be a change of its files, whatever else it is. */
  onEvent({ actor }: Pick<RavelEvent, 'actor'>): void {
    this.#touched.add(actor);
  }

  /** Makes it as the files are now, as far as it is known that they changed. */
  refresh(known: KnownRecipients): Promise<void> {
    return this.#queue.run(() => this.#refresh(known));
  }

  /** Runs work that needs the texts to stay as they are. */
  unchanged<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  /**
   * Tasks, at most `max`, evenly from all plans; those of a plan are the same ones while they stay. A memory is none of
   * them: it often speaks of what others do.
   */
  labelledTasks(max: number, within?: string): LabelledTask[] {
    const plans = new Map<string, LabelledTask[]>();
    for (const [id, { plan, request }] of this.#texts) {
      if (request === undefined || (within !== undefined && !liesIn(plan as Recipient['id'], within))) continue;
      const texts = plans.get(plan) ?? [];
      plans.set(plan, texts);
      texts.push({ id, plan: plan as Recipient['id'], text: request });
    }
    const inOrder = [...plans].sort(([a], [b]) => compareText(a, b)).map(([, texts]) => sampleOf(texts));
    const found: LabelledTask[] = [];
    for (let at = 0; found.length < max && inOrder.some((texts) => at < texts.length); at += 1) {
      for (const texts of inOrder) found.push(...texts.slice(at, at + 1));
    }
    return found.slice(0, max);
  }

  /** By the id of the recipient; those without a word of the message are left out. */
  score(
    text: string,
    { within, leftOut, weights, quoted: quotedMax = quotedUsual }: ContentQuery = {},
  ): ReadonlyMap<string, ContentScore> {
    const isAllowed = (group: string) =>
      within === undefined || (!isProjectGroup(group) && liesIn(group as Recipient['id'], within));
    const { scores, terms } = this.#index.rank(text, {
      isAllowed,
      ...(quotedMax === 0 && { documents: 0 }),
      ...defined({ leftOut, weights }),
    });
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
    const { clock, isWatched } = this.#ports;
    const nowMs = clock.monotonicMs();
    const seen = this.#seen;
    const touched = [...this.#touched].flatMap((actor) => known.byId.get(actor) ?? []);
    this.#touched.clear();
    // Should this look fail, the next one is at everything.
    this.#seen = undefined;
    if (isWatched() && seen?.known === known && nowMs - seen.atMs < lookAgainMs) {
      await this.#readChanged(touched.flatMap((recipient) => planSources(this.#ports.layout, recipient)));
      this.#seen = seen;
    } else {
      await this.#readAll(known);
      this.#seen = { known, atMs: nowMs };
    }
  }

  async #readAll(known: KnownRecipients): Promise<void> {
    const sources = this.#sourcesOf(known);
    this.#removeOthers(new Set(sources.map(({ path }) => path)), known);
    for (const recipient of known.recipients) this.#name(recipient);
    await this.#readNames(known);
    await this.#readChanged(sources);
  }

  async #readChanged(sources: readonly ContentSource[]): Promise<void> {
    if (sources.length === 0) return;
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
    this.#isComplete = total <= this.#bytesMax && [...this.#files.values()].every(({ bytes }) => bytes <= fileBytesMax);
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
    this.#digest = undefined;
    for (const id of this.#files.get(path)?.ids ?? []) this.#texts.delete(id);
    this.#index.put(group, path, documents);
    for (const document of documents) this.#texts.set(document.id, document);
    return documents.map(({ id }) => id);
  }

  #name(recipient: Recipient): void {
    const document = recipientDocument(recipient);
    const known = `${document.title}\n${document.tags.join('\n')}`;
    if (this.#named.get(recipient.id) === known) return;
    this.#digest = undefined;
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
      this.#digest = undefined;
      this.#index.put(group, path, []);
      for (const id of ids) this.#texts.delete(id);
      this.#files.delete(path);
    }
    for (const id of this.#named.keys()) {
      if (byId.has(id)) continue;
      this.#digest = undefined;
      this.#named.delete(id);
      this.#index.removeGroup(id);
      this.#texts.delete(`${id}\n`);
    }
  }
}

/** In an order that depends on no other text, so that an edit changes little of which ones are taken. */
function sampleOf(texts: readonly LabelledTask[]): LabelledTask[] {
  return texts
    .map((text) => ({ text, order: crc32(text.id) }))
    .sort((a, b) => a.order - b.order || compareText(a.text.id, b.text.id))
    .map(({ text }) => text);
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
