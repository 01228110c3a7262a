import type { Disk, ReadingDisk } from '../base/disk.ts';
import type { VaultLayout } from './layout.ts';

/** A vault on a disk: what reads and changes its files needs no more. */
export interface VaultPorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
}

/** As `VaultPorts`, for what changes nothing. */
export interface ReadingPorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
}
