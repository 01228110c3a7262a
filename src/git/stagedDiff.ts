import { failure } from '../model/codes.ts';
import type { Git } from './git.ts';
import { diffArgs } from './snapshot.ts';
import { splitNul } from './splitNul.ts';

/** Something in what a commit would add that must not get into it. */
export interface StagedFinding {
  /** A sentence with the place. */
  readonly finding: string;
  /** The text that it is about; what the last commit holds anywhere already is let through. */
  readonly added: string;
}

/** Looks at a unified diff without context lines. */
export type Review = (diff: string) => readonly StagedFinding[];

export interface StagedPlace {
  readonly git: Git;
  readonly directory: string;
  /** The last commit; undefined before the first. */
  readonly head: string | undefined;
  /** Names the index. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Secrets that a refusal names. */
const objectionsShownMax = 20;

/**
 * Lets exactly what an index would commit be looked at, every byte of it: binary files, and files that an attribute calls
 * binary, count as texts. Rejects with `gate/secretInCommit` for what is objected to, or is too long to be looked at.
 */
export async function assertReviewed(place: StagedPlace, review: Review): Promise<void> {
  const objections: StagedFinding[] = [];
  for await (const diff of stagedDiffs(place)) objections.push(...review(diff));
  const findings: string[] = [];
  for (const { finding, added } of objections) {
    if (!(await isThereAlready(place, added))) findings.push(finding);
  }
  if (findings.length === 0) return;
  const more = findings.length > objectionsShownMax ? [`There are ${findings.length - objectionsShownMax} more.`] : [];
  const message = ['Nothing was committed.', ...findings.slice(0, objectionsShownMax), ...more].join(' ');
  throw failure('gate/secretInCommit', place.directory, message);
}

/** Bytes of a diff that is read as one, and of the diff of one file, if the whole is larger. */
const wholeBytesMax = 16 * 1024 * 1024;
const fileBytesMax = 48 * 1024 * 1024;

/** One diff of all, or one of each file if that is long. */
async function* stagedDiffs(place: StagedPlace): AsyncGenerator<string> {
  const whole = await diffOf(place, [], wholeBytesMax);
  if (whole !== undefined) {
    yield whole;
    return;
  }
  const { git, directory, environment } = place;
  const list = [...(await cachedArgs(place)), '--name-only', '-z', '--no-renames'];
  for (const path of splitNul((await git.run(directory, list, { environment })).stdout)) {
    const diff = await diffOf(place, [path], fileBytesMax);
    if (diff === undefined) {
      const message = `Nothing was committed. ${path} changes by more than ${fileBytesMax / 1024 / 1024} MiB, which is too much to look for secrets in.`;
      throw failure('gate/secretInCommit', directory, message, {
        help: 'Commit that file yourself, or ignore it; then try again.',
      });
    }
    yield diff;
  }
}

/** Undefined if it is longer. */
async function diffOf(place: StagedPlace, paths: readonly string[], cutBytes: number): Promise<string | undefined> {
  const { git, directory, environment } = place;
  const form = ['--patch', '--text', '--unified=0', '--find-renames'];
  const args = ['--literal-pathspecs', ...(await cachedArgs(place)), ...form, '--', ...paths];
  const { stdout, cut } = await git.run(directory, args, { environment, cutBytes });
  return cut ? undefined : stdout.toString('utf8');
}

async function cachedArgs({ git, directory, head }: StagedPlace): Promise<string[]> {
  const against = head ?? (await emptyTree(git, directory));
  return [...diffArgs, '--cached', '--ignore-submodules=none', against];
}

async function emptyTree(git: Git, directory: string): Promise<string> {
  const { stdout } = await git.run(directory, ['hash-object', '-t', 'tree', '--stdin'], { stdin: '' });
  return stdout.toString('utf8').trim();
}

/** The pattern goes by standard input, where no list of processes shows it. */
async function isThereAlready({ git, directory, head }: StagedPlace, text: string): Promise<boolean> {
  if (head === undefined || text.includes('\n')) return false;
  const args = ['grep', '--quiet', '--text', '--fixed-strings', '-f', '-', head, '--', ':/'];
  return (await git.run(directory, args, { stdin: `${text}\n`, okCodes: [0, 1] })).code === 0;
}
