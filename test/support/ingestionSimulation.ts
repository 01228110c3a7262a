import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { Disk } from '../../src/base/disk.ts';
import { listIfThere } from '../../src/base/diskErrors.ts';
import { ensureDirectory, writeAtomic } from '../../src/base/files.ts';
import { silentLogger } from '../../src/base/log.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { ExpertRegistry } from '../../src/experts/expertRegistry.ts';
import { Ingester } from '../../src/experts/ingestion/ingester.ts';
import { ingestionFolder } from '../../src/experts/ingestion/ingestions.ts';
import type { Consult } from '../../src/harness/consultation.ts';
import { KnowledgeBase } from '../../src/knowledge/entries/knowledgeBase.ts';
import { type QualifiedId, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { planFiles } from '../../src/model/plan.ts';
import type { SearchHit } from '../../src/model/requests/search.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { EntryCatalog } from '../../src/vault/entryCatalog.ts';
import { entryPathInVault } from '../../src/vault/entryFile.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import type { PlanLocation } from '../../src/vault/walk.ts';
import { declaration } from './expertDeclaration.ts';
import { Life } from './life.ts';
import { ManualClock } from './manualClock.ts';
import { MemoryDisk } from './memoryDisk.ts';
import type { Random } from './seededRandom.ts';
import { storedSecretsOf } from './storedSecrets.ts';
import { diskChanges } from './tracingDisk.ts';

export interface Taught {
  readonly title: string;
  readonly body: string;
  readonly isProven: boolean;
}

const changesOfDisk: ReadonlySet<string> = diskChanges;

/** Experts by their tags; a statement about none of them concerns nobody. */
const experts = { rust: ['rust'], testing: ['testing'], storage: ['storage'] } as const;

/**
 * A vault in memory whose plans teach, and owners that die at any change of the disk. What experts decide is drawn; all else
 * is the code of the product.
 */
export class IngestionSimulation {
  readonly layout = new VaultLayout('/v');
  disk = new MemoryDisk();
  readonly plans: readonly PlanLocation[];
  readonly #clock = new ManualClock();
  readonly #newUlid = createUlids(this.#clock) as () => Ulid;
  readonly #random: Random;
  #cycles = 0;

  constructor(random: Random, projects: readonly string[] = ['one', 'two', 'three']) {
    this.#random = random;
    this.plans = projects.map((project) => ({
      id: toQualifiedId(`${project}/project-root`),
      directory: join(this.layout.root, 'projects', project, 'project-root'),
      project,
      projectDirectory: `/work/${project}`,
      ravelDirectory: `/work/${project}/ravel`,
    }));
  }

  async begin(): Promise<void> {
    for (const [id, tags] of Object.entries(experts)) {
      const text = declaration({ tags: [...tags], 'knowledge-scope': [`techniques/${id}`] }, id);
      await this.#write(this.disk, join(this.layout.experts, `${id}.md`), text);
    }
  }

  /** What a reflection left: its memory, and the record of the analysis that it rests on. */
  async teach(plan: QualifiedId, taught: readonly Taught[]): Promise<void> {
    this.#cycles += 1;
    const analysed = this.#newUlid();
    const reflected = this.#newUlid();
    const record = {
      ...{
        id: `cycle-${this.#cycles}`,
        timestamp: '2026-01-02T03:04:05Z',
        phase: 'work',
        session: analysed,
        body: 'b',
      },
      claims: taught.map(({ title, isProven }, at) => ({
        ...{ id: `c${at + 1}`, text: title, evidence: [{ file: 'a' }] },
        verdict: isProven ? 'evidenced' : 'unsupported',
      })),
    };
    const entries = taught.map(({ title, body }, at) => ({
      ...{ id: `m${this.#cycles}-${at}`, title, body, 'source-session': reflected, claims: [`c${at + 1}`] },
    }));
    const folder = this.layout.plan(plan);
    await this.#write(this.disk, join(folder, planFiles.latestSession), stringify(record));
    await this.#write(this.disk, join(folder, planFiles.memory), stringify({ entries }));
  }

  /** One owner, from its start until it is done or dies before its n-th change of the disk. Returns whether it died. */
  async own(plan: QualifiedId, diesBefore?: number): Promise<boolean> {
    let changes = 0;
    const life = new Life({
      beforeOperation: (name) => {
        if (!changesOfDisk.has(name)) return;
        changes += 1;
        if (changes === diesBefore) life.end();
      },
    });
    const died = new Promise<boolean>((dead) => life.onEnd(() => dead(true)));
    const lived = this.#live(life, plan).then(() => false);
    const hasDied = await Promise.race([died, lived]);
    if (hasDied) await life.quiet();
    return hasDied;
  }

  async #live(life: Life, plan: QualifiedId): Promise<void> {
    const ingester = this.#ingesterOf(life.disk(this.disk), life);
    await ingester.resume();
    await ingester.ingest(plan);
    await this.#decideSome(ingester);
  }

  /** A person decides some of what waits, and the same question again, as after a crash. */
  async #decideSome(ingester: Ingester): Promise<void> {
    for (const { id, candidates } of (await ingester.all()).records) {
      for (const [at, { state }] of candidates.entries()) {
        if (state !== 'waiting' || this.#random(2) === 0) continue;
        const answer = { isAccepted: this.#random(2) === 0, reason: 'By chance.' };
        await ingester.decide({ ingestion: id, at }, answer);
        await ingester.decide({ ingestion: id, at }, answer);
      }
    }
  }

  /** What the medium has once the power is back; the seed says what of the rest is lost. */
  cutPower(seed: number): void {
    this.disk = this.disk.afterPowerCut(seed);
  }

  /** The records of all cycles, and the entries as they are now. */
  async look() {
    const { disk, layout } = this;
    const { records, diagnostics } = await ingestionFolder({ disk, layout }).loadAll();
    const { heads } = await this.#knowledgeOn(disk).survey();
    return { records, diagnostics, heads };
  }

  #ingesterOf(disk: Disk, life: Life): Ingester {
    const { layout } = this;
    const clock = this.#clock;
    const knowledge = this.#knowledgeOn(disk);
    return new Ingester({
      ports: {
        ...{ disk, layout, clock, log: silentLogger, newUlid: this.#newUlid, settings: defaultSettings },
        ...{ emit: () => undefined, endOrphan: async () => undefined, consult: this.#consultIn(life) },
        storedSecrets: storedSecretsOf(),
      },
      knowledge: async () => {
        await knowledge.finish();
        return knowledge;
      },
      registry: new ExpertRegistry({ disk, layout }),
      uses: { record: async () => undefined },
      receipts: { givenTo: async () => [] },
      search: { search: async () => ({ hits: await this.#allNotes(disk) }) as never },
      find: async (plan) => {
        const found = this.plans.find(({ id }) => id === plan);
        if (found === undefined) throw new Error(`no plan ${plan}`);
        return found;
      },
      ask: async ({ id }) => id,
      shownTo: async () => ({ texts: [], entries: [] }),
    });
  }

  #knowledgeOn(disk: Disk): KnowledgeBase {
    const { layout } = this;
    const clock = this.#clock;
    return new KnowledgeBase({
      ...{ disk, layout, clock, newUlid: this.#newUlid, catalog: new EntryCatalog({ disk, layout, clock }) },
      ...{ plans: async () => this.plans, allowedSecrets: () => [], commit: async () => undefined },
      storedSecrets: storedSecretsOf(),
      onChanged: () => undefined,
    });
  }

  /** A session of an expert: it decides by chance, ends without a decision, or never comes back since its owner died. */
  #consultIn(life: Life): Consult {
    return async ({ session, tools }) => {
      const word = (['absorb', 'absorb', 'link', 'reject', 'none'] as const)[this.#random(5)] ?? 'none';
      const tool = tools.find(({ name }) => name === word);
      const { signal } = new AbortController();
      const reason = 'It was decided by chance.';
      if (word !== 'link') await tool?.call({ reason }, signal);
      else {
        // The first of all entries that it was given; without one it decides nothing.
        for (const { fields } of (await this.#knowledgeOn(this.disk).survey()).heads) {
          const answer = await tool?.call({ reason, entry: fields.id ?? '' }, signal);
          if (answer?.isError === false) break;
        }
      }
      if (life.isOver) await new Promise(() => undefined);
      return { session, end: 'exited', durationMs: 1, output: '' };
    };
  }

  async #allNotes(disk: Disk): Promise<readonly Pick<SearchHit, 'file' | 'id'>[]> {
    const found: Pick<SearchHit, 'file' | 'id'>[] = [];
    const pending = [this.layout.knowledge];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      for (const { name, kind } of await listIfThere(disk, folder)) {
        const path = join(folder, name);
        if (kind === 'directory') pending.push(path);
        else if (name.endsWith('.md')) found.push({ file: path, id: path });
      }
    }
    return found;
  }

  async #write(disk: Disk, file: string, text: string): Promise<void> {
    await ensureDirectory(disk, dirname(file));
    await writeAtomic(disk, file, text);
  }
}

export interface Exactness {
  readonly proven: number;
  /** Statements that have not exactly one candidate, or whose effect does not stand there exactly once. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Statements that nothing proved. */
  readonly foreign: readonly string[];
  /** How many statements ended in each way. */
  readonly ends: ReadonlyMap<string, number>;
}

/** Holds what became of each statement against what was taught. */
export async function exactnessOf(
  simulation: IngestionSimulation,
  proven: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Exactness> {
  const { records, heads } = await simulation.look();
  const lost: string[] = [];
  const doubled: string[] = [];
  const foreign: string[] = [];
  const ends = new Map<string, number>();
  for (const [plan, titles] of proven) {
    for (const title of titles) {
      const taken = records
        .filter((record) => record.plan === plan)
        .flatMap(({ id, candidates }) => candidates.map((one, at) => ({ ...one, id: `${id}-${at + 1}` })))
        .filter((one) => one.title === title);
      const [candidate] = taken;
      const name = `${plan}: ${title}`;
      if (candidate === undefined || candidate.state === 'new' || candidate.state === 'offered') lost.push(name);
      if (taken.length > 1) doubled.push(name);
      if (candidate === undefined) continue;
      ends.set(candidate.state, (ends.get(candidate.state) ?? 0) + 1);
      const made = heads.filter(({ fields }) => fields['ingestion-event-id'] === candidate.id).length;
      const noted = heads.flatMap(({ fields }) =>
        fields.origins.filter(({ context }) => context?.endsWith(`(${candidate.id})`)),
      ).length;
      if (noted > 1 || made > 1) doubled.push(name);
      if (candidate.state === 'added' && (made !== 1 || noted !== 1)) lost.push(name);
      // A plan is one origin of an entry, however many of its statements say the same.
      const entry = heads.find((head) => entryPathInVault(head) === candidate.became);
      const ofPlan = entry?.fields.origins.filter(({ context }) => context?.startsWith(`Proven by ${plan}:`)).length;
      if (candidate.state === 'confirmed' && (made !== 0 || ofPlan !== 1)) lost.push(name);
    }
  }
  for (const { plan, candidates } of records) {
    for (const { title } of candidates) if (proven.get(plan)?.has(title) !== true) foreign.push(`${plan}: ${title}`);
  }
  const count = [...proven.values()].reduce((sum, titles) => sum + titles.size, 0);
  return { proven: count, lost, doubled, foreign, ends };
}
