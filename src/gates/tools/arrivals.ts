import { relative, resolve, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { hasWildcard } from '../wildcard.ts';
import { mayPassThrough } from './shellPattern.ts';

/**
 * Where a line puts links, moved files and copied trees. The disk is as it was before the line, so what lies there while the
 * line runs is not known: a link that moves leads elsewhere, and a tree brings its links along.
 */
export class Arrivals {
  readonly #at = new Set<string>();
  readonly #below = new Set<string>();

  /** Both `at` the path and below it, or only below a path that is known to be no link. */
  add(path: string, isLink: boolean): void {
    (isLink ? this.#at : this.#below).add(path);
  }

  isLink(path: string): boolean {
    return [...this.#at].some((at) => isWithin(at, path)) || [...this.#below].some((at) => isBelow(at, path));
  }

  /** Whether a path or pattern, from a folder, may lead through one of them. */
  mayLeadThrough(text: string, folder: string): boolean {
    if (this.#at.size + this.#below.size === 0) return false;
    const segments = text.split('/');
    const wild = segments.findIndex(hasWildcard);
    const known = wild < 0 ? segments : segments.slice(0, wild);
    const steps = known.flatMap((segment, at) => (segment === '..' ? [known.slice(0, at).join('/')] : []));
    if ([...steps, known.join('/')].some((step) => this.isLink(from(folder, step)))) return true;
    if (wild < 0) return false;
    const start = from(folder, known.join('/'));
    return [...this.#at, ...this.#below].some(
      (at) => isBelow(start, at) && mayPassThrough(segments.slice(wild), relative(start, at).split(sep)),
    );
  }
}

function from(folder: string, text: string): string {
  return text === '' ? folder : resolve(folder, text);
}

function isBelow(folder: string, path: string): boolean {
  return path !== folder && isWithin(folder, path);
}
