import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DirectoryEntry, Disk, DiskFile, FileOpenMode, FileStat } from '../../src/base/disk.ts';
import { createRandom } from './seededRandom.ts';
import { systemError } from './tracingDisk.ts';

interface FileNode {
  readonly kind: 'file';
  readonly number: number;
  mode: number;
  changedMs: number;
  data: Buffer;
  /** As the medium has it; the changes since then in their order. */
  durable: Buffer;
  unsynced: FileChange[];
}

interface DirectoryNode {
  readonly kind: 'directory';
  readonly number: number;
  mode: number;
  changedMs: number;
  readonly entries: Map<string, Node>;
  readonly durable: Map<string, Node>;
}

interface LinkNode {
  readonly kind: 'symlink';
  readonly number: number;
  readonly mode: number;
  readonly changedMs: number;
  readonly target: string;
}

type Node = FileNode | DirectoryNode | LinkNode;

type FileChange = { readonly at: number; readonly data: Buffer } | { readonly length: number };

/** One change of names; a rename is two that happen together. */
type NameChange = readonly { readonly directory: DirectoryNode; readonly name: string; readonly node?: Node }[];

const linksMax = 40;
const sectorBytes = 512;

/**
 * A disk in memory that keeps apart what was synced from what was not, so that a test can cut its power. It promises no
 * more than the port does: data is durable by a sync of its file, and a name by a sync of its folder.
 */
export class MemoryDisk implements Disk {
  #nextNumber = 1;
  #unsynced: NameChange[] = [];
  #root: DirectoryNode;

  constructor() {
    this.#root = this.#directory(0o755);
  }

  /** A disk with what lies below these folders, all of it durable. */
  static copyOf(...folders: readonly string[]): MemoryDisk {
    const disk = new MemoryDisk();
    for (const folder of folders) disk.#load(folder);
    return disk;
  }

