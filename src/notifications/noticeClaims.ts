import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { messageOf } from '../base/errors.ts';
import { writeAtomic } from '../base/files.ts';
import type { Logger } from '../base/log.ts';
import { SerialQueue } from '../base/semaphore.ts';
import type { RavelEvent } from '../model/event.ts';
import { faultOf, newestKeys } from '../model/notification.ts';
import type { VaultLayout } from '../vault/layout.ts';
import { readNoticeFile } from './notifierState.ts';

interface ClaimPorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly log: Logger;
}

/** `runtime/notices.json`: keys of what the windows of the vault were given, the oldest first. */
const stateSchema = z.object({ claimed: z.array(z.string()) });

/** Sees to it that one window of the vault shows a notification, and no window shows it again. */
export class NoticeClaims {
  readonly #ports: ClaimPorts;
  readonly #work = new SerialQueue();
  #claimed: readonly string[] | undefined;
  #isSaved = true;

  constructor(ports: ClaimPorts) {
    this.#ports = ports;
  }

  /**
   * Those of the keys that were not given out before, in their order. On disk before they are, if they can be: a person
   * whose disk is full is told.
   */
  claim(keys: readonly string[]): Promise<readonly string[]> {
    return this.#work.run(async () => {
      const claimed = await this.#load();
      const free = [...new Set(keys)].filter((key) => !claimed.includes(key));
      if (free.length > 0) await this.#save([...claimed, ...free]);
      return free;
    });
  }

  /** An actor that takes in messages again can be faulted again. */
  take(event: RavelEvent): void {
    if (event.type !== 'actor.changed' || event.state !== 'active') return;
    const forget = async () => {
      const claimed = await this.#load();
      const rest = claimed.filter((key) => !key.startsWith(faultOf(event.actor)));
      if (rest.length < claimed.length) await this.#save(rest);
    };
    const warn = (error: unknown) => this.#ports.log.warn('a fault may not be told again', { error: messageOf(error) });
    void this.#work.run(forget).catch(warn);
  }

  /** Resolves once what was begun is on disk. */
  settled(): Promise<void> {
    return this.#work.drained();
  }

  async #load(): Promise<readonly string[]> {
    const { disk, layout } = this.#ports;
    if (this.#claimed === undefined) {
      this.#claimed = newestKeys((await readNoticeFile(disk, layout.notices, stateSchema))?.claimed ?? []);
    }
    return this.#claimed;
  }

  async #save(claimed: readonly string[]): Promise<void> {
    const { disk, layout, log } = this.#ports;
    this.#claimed = newestKeys(claimed);
    try {
      await writeAtomic(disk, layout.notices, `${JSON.stringify({ claimed: this.#claimed })}\n`, {
        replacesLink: true,
      });
      this.#isSaved = true;
    } catch (error) {
      // Once until it can be written again.
      if (this.#isSaved) log.warn('a restart may tell again what was told', { error: messageOf(error) });
      this.#isSaved = false;
    }
  }
}
