import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everything below a folder that a program could have changed, a line for each name: kind, permissions, number, times of
 * modification and of change, and content. Reading does not change it.
 */
export function exactTree(folder: string, isWanted: (path: string) => boolean = () => true): string[] {
  const visit = (path: string): string[] => {
    const whole = join(folder, path);
    const { mode, ino, mtimeNs, ctimeNs } = lstatSync(whole, { bigint: true });
    const facts = `${path}: ${mode.toString(8)} ${ino} ${mtimeNs} ${ctimeNs}`;
    const kind = Number(mode) & 0o170000;
    if (kind === 0o120000) return [`${facts} -> ${readlinkSync(whole)}`];
    if (kind === 0o100000) return [`${facts} ${createHash('sha256').update(readFileSync(whole)).digest('hex')}`];
    if (kind !== 0o040000) return [facts];
    const names = readdirSync(whole).sort();
    const below = names.map((name) => (path === '' ? name : `${path}/${name}`)).filter(isWanted);
    return [facts, ...below.flatMap(visit)];
  };
  return visit('');
}