  /**
   * The disk as the next boot finds it: of what was not synced each change of names happened or did not, and each write
   * happened, did not, or is torn. The same seed gives the same.
   */
  afterPowerCut(seed: number): MemoryDisk {
    const random = createRandom(seed);
    const disk = new MemoryDisk();
    const kept = this.#unsynced.filter(() => random(2) === 0);
    const namesOf = (directory: DirectoryNode): Map<string, Node> => {
      const names = new Map(directory.durable);
      for (const change of kept.flat()) {
        if (change.directory !== directory) continue;
        if (change.node === undefined) names.delete(change.name);
        else names.set(change.name, change.node);
      }
      return names;
    };
    const copies = new Map<Node, Node>();
    const copy = (node: Node): Node => {
      const known = copies.get(node);
      if (known !== undefined) return known;
      const made = node.kind === 'file' ? disk.#file(node.mode, dataAfterCut(node, random)) : copyName(node);
      copies.set(node, made);
      if (made.kind === 'directory' && node.kind === 'directory') fill(made, node);
      return made;
    };
    const copyName = (node: DirectoryNode | LinkNode): Node =>
      node.kind === 'directory' ? disk.#directory(node.mode) : { ...node };
    const fill = (to: DirectoryNode, from: DirectoryNode): void => {
      for (const [name, node] of namesOf(from)) {
        const made = copy(node);
        to.entries.set(name, made);
        to.durable.set(name, made);
      }
    };
    fill(disk.#root, this.#root);
    return disk;
  }

  /** The text of a file; undefined if there is none. For tests to look at. */
  textOf(path: string): string | undefined {
    const node = this.#find(path);
    return node?.kind === 'file' ? node.data.toString('utf8') : undefined;
  }

  readFile: Disk['readFile'] = async (path, inspect) => {
    inspect?.(await this.stat(path));
    const node = this.#get(path);
    if (node.kind !== 'file') throw systemError('EISDIR');
    return Buffer.from(node.data);
  };

  readEach: Disk['readEach'] = async (paths, bytesMax) =>
    paths.map((path) => {
      const node = this.#find(path);
      return node?.kind === 'file' && node.data.length <= bytesMax ? Buffer.from(node.data) : undefined;
    });

  readDirectory: Disk['readDirectory'] = async (path) =>
    [...this.#folder(path).entries].map(([name, { kind }]): DirectoryEntry => ({ name, kind }));

  lstat: Disk['lstat'] = async (path) => statOf(this.#get(path, 'itself'));

  stat: Disk['stat'] = async (path) => statOf(this.#get(path));

  stampEach: Disk['stampEach'] = async (paths) =>
    paths.flatMap((path) => {
      const node = this.#find(path);
      if (node === undefined) return [0, 0, 0, 0];
      return [node.number, statOf(node).size, node.changedMs, node.changedMs];
    });

  readLink: Disk['readLink'] = async (path) => {
    const node = this.#get(path, 'itself');
    if (node.kind !== 'symlink') throw systemError('EINVAL');
    return node.target;
  };

  realPath: Disk['realPath'] = async (path) => {
    this.#get(path);
    return this.#place(path, 'target').path;
  };

  freeBytes: Disk['freeBytes'] = async () => 2 ** 40;

  open: Disk['open'] = async (path, mode, permissions = 0o644) => {
    const { directory, name, node } = this.#place(path, mode === 'read' ? 'target' : 'itself');
    if (mode === 'exclusive' && node !== undefined) throw systemError('EEXIST');
    if (mode !== 'read' && node?.kind === 'symlink') throw systemError('ELOOP');
    if (node === undefined && (mode === 'read' || mode === 'readItself' || mode === 'update'))
      throw systemError('ENOENT');
    const opened = node ?? this.#file(permissions, Buffer.alloc(0));
    if (opened.kind !== 'file') throw systemError('EISDIR');
    if (node === undefined) this.#change([{ directory, name, node: opened }]);
    return openFile(opened, mode);
  };

  rename: Disk['rename'] = async (from, to) => {
    const source = this.#place(from, 'itself');
    const target = this.#place(to, 'itself');
    if (source.node === undefined) throw systemError('ENOENT');
    if (source.node === target.node) return;
    if (source.path.startsWith(`${target.path}/`)) throw systemError('ENOTEMPTY');
    if (source.node.kind === 'directory') {
      if (`${target.path}/`.startsWith(`${source.path}/`)) throw systemError('EINVAL');
      if (target.node !== undefined && target.node.kind !== 'directory') throw systemError('ENOTDIR');
      if (target.node !== undefined && target.node.entries.size > 0) throw systemError('ENOTEMPTY');
    } else if (target.node?.kind === 'directory') throw systemError('EISDIR');
    this.#change([
      { directory: source.directory, name: source.name },
      { directory: target.directory, name: target.name, node: source.node },
    ]);
  };

  renameIf: Disk['renameIf'] = async (from, to, isStill) => {
    const { node } = this.#place(to, 'itself');
    if (!isStill(node === undefined ? undefined : statOf(node))) return false;
    await this.rename(from, to);
    return true;
  };

  unlinkIf: Disk['unlinkIf'] = async (path, isStill) => {
    const { node } = this.#place(path, 'itself');
    if (!isStill(node === undefined ? undefined : statOf(node))) return false;
    await this.unlink(path);
    return true;
  };

  link: Disk['link'] = async (existing, path) => {
    const node = this.#get(existing, 'itself');
    const { node: taken } = this.#place(path, 'itself');
    if (taken === undefined && node.kind === 'directory') throw systemError('EPERM');
    this.#add(path, node);
  };

  symlink: Disk['symlink'] = async (target, path) => {
    this.#add(path, {
      kind: 'symlink',
      number: this.#nextNumber++,
      mode: 0o777,
      changedMs: Date.now(),
      target,
    });
  };

  unlink: Disk['unlink'] = async (path) => {
    const { directory, name, node } = this.#place(path, 'itself');
    if (node === undefined) throw systemError('ENOENT');
    if (node.kind === 'directory') throw systemError('EISDIR');
    this.#change([{ directory, name }]);
  };

  makeDirectory: Disk['makeDirectory'] = async (path, permissions = 0o755) => {
    this.#add(path, this.#directory(permissions));
  };

