import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { messageOf } from '../base/errors.ts';
import { readTextIfExists, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import { SerialQueue } from '../base/semaphore.ts';
import type { RavelEvent } from '../model/event.ts';
import { faultOf } from '../model/notification.ts';
import type { VaultLayout } from '../vault/layout.ts';

interface ClaimPorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly log: Logger;
}

/** `runtime/notices.json`: keys of what the windows of the vault were given, the oldest first. */
const stateSchema = z.object({ claimed: z.array(z.string()) });

/** Keys that are remembered; of more than that the oldest are forgotten. */
const claimedMax = 2000;

/** Sees to it that one window of the vault shows a notification, and no window shows it again. */
export class NoticeClaims {
  readonly #ports: ClaimPorts;
  readonly #work = new SerialQueue();
  #claimed: readonly string[] | undefined;

  constructor(ports: ClaimPorts) {
    this.#ports = ports;
  }

  /** Those of the keys that were not given out before, in their order. On disk before they are. */
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

  /** A file that cannot be read counts as empty: in doubt something is told twice, and not never. */
  async #load(): Promise<readonly string[]> {
    const { disk, layout } = this.#ports;
    if (this.#claimed === undefined) {
      const parsed = stateSchema.safeParse(parseJson((await readTextIfExists(disk, layout.notices)) ?? ''));
      this.#claimed = parsed.success ? parsed.data.claimed : [];
    }
    return this.#claimed;
  }

  async #save(claimed: readonly string[]): Promise<void> {
    const { disk, layout } = this.#ports;
    const kept = claimed.slice(-claimedMax);
    await writeAtomic(disk, layout.notices, `${JSON.stringify({ claimed: kept })}\n`);
    this.#claimed = kept;
  }
}
