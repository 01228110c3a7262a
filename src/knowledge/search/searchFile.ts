import { crc32 } from 'node:zlib';
import type { Disk, ReadingDisk } from '../../base/disk.ts';
import { messageOf } from '../../base/errors.ts';
import { ensureDirectory, exists, writeAtomic } from '../../base/files.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { BadImage, ImageReader, ImageWriter } from '../retrieval/image.ts';
import { SearchStore, type StoreBounds } from './searchStore.ts';

/** Of what an image holds, and in which order. */
const imageVersion = 2;
const headerBytes = 256;
/** A larger file is not one of ours. */
const fileBytesMax = 2 ** 31 - 1;

export interface ReadStore {
  readonly store: SearchStore;
  /** Whether it is what the file holds. */
  readonly isSaved: boolean;
  /** Why the file was not used, for the log; absent if it was, or if there was none. */
  readonly problem?: string;
}

/** The store as it was saved; an empty one if the file is missing, damaged, or of another version of Ravel. */
export async function loadStore(
  disk: ReadingDisk,
  layout: VaultLayout,
  { version, bounds }: { readonly version: string; readonly bounds?: StoreBounds | undefined },
): Promise<ReadStore> {
  const empty = () => new SearchStore(bounds);
  try {
    if (!(await exists(disk, layout.searchIndex))) return { store: empty(), isSaved: false };
    const bytes = await disk.readFile(layout.searchIndex, ({ size, kind }) => {
      if (kind !== 'file' || size > fileBytesMax) throw new BadImage('it is not a file of ours');
    });
    // Numbers stand at multiples of four, which a small buffer need not do.
    const body =
      bytes.byteOffset % 4 === 0 ? bytes.subarray(headerBytes) : Uint8Array.from(bytes.subarray(headerBytes));
    if (!bytes.subarray(0, headerBytes).equals(header(body, version))) {
      const own = `ravel search ${imageVersion}, ${version}`;
      const isOther = !bytes.subarray(0, headerBytes).toString('latin1').startsWith(`${own}, `);
      throw new BadImage(isOther ? 'it is of another version' : 'it is damaged');
    }
    return { store: SearchStore.read(new ImageReader(body), bounds), isSaved: true };
  } catch (error) {
    // It holds nothing that the files of the vault do not say.
    return { store: empty(), isSaved: false, problem: messageOf(error) };
  }
}

/** Replaces the file, all or nothing. Throws `disk/full`, `disk/denied` or `disk/failed`. */
export async function saveStore(disk: Disk, layout: VaultLayout, store: SearchStore, version: string): Promise<void> {
  const image = new ImageWriter();
  store.write(image);
  const body = image.bytes();
  await ensureDirectory(disk, layout.cache);
  await writeAtomic(disk, layout.searchIndex, Buffer.concat([header(body, version), body]), { permissions: 0o600 });
}

function header(body: Uint8Array, version: string): Buffer {
  const text = `ravel search ${imageVersion}, ${version}, ${crc32(body)}`;
  const bytes = Buffer.alloc(headerBytes, ' ');
  bytes.write(text.slice(0, headerBytes - 1), 'latin1');
  bytes[headerBytes - 1] = 0x0a;
  return bytes;
}