  removeDirectory: Disk['removeDirectory'] = async (path) => {
    const { directory, name, node } = this.#place(path, 'itself');
    if (node === undefined) throw systemError('ENOENT');
    if (node.kind !== 'directory') throw systemError('ENOTDIR');
    if (node.entries.size > 0) throw systemError('ENOTEMPTY');
    this.#change([{ directory, name }]);
  };

  syncDirectory: Disk['syncDirectory'] = async (path) => {
    const directory = this.#get(path);
    if (directory.kind === 'file') syncData(directory);
    const isOf = (change: NameChange) => change.some((one) => one.directory === directory);
    for (const change of this.#unsynced.filter(isOf)) for (const one of change) apply(one.directory.durable, one);
    this.#unsynced = this.#unsynced.filter((change) => !isOf(change));
  };

  changeMode: Disk['changeMode'] = async (path, permissions) => {
    const node = this.#get(path);
    if (node.kind !== 'symlink') node.mode = permissions;
  };

  cloneFile: Disk['cloneFile'] = async (from, to) => {
    const node = this.#get(from);
    if (node.kind !== 'file') throw systemError('EINVAL');
    const copy = this.#file(node.mode, Buffer.alloc(0));
    const made: FileChange = { at: 0, data: Buffer.from(node.data) };
    copy.data = changed(copy.data, made);
    copy.unsynced.push(made);
    copy.changedMs = node.changedMs;
    this.#add(to, copy);
  };

  #load(folder: string): void {
    let made = '/';
    for (const name of dirname(folder).split('/').filter(Boolean)) {
      made = join(made, name);
      if (this.#find(made) === undefined) this.#put(made, this.#directory(0o755));
    }
    const load = (path: string): void => {
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) {
        const target = readlinkSync(path);
        const { mtimeMs: changedMs } = stat;
        this.#put(path, { kind: 'symlink', number: this.#nextNumber++, mode: 0o777, changedMs, target });
      } else if (stat.isDirectory()) {
        this.#put(path, this.#directory(stat.mode & 0o7777));
        for (const name of readdirSync(path)) load(join(path, name));
      } else if (stat.isFile()) this.#put(path, this.#file(stat.mode & 0o7777, readFileSync(path)));
    };
    load(folder);
  }

