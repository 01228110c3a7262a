import type { Clock } from '../../base/clock.ts';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { type NotifySettings, questionKey } from '../../model/notification.ts';
import { gatherMs, NewsQueue } from '../../notifications/newsQueue.ts';
import type { Notice } from '../nextSteps.ts';
import type { Observable } from '../observable.ts';
import type { VaultLink } from '../vaultLink.ts';
import { type NewsSetting, noticesOf, settingOf, type WindowNotice, windowNoticeOf } from './newsText.ts';

export interface WindowNewsParts {
  readonly link: Observable<VaultLink | undefined>;
  readonly clock: Clock;
  readonly isFocused: () => boolean;
  /** Whether a person wants to hear of it in this window. */
  readonly isWanted: (setting: NewsSetting) => boolean;
  /** Whether a visible page shows it. */
  readonly isVisible: (news: WindowNotice) => boolean;
  readonly quietHours: () => Promise<NotifySettings['quiet-hours']>;
  readonly show: (notice: Notice) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Tells the person in this window what happens in its vault. The owner gives each thing out once, to the first window that
 * asks for it, so no two windows show it and none does again; a window with the focus asks first. What the person has
 * before them is not shown, but taken, so that no other window shows it.
 */
export class WindowNews implements Disposable {
  readonly #parts: WindowNewsParts;
  readonly #subscription: Disposable;
  #link: VaultLink | undefined;
  #queue: NewsQueue<WindowNotice> | undefined;
  #linkSubscription: Disposable | undefined;
  /** Reads what was asked before. */
  #adding: Promise<void> = Promise.resolve();

  constructor(parts: WindowNewsParts) {
    this.#parts = parts;
    this.#subscription = parts.link.onDidChange((link) => this.#follow(link));
    this.#follow(parts.link.value);
  }

  /**
   * What a plan's run in this window led to is told in another way, with its question if it has one: it is not told again.
   * Resolves with whether the question was not told before.
   */
  async tellOtherwise(plan: string, approval?: string): Promise<boolean> {
    const [queue, link] = [this.#queue, this.#link];
    if (queue === undefined || link === undefined) return true;
    const isOver = (news: WindowNotice) =>
      news.kind === 'question' ? news.id === approval : news.plan === plan && news.kind !== 'budget';
    const known = queue.waiting.held.filter(isOver).map(({ key }) => key);
    queue.remove(isOver);
    const key = approval === undefined ? undefined : questionKey(approval);
    const keys = [...new Set(key === undefined ? known : [...known, key])];
    if (keys.length === 0) return true;
    const free = await claim(link, keys).catch((error: unknown) => {
      this.#parts.onError(error);
      return keys;
    });
    return key === undefined || free.includes(key);
  }

  /** Resolves once what was begun is told. */
  async settled(): Promise<void> {
    await this.#adding;
    await this.#queue?.settled();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#follow(undefined);
  }

  #follow(link: VaultLink | undefined): void {
    this.#linkSubscription?.dispose();
    this.#queue?.stop();
    this.#link = link;
    this.#queue = undefined;
    this.#linkSubscription = undefined;
    if (link === undefined) return;
    const { clock, isFocused, isWanted, quietHours, onError } = this.#parts;
    const queue = new NewsQueue<WindowNotice>({
      ...{ clock, quietHours, onError },
      newsOf: windowNoticeOf,
      isNew: (news) => isWanted(settingOf(news)),
      // A person sees the window with the focus first.
      gatherMs: () => (isFocused() ? gatherMs : 2 * gatherMs),
      tell: (news, dropped) => this.#tell(link, news, dropped),
    });
    this.#queue = queue;
    this.#linkSubscription = disposeAll([
      link.api.onEvent((event) => queue.take(event)),
      // What came while no window looked waits still.
      link.onDidOpen(() => {
        this.#adding = addOpenQuestions(link, queue).catch(onError);
      }),
    ]);
  }

  async #tell(link: VaultLink, news: readonly WindowNotice[], dropped: number): Promise<void> {
    const { isFocused, isWanted, isVisible, show } = this.#parts;
    if (!canClaim(link)) return;
    const free = await claim(
      link,
      news.map(({ key }) => key),
    );
    const told = news.filter((one) => {
      const isSeen = isFocused() && isVisible(one);
      return free.includes(one.key) && isWanted(settingOf(one)) && !isSeen;
    });
    for (const notice of noticesOf(told, dropped)) show(notice);
  }
}

/** Only an owner gives something out; a vault that is only looked at has none. */
function canClaim({ state }: VaultLink): boolean {
  return state.kind === 'owner' || state.kind === 'client';
}

async function claim(link: VaultLink, keys: readonly string[]): Promise<readonly string[]> {
  const given = await link.api.request('claim_notices', { keys: [...keys] });
  return given.keys;
}

async function addOpenQuestions(link: VaultLink, queue: NewsQueue<WindowNotice>): Promise<void> {
  if (!canClaim(link)) return;
  const { approvals } = await link.api.request('approvals', {});
  const notices = approvals.map(({ approval, kind, plan, subject, createdAt }) =>
    windowNoticeOf({ type: 'approval.opened', at: createdAt, actor: plan ?? 'vault', approval, kind, subject }),
  );
  queue.add(notices.filter((notice) => notice !== undefined));
}
