import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { ReadingDisk } from '../../src/base/disk.ts';
import { sha256 } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { expertPrompt } from '../../src/experts/expertPrompt.ts';
import { scopesOf } from '../../src/experts/expertScope.ts';
import { situationNow } from '../../src/experts/expertSituation.ts';
import { PromptHashes } from '../../src/experts/promptHashes.ts';
import { receiptKey } from '../../src/experts/receiptKey.ts';
import { retrieveEntries } from '../../src/experts/retrieveEntries.ts';
import { search } from '../../src/knowledge/retrieval/search.ts';
import { SearchIndex } from '../../src/knowledge/retrieval/searchIndex.ts';
import { entriesOf } from '../../src/knowledge/search/entries.ts';
import { documentOf, placeOfEntry } from '../../src/knowledge/search/entryDocument.ts';
import { inKnowledgeScopes } from '../../src/knowledge/search/knowledgeScope.ts';
import { noteSource } from '../../src/knowledge/search/searchSource.ts';
import { type SearchRequest, VaultSearcher } from '../../src/knowledge/search/vaultSearcher.ts';
import { type Expert, expertSchema } from '../../src/model/expert.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { formatPromptText } from '../../src/model/promptText.ts';
import type { SearchHit } from '../../src/model/requests/search.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { sessionAnswerText } from '../../src/plans/messages/answerWatch.ts';
import { type DeclaredExpert, loadExperts } from '../../src/vault/expertStore.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { createRandom, type Random } from '../support/seededRandom.ts';
import { type Bench, type BenchRow, round, sized } from './bench.ts';
import { type AskedQuestion, readQuestions } from './expertQuestions.ts';

const root = process.cwd();
const goals = { bytes: 20, right: 0.95 };

