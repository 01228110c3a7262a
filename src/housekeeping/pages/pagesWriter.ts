import { defined } from '../../base/defined.ts';
import { ifThere, listIfThere } from '../../base/diskErrors.ts';
import { messageOf } from '../../base/errors.ts';
import { ensureDirectory, exists } from '../../base/files.ts';
import { Gathering } from '../../base/gathering.ts';
import type { Decision } from '../../model/approval.ts';
import type { RavelEvent } from '../../model/event.ts';
import type { Cycle } from '../../model/history.ts';
import { type QualifiedId, segmentFromId, type Ulid } from '../../model/id.ts';
import type { RouteRow } from '../../model/requests/routing.ts';
import { decisionFolder } from '../../plans/approvals/decisions.ts';
import type { PhaseHistory } from '../../plans/phases/phaseHistory.ts';
import type { Spending } from '../../plans/phases/spending.ts';
import type { PlanDirectory } from '../../plans/planDirectory.ts';
import { emitFor, type PlanServices } from '../../plans/services.ts';
import { saveView } from '../../vault/views.ts';
import { formatPage, pageRowsMax, type RecordsPage } from './page.ts';
import { cyclesPage, decisionsPage, routingPage, spendingPage, textsMax } from './pages.ts';

export interface PagesParts {
  readonly services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit' | 'log'>;
  readonly directory: Pick<PlanDirectory, 'all'>;
  readonly history: Pick<PhaseHistory, 'page'>;
  readonly spending: Pick<Spending, 'byDay'>;
  /** Decisions about messages, the newest first, and the one about a message with its whole text. */
  readonly routes: {
    readonly find: (message: Ulid) => Promise<{ readonly body: string } | undefined>;
    readonly page: (limit: number) => Promise<{ readonly routes: readonly RouteRow[]; readonly next?: Ulid }>;
  };
}

type PageName = RecordsPage['name'];

/** Events come in groups, and a page is read by people. */
const delayMs = 2000;
const daysShown = 30;
/** Plans whose newest cycles are shown, and how many of each. */
const plansShown = 50;
const cyclesOfPlan = 10;

/** Which page an event changes. */
const pageOf: Partial<Record<RavelEvent['type'], readonly PageName[]>> = {
  'approval.decided': ['decisions'],
  'message.routed': ['routing'],
  'message.handled': ['routing'],
  'phase.ended': ['cycles', 'routing'],
  'session.ended': ['spending'],
};

/**
 * Keeps the pages for people who read in Obsidian: what was decided, how messages found their receivers, cycles and
 * spending. Each shows the newest of its records and counts the rest, is written if it differs, and is made again from
 * the records at every begin; a page that a person edited is left alone. Nothing reads a page back.
 */
export class PagesWriter {
  readonly #parts: PagesParts;
  readonly #waiting: Gathering<PageName>;
  /** Decisions never change. */
  readonly #decisions = new Map<Ulid, Decision>();
  readonly #edited = new Set<PageName>();

  constructor(parts: PagesParts) {
    const { clock, log } = parts.services;
    this.#parts = parts;
    this.#waiting = new Gathering<PageName>({
      ...{ clock, delayMs },
      work: (names) => this.#renew(names),
      onError: (error) => log.warn('pages for readers are not up to date', { error: messageOf(error) }),
    });
  }

  /** Makes every page again: an earlier owner may have died before it did. */
  begin(): void {
    for (const name of Object.keys(pages) as PageName[]) this.#waiting.add(name);
  }

  take({ type }: RavelEvent): void {
    for (const name of pageOf[type] ?? []) this.#waiting.add(name);
  }

  /** Resolves once the pages say what the records say. */
  settled(): Promise<void> {
    return this.#waiting.settled();
  }

  stop(): Promise<void> {
    return this.#waiting.stop();
  }

  async #renew(names: ReadonlySet<PageName>): Promise<void> {
    for (const name of names) {
      try {
        await this.#save(await pages[name](this.#parts, this.#decisions));
      } catch (error) {
        this.#parts.services.log.warn('a page for readers is not up to date', { page: name, error: messageOf(error) });
      }
    }
  }

  async #save(page: RecordsPage): Promise<void> {
    const { disk, layout } = this.#parts.services;
    const file = layout.page(page.name);
    // A vault in which nothing happened yet has no pages.
    if (page.rows.length === 0 && !(await exists(disk, file))) return;
    await ensureDirectory(disk, layout.pages);
    const names = { name: `${page.name}.md`, source: page.source, subject: 'vault' };
    const outcome = await saveView(disk, file, formatPage(page), names);
    if (typeof outcome === 'string') this.#edited.delete(page.name);
    else if (!this.#edited.has(page.name)) {
      this.#edited.add(page.name);
      emitFor(this.#parts.services, 'vault', { type: 'diagnostic', diagnostic: outcome });
    }
  }
}

const pages: Readonly<Record<PageName, (parts: PagesParts, known: Map<Ulid, Decision>) => Promise<RecordsPage>>> = {
  async decisions({ services }, known) {
    const folder = decisionFolder(services);
    // Ids are in the order in which the questions were asked, which is close enough to that of their decisions.
    const ids = [...(await folder.list())].sort().reverse();
    const newest = ids.slice(0, pageRowsMax);
    for (const id of known.keys()) if (!newest.includes(id)) known.delete(id);
    for (const id of newest) {
      const decision = known.get(id) ?? (await folder.loadUndamaged(id));
      if (decision !== undefined) known.set(id, decision);
    }
    const decisions = newest.flatMap((id) => known.get(id) ?? []);
    return decisionsPage(decisions, decisions.length + ids.length - newest.length);
  },
  async routing({ routes }) {
    const { routes: rows, next } = await routes.page(pageRowsMax);
    const bodies = await Promise.all(
      rows.slice(0, textsMax).map(async ({ message }) => (await routes.find(message))?.body),
    );
    const whole = rows.map((row, index) => ({ ...row, ...defined({ body: bodies[index] }) }));
    return routingPage(whole, next !== undefined);
  },
  async cycles(parts) {
    const plans = await lastRun(parts);
    const found: { readonly plan: QualifiedId; readonly cycle: Cycle }[] = [];
    for (const plan of plans.slice(0, plansShown)) {
      const { cycles } = await parts.history.page(plan, { limit: cyclesOfPlan, before: Number.MAX_SAFE_INTEGER });
      found.push(...cycles.map((cycle) => ({ plan, cycle })));
    }
    return cyclesPage(found, plans.length - plansShown);
  },
  async spending({ spending }) {
    return spendingPage(await spending.byDay(daysShown));
  },
};

/** Plans that have a history, the one that ran last first. */
async function lastRun({ services, directory }: PagesParts): Promise<readonly QualifiedId[]> {
  const { disk, layout } = services;
  const files = new Set((await listIfThere(disk, layout.histories)).map(({ name }) => name));
  if (files.size === 0) return [];
  const timed: { readonly plan: QualifiedId; readonly at: number }[] = [];
  for (const { id } of (await directory.all()).plans) {
    if (!files.has(`${segmentFromId(id)}.jsonl`)) continue;
    const path = layout.history(id);
    const stat = await ifThere(path, () => disk.stat(path));
    if (stat !== undefined) timed.push({ plan: id, at: stat.mtimeMs });
  }
  return timed.sort((a, b) => b.at - a.at).map(({ plan }) => plan);
}
