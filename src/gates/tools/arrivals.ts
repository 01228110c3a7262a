import { relative, resolve, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { hasWildcard } from '../wildcard.ts';
import { mayPassThrough } from './shell/shellPattern.ts';

interface Arrival {
  readonly path: string;
  readonly isLink: boolean;
  /** The text of the command that brings it. */
  readonly by: string;
}

/**
 * Where a line puts links, moved files and copied trees. The disk is as it was before the line, so what lies there while the
 * line runs is not known: a link that moves leads elsewhere, and a tree brings its links along.
 */
export class Arrivals {
  readonly #arrivals = new Map<string, Arrival>();
  #command = '';
  #mayComeEarlier = false;

  /** Whether a command may come by what a later one in the text brings. */
  get mayComeEarlier(): boolean {
    return this.#mayComeEarlier && this.#arrivals.size > 0;
  }

  /** The line has a job, a pipeline or a loop, so that its commands run in another order, or again. */
  setUnordered(): void {
    this.#mayComeEarlier = true;
  }

  /** What is added from here on comes by this command, which is not asked about what it brings itself. */
  begin(command: string): void {
    this.#command = command;
  }

  /** Both at the path and below it, or only below a path that is known to be no link. */
  add(path: string, isLink: boolean): void {
    const by = this.#command;
    this.#arrivals.set([path, isLink, by].join('\0'), { path, isLink, by });
  }

  isLink(path: string): boolean {
    return this.#ofOthers().some(({ path: at, isLink }) => (isLink ? isWithin(at, path) : isBelow(at, path)));
  }

  /** Whether a path or pattern, from a folder, may lead through one of them. */
  mayLeadThrough(text: string, folder: string): boolean {
    const others = this.#ofOthers();
    if (others.length === 0) return false;
    const segments = text.split('/');
    const wild = segments.findIndex(hasWildcard);
    const known = wild < 0 ? segments : segments.slice(0, wild);
    const steps = known.flatMap((segment, at) => (segment === '..' ? [known.slice(0, at).join('/')] : []));
    if ([...steps, known.join('/')].some((step) => this.isLink(from(folder, step)))) return true;
    if (wild < 0) return false;
    const start = from(folder, known.join('/'));
    return others.some(
      ({ path }) => isBelow(start, path) && mayPassThrough(segments.slice(wild), relative(start, path).split(sep)),
    );
  }

  #ofOthers(): readonly Arrival[] {
    return [...this.#arrivals.values()].filter(({ by }) => by !== this.#command);
  }
}

function from(folder: string, text: string): string {
  return text === '' ? folder : resolve(folder, text);
}

function isBelow(folder: string, path: string): boolean {
  return path !== folder && isWithin(folder, path);
}
