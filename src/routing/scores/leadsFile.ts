import { crc32 } from 'node:zlib';
import * as z from 'zod';
import type { Disk } from '../../base/disk.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../../base/files.ts';
import { parseJson } from '../../base/json.ts';
import type { Logger } from '../../base/log.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import type { TaskLead } from './calibration.ts';

type LeadsByScope = ReadonlyMap<string, readonly TaskLead[]>;

export interface LeadsFilePorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly log: Pick<Logger, 'warn'>;
  /** Of this program; what another one left is not used. */
  readonly version: string;
}

const fileBytesMax = 4 * 1024 * 1024;
/** Projects whose leads are kept; the others are made again. */
const scopesMax = 200;

const leadSchema = z.tuple([z.string(), z.number().min(0).max(1), z.boolean()]);
const bodySchema = z.array(z.tuple([z.string(), z.array(leadSchema)]));

/**
 * Leads of the plans' tasks as a file that can be deleted at any time. One that is damaged, or was made of other texts
 * or by another version, counts as none.
 */
export class LeadsFile {
  readonly #ports: LeadsFilePorts;

  constructor(ports: LeadsFilePorts) {
    this.#ports = ports;
  }

  /** By project; of messages to no project under an empty name. */
  async load(digest: string): Promise<LeadsByScope> {
    const { disk, layout, log } = this.#ports;
    try {
      const text = (await readTextIfExists(disk, layout.taskLeads, { bytesMax: fileBytesMax })) ?? '';
      const body = text.slice(text.indexOf('\n') + 1);
      const read = text === this.#format(digest, body) ? bodySchema.safeParse(parseJson(body)).data : undefined;
      return new Map(
        (read ?? []).map(([scope, leads]) => [scope, leads.map(([plan, lead, isRight]) => ({ plan, lead, isRight }))]),
      );
    } catch (error) {
      if (!isRavelError(error)) throw error;
      log.warn('what scores say about tasks of plans is made again', { error: messageOf(error) });
      return new Map();
    }
  }

  /** A failure is logged: they can be made again. */
  async save(digest: string, leads: LeadsByScope): Promise<void> {
    const { disk, layout, log } = this.#ports;
    const rows = [...leads]
      .slice(-scopesMax)
      .map(([scope, each]) => [scope, each.map(({ plan, lead, isRight }) => [plan, lead, isRight])]);
    try {
      await ensureDirectory(disk, layout.cache);
      await writeAtomic(disk, layout.taskLeads, this.#format(digest, JSON.stringify(rows)), { permissions: 0o600 });
    } catch (error) {
      if (!isRavelError(error)) throw error;
      log.warn('what scores say about tasks of plans is not kept', { error: messageOf(error) });
    }
  }

  #format(digest: string, body: string): string {
    return `ravel leads 2, ${this.#ports.version}, ${digest}, ${crc32(body)}\n${body}`;
  }
}