  /** Durably, as something that was there before. */
  #put(path: string, node: Node): void {
    const { directory } = this.#place(path, 'itself');
    directory.entries.set(basename(path), node);
    directory.durable.set(basename(path), node);
  }

  #add(path: string, node: Node): void {
    const { directory, name, node: taken } = this.#place(path, 'itself');
    if (taken !== undefined) throw systemError('EEXIST');
    this.#change([{ directory, name, node }]);
  }

  #change(change: NameChange): void {
    for (const one of change) {
      apply(one.directory.entries, one);
      one.directory.changedMs = Date.now();
    }
    this.#unsynced.push(change);
  }

  #directory(mode: number): DirectoryNode {
    const changedMs = Date.now();
    return { kind: 'directory', number: this.#nextNumber++, mode, changedMs, entries: new Map(), durable: new Map() };
  }

  #file(mode: number, data: Buffer): FileNode {
    const changedMs = Date.now();
    return { kind: 'file', number: this.#nextNumber++, mode, changedMs, data, durable: data, unsynced: [] };
  }

  #folder(path: string): DirectoryNode {
    const node = this.#get(path);
    if (node.kind !== 'directory') throw systemError('ENOTDIR');
    return node;
  }

  #get(path: string, what: 'itself' | 'target' = 'target'): Node {
    const { node } = this.#place(path, what);
    if (node === undefined) throw systemError('ENOENT');
    return node;
  }

  #find(path: string): Node | undefined {
    try {
      return this.#get(path);
    } catch {
      return undefined;
    }
  }

  /** Where a path leads: its folder, the name in there, and what bears it. Follows links on the way, and a last one if told. */
  #place(path: string, what: 'itself' | 'target') {
    const pending = path.split('/').filter((part) => part !== '' && part !== '.');
    const trail: { readonly name: string; readonly node: DirectoryNode }[] = [{ name: '', node: this.#root }];
    const mustBeFolder = path.length > 1 && path.endsWith('/');
    for (let links = 0; ; ) {
      const directory = trail.at(-1)?.node ?? this.#root;
      const part = pending.shift();
      const pathTo = (name: string) => `${trail.map((one) => one.name).join('/')}/${name}`.replace(/^\/\//, '/');
      if (part === undefined) {
        const name = trail.pop()?.name ?? '';
        const parent = trail.at(-1)?.node ?? this.#root;
        return { directory: parent, name, node: directory as Node | undefined, path: pathTo(name) };
      }
      if (part === '..') {
        if (trail.length > 1) trail.pop();
        continue;
      }
      const node = directory.entries.get(part);
      const isLast = pending.length === 0;
      if (node?.kind === 'symlink' && (!isLast || what === 'target' || mustBeFolder)) {
        links++;
        if (links > linksMax) throw systemError('ELOOP');
        if (node.target.startsWith('/')) trail.splice(1);
        pending.unshift(...node.target.split('/').filter((one) => one !== '' && one !== '.'));
        continue;
      }
      if (isLast) return { directory, name: part, node, path: pathTo(part) };
      if (node === undefined) throw systemError('ENOENT');
      if (node.kind !== 'directory') throw systemError('ENOTDIR');
      trail.push({ name: part, node });
    }
  }
}

function apply(names: Map<string, Node>, { name, node }: NameChange[number]): void {
  if (node === undefined) names.delete(name);
  else names.set(name, node);
}

function statOf(node: Node): FileStat {
  const size = node.kind === 'file' ? node.data.length : 0;
  return { kind: node.kind, inode: node.number, size, mtimeMs: node.changedMs, mode: node.mode, owner: 0 };
}

function syncData(node: FileNode): void {
  node.durable = node.data;
  node.unsynced = [];
}

function openFile(node: FileNode, mode: FileOpenMode): DiskFile {
  let position = 0;
  let isOpen = true;
  const whileOpen = <R>(work: () => R): R => {
    if (!isOpen) throw systemError('EBADF');
    return work();
  };
  const change = (made: FileChange): void => {
    node.data = changed(node.data, made);
    node.changedMs = Date.now();
    node.unsynced.push(made);
  };
  const sync = () => syncData(node);
  return {
    read: async (buffer, at) => whileOpen(() => node.data.subarray(at).copy(buffer)),
    write: async (data) =>
      whileOpen(() => {
        if (mode === 'read' || mode === 'readItself') throw systemError('EBADF');
        const at = mode === 'append' || mode === 'appendDurably' ? node.data.length : position;
        change({ at, data: Buffer.from(data) });
        position = at + data.byteLength;
        if (mode === 'appendDurably') sync();
        return data.byteLength;
      }),
    sync: async () => whileOpen(sync),
    truncate: async (length) =>
      whileOpen(() => {
        if (mode === 'read' || mode === 'readItself') throw systemError('EINVAL');
        change({ length });
      }),
    size: async () => whileOpen(() => node.data.length),
    close: async () =>
      whileOpen(() => {
        isOpen = false;
      }),
  };
}

/** What is beyond the end is zeroes. */
function changed(data: Buffer, change: FileChange): Buffer {
  if ('length' in change) return resized(data, change.length);
  const result = resized(data, Math.max(data.length, change.at + change.data.length));
  change.data.copy(result, change.at);
  return result;
}

function resized(data: Buffer, length: number): Buffer {
  const result = Buffer.alloc(length);
  data.copy(result);
  return result;
}

function dataAfterCut(node: FileNode, random: (below: number) => number): Buffer {
  let data = node.durable;
  for (const change of node.unsynced) {
    const fate = random(3);
    if (fate === 0) continue;
    const isTorn = fate === 1 && 'data' in change && change.data.length > 0;
    data = changed(data, isTorn ? torn(change, random) : change);
  }
  return data;
}

/** Some first part of it, down to a byte where it is small. */
function torn(change: Extract<FileChange, { readonly data: Buffer }>, random: (below: number) => number): FileChange {
  const { length } = change.data;
  const unit = length > sectorBytes ? sectorBytes : 1;
  return { at: change.at, data: change.data.subarray(0, unit * random(Math.ceil(length / unit))) };
}