/** A vault with the shipped experts and their entries. */
async function withLibrary<T>(work: (library: Library) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    for (const part of ['experts', 'knowledge'])
      await cp(join(root, 'shipped', part), join(folder, part), { recursive: true });
    await mkdir(join(folder, 'projects'));
    const layout = new VaultLayout(folder);
    const ports = { disk: nodeDisk, layout, clock: systemClock };
    const searcher = new VaultSearcher({
      ...{ ...ports, saving: nodeDisk, version: '0' },
      onProblem: ({ message }) => {
        throw new Error(message);
      },
    });
    const { experts } = await loadExperts(nodeDisk, layout);
    const search: Library['search'] = {
      search: async (request) => ({ ...(await searcher.search(request)), diagnostics: [] }),
    };
    try {
      return await work({ ...ports, search, experts });
    } finally {
      await searcher.stop();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Library {
  readonly disk: typeof nodeDisk;
  readonly layout: VaultLayout;
  readonly search: Parameters<typeof retrieveEntries>[0]['search'];
  readonly experts: readonly DeclaredExpert[];
}

const never = new AbortController().signal;

async function givenFor({ experts, ...ports }: Library, { expert, question }: AskedQuestion) {
  const declared = experts.find(({ actor }) => actor === `expert:${expert}`);
  if (declared === undefined) throw new Error(`there is no expert ${expert}`);
  return retrieveEntries(ports, declared.expert, question, never);
}

/** How often the session of an expert is given the entry that holds the answer. */
async function runRight(): Promise<BenchRow> {
  const questions = (await readQuestions()).filter(({ entries }) => entries.length > 0);
  return withLibrary(async (library) => {
    const missed: string[] = [];
    const asked = sized(questions, questions.slice(0, 8));
    let bytes = 0;
    for (const one of asked) {
      const { entries } = await givenFor(library, one);
      bytes += entries.reduce((sum, entry) => sum + entry.bytes, 0);
      if (!entries.some(({ id }) => one.entries.includes(id))) missed.push(one.id);
    }
    const right = 1 - missed.length / asked.length;
    return {
      id: 'expert-right',
      value: round(right, 3),
      unit: 'of the questions have their entry among those that are given',
      goal: `≥ ${goals.right}`,
      ok: right >= goals.right,
      limit: 1,
      note: `${asked.length} questions to six experts; ${Math.round(bytes / asked.length)} bytes of entries each; missed: ${missed.join(', ') || 'none'}`,
    };
  });
}

/** An answer as long as people write them, with the words of the entry that holds it. */
function typicalAnswer(text: string): string {
  return text.split(/\n\s*\n/).find((paragraph) => paragraph.length > 80) ?? text;
}

/** Bytes of the answer as the asking session gets it, beside all entries of the expert's scope. */
async function runBytes(): Promise<BenchRow> {
  const questions = (await readQuestions()).filter(({ entries }) => entries.length > 0);
  return withLibrary(async (library) => {
    const shares: number[] = [];
    let answered = 0;
    let loaded = 0;
    for (const asked of sized(questions, questions.slice(0, 4))) {
      const { entries } = await givenFor(library, asked);
      const entry = entries.find(({ id }) => asked.entries.includes(id)) ?? entries[0];
      if (entry === undefined) continue;
      const by = toQualifiedId(`expert:${asked.expert}`);
      const about = { query: '01M00000000000000000000000', question: '', from: 'person', at: '' } as const;
      const text = typicalAnswer(entry.text);
      const answer = { ...about, by, state: 'answered', text, citations: [`${entry.title} (${entry.path})`] } as const;
      const given = Buffer.byteLength(sessionAnswerText(answer as never));
      const whole = await scopeBytes(library, asked.expert);
      shares.push(given / whole);
      answered += given;
      loaded += whole;
    }
    const most = Math.max(...shares);
    return {
      id: 'expert-bytes',
      value: round(loaded / answered, 1),
      unit: 'times fewer bytes than the whole scope',
      goal: `≥ ${goals.bytes}, for each question`,
      ok: most <= 1 / goals.bytes,
      note: `${shares.length} questions; ${Math.round(answered / shares.length)} bytes an answer, ${Math.round(loaded / shares.length)} bytes a scope; at worst 1/${Math.floor(1 / most)}`,
    };
  });
}

async function scopeBytes({ layout, experts }: Library, id: string): Promise<number> {
  const declared = experts.find(({ actor }) => actor === `expert:${id}`);
  const isInScope = inKnowledgeScopes(declared === undefined ? [] : scopesOf(declared.expert));
  let bytes = 0;
  for (const path of await readdir(layout.knowledge, { recursive: true })) {
    const source = noteSource(layout, '', path);
    if (path.endsWith('.md') && isInScope(`${source.key}\n${path}`)) bytes += (await readFile(source.file)).length;
  }
  return bytes;
}

const entriesAtStart = 40;
const questionsAsked = 20;
const topics = 8;
const wordsOfTopic = 20;

/** A vault in memory whose entries, and all else that decides an answer, are edited at random. */
class EditedVault {
  readonly #bytes = new Map<string, Buffer>();
  readonly #disk = diskOf(this.#bytes);
  readonly #layout = new VaultLayout('/vault');
  readonly #index = new SearchIndex();
  readonly #files = new Map<string, string>();
  /** Texts that entries had: some come back. */
  readonly #before: string[] = [];
  readonly #random: Random;
  readonly #prompts = new PromptHashes({ disk: this.#disk, promptsDirectory: '/prompts' });
  readonly #isInScope = inKnowledgeScopes([{ project: '', glob: 'languages' }]);
  expert: Expert;
  template = '';

  constructor(random: Random) {
    this.#random = random;
    this.expert = expertSchema.parse({
      ...{ 'actor-type': 'expert', 'expert-id': 'made', description: 'Knows', persona: 'You are one.' },
      'knowledge-scope': ['languages'],
    });
  }

  begin(): void {
    this.#writePrompts('template');
    for (let n = 0; n < entriesAtStart; n += 1) this.#put(this.#newPath(), this.#newText());
  }

  question(): string {
    const random = createRandom(this.#random(questionsAsked));
    const topic = random(topics);
    return Array.from({ length: 4 }, () => wordOf(topic, random)).join(' ');
  }

  /** One edit; most are of entries. */
  edit(): void {
    const path = this.#anyPath();
    const text = this.#files.get(path) ?? '';
    const add = () => this.#put(this.#newPath(), this.#newText());
    const remove = () => this.#remove(path);
    const restore = () => this.#put(path, this.#before[this.#random(this.#before.length)] ?? this.#newText());
    const changeWord = (_: string, topic: string) => wordOf(Number(topic), this.#random);
    const edits: readonly (() => void)[] = [
      () => Object.assign(this, { expert: { ...this.expert, persona: `You are ${this.#random(3)}.` } }),
      () => Object.assign(this, { expert: { ...this.expert, model: `model-${this.#random(2)}` } }),
      () => this.#writePrompts(`template ${this.#random(2)}`),
      ...[add, add, remove, remove, restore, restore],
      () => {
        this.#remove(path);
        this.#put(this.#newPath(), text);
      },
      () => this.#put(path, text.replace(/tags: .*/, `tags: [tag${this.#random(9)}]`)),
      () => this.#put(path, `${text} `),
    ];
    const editWord = () => this.#put(path, text.replace(/topic(\d+)word\d+/, changeWord));
    // Half of all change a word.
    (edits[this.#random(2 * edits.length)] ?? editWord)();
  }

  /** The key of a question now, and all that its session would be given and be. */
  async ask(question: string): Promise<{ readonly key: string; readonly given: string } | undefined> {
    const asked = { actor: toQualifiedId('expert:made'), expert: this.expert, question, dialogue: [] };
    const ports = {
      ...{ disk: this.#disk, layout: this.#layout, prompts: this.#prompts, settings: defaultSettings },
      search: { search: async (order: SearchRequest) => this.#search(order) },
    };
    const { entries, situation } = await situationNow(ports, asked, never);
    if (entries.length === 0) return undefined;
    const prompt = expertPrompt(this.expert, { entries, dialogue: [], questionsLeft: 3, question });
    const values = Object.values(prompt.values).map(formatPromptText);
    return { key: receiptKey(situation), given: sha256(JSON.stringify([values, this.template, this.expert.model])) };
  }

  #search({ query, limit }: SearchRequest) {
    const { hits } = search(this.#index, query, { limit, includes: this.#isInScope });
    const found = hits.map(({ id, score, bytes }): SearchHit => {
      const name = placeOfEntry(id).entry;
      const { file } = noteSource(this.#layout, '', name);
      return { in: 'knowledge', id: name, title: '', line: '', score, file, tags: [], bytes, parts: [] };
    });
    return { hits: found, skipped: 0, entries: 0, isUpdating: false, diagnostics: [] };
  }

  #writePrompts(template: string): void {
    this.template = template;
    this.#bytes.set('/prompts/expert.md', Buffer.from(template));
    this.#bytes.set('/prompts/consultation.md', Buffer.from('the same'));
  }

  #put(path: string, text: string): void {
    const source = noteSource(this.#layout, '', path);
    this.#before.push(text);
    if (this.#before.length > 200) this.#before.shift();
    this.#files.set(path, text);
    this.#bytes.set(source.file, Buffer.from(text));
    for (const entry of entriesOf(source, text) ?? []) this.#index.put(documentOf(source, entry));
  }

  #remove(path: string): void {
    const source = noteSource(this.#layout, '', path);
    this.#files.delete(path);
    this.#bytes.delete(source.file);
    this.#index.remove(`${source.key}\n${path}`);
  }

  #anyPath(): string {
    return [...this.#files.keys()][this.#random(this.#files.size)] ?? '';
  }

  /** One in four is outside of the scope. */
  #newPath(): string {
    const folder = this.#random(4) === 0 ? 'domains' : 'languages';
    return `${folder}/entry-${this.#random(1_000_000)}.md`;
  }

  #newText(): string {
    const topic = this.#random(topics);
    const words = Array.from({ length: 30 }, () => wordOf(topic, this.#random)).join(' ');
    return `---\ntitle: Entry ${this.#random(1000)}\ntags: [tag${this.#random(9)}]\n---\n${words}\n`;
  }
}

function wordOf(topic: number, random: Random): string {
  return `topic${topic}word${random(wordsOfTopic)}`;
}

function diskOf(files: ReadonlyMap<string, Buffer>): ReadingDisk {
  const readFile: ReadingDisk['readFile'] = async (path) => {
    const bytes = files.get(path);
    if (bytes === undefined) throw Object.assign(new Error(`${path} is not there`), { code: 'ENOENT' });
    return bytes;
  };
  return { ...nodeDisk, readFile };
}

/** How often a receipt answers although the session would have been given something else. */
async function runCache(): Promise<BenchRow> {
  const edits = sized(100_000, 500);
  const vault = new EditedVault(createRandom(7));
  vault.begin();
  const receipts = new Map<string, string>();
  let [asked, hits, wrong] = [0, 0, 0];
  for (let n = 0; n < edits; n += 1) {
    vault.edit();
    const now = await vault.ask(vault.question());
    if (now === undefined) continue;
    asked += 1;
    const known = receipts.get(now.key);
    if (known === undefined) receipts.set(now.key, now.given);
    else if (known === now.given) hits += 1;
    else wrong += 1;
  }
  return {
    id: 'answer-cache',
    value: wrong,
    unit: 'answers given again although something had changed',
    goal: '0',
    ok: wrong === 0,
    limit: 0,
    note: `${asked} questions, an edit before each; ${round((100 * hits) / asked, 1)} % answered from a receipt`,
  };
}

export const benches: readonly Bench[] = [
  { id: 'expert-right', run: runRight },
  { id: 'expert-bytes', run: runBytes },
  { id: 'answer-cache', run: runCache },
];
