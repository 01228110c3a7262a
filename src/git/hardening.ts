import type { Disk } from '../base/disk.ts';
import { sha256 } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { ownEnvironment, ownSettings, settingsEnvironment, withoutHooks } from './ownSettings.ts';
import { isInclude, type Setting, settingText, startsProgram, withdrawn } from './programSettings.ts';
import { findRepositoryFiles } from './repositoryFiles.ts';
import { splitNul } from './splitNul.ts';

/** What a repository may start although a session has been at it: what was there before, or a person accepted. */
export interface AcceptedPrograms {
  /** By `settingText`. */
  readonly settings: ReadonlySet<string>;
  /** SHA-256 of each file of the hooks folder, by its name. */
  readonly hooks: ReadonlyMap<string, string>;
}

/** Undefined if no session has been at the repository around this directory: all that is there is a person's. */
export type AcceptedIn = (directory: string) => Promise<AcceptedPrograms | undefined>;

/** Runs git without any of this, for a question about settings that itself starts nothing; returns what it printed. */
export type AskSettings = (directory: string, args: readonly string[], stdin?: Uint8Array) => Promise<Buffer>;

export interface Hardening {
  /** The environment of one command, over and above what is inherited. */
  environmentFor(directory: string, command: string, hooks: boolean): Promise<Readonly<Record<string, string>>>;
  settingsIn(directory: string): Promise<RepositorySettings>;
}

/** What the configuration of the repositories around a directory says. */
export interface RepositorySettings {
  /** By the absolute path of the file. */
  readonly files: ReadonlyMap<string, readonly Setting[]>;
  /** What files say that those bring in; empty if none does. */
  readonly included: readonly Setting[];
}

interface HardeningOptions {
  readonly disk: Disk;
  readonly person: Readonly<Record<string, string>>;
  readonly accepted: AcceptedIn | undefined;
  readonly ask: AskSettings;
}

/** Settings that are kept parsed; when there are more, all are dropped. */
const parsedTextsMax = 200;
/** Settings that are withdrawn on one command line, which the system limits in length. */
const withdrawnMax = 1000;

/**
 * Keeps git from starting what a session told it to. The table in `ownSettings` holds for every command. Settings that
 * need a name of the repository's choosing are read again before each command, by git's own parser, and withdrawn unless
 * they were accepted.
 */
export function createHardening({ disk, person, accepted, ask }: HardeningOptions): Hardening {
  /** What git makes of a configuration file, by the hash of its text: most commands meet one that did not change. */
  const parsed = new Map<string, Promise<readonly Setting[]>>();

  async function environmentFor(directory: string, command: string, hooks: boolean) {
    const instead = await withdrawnSettings(directory, command);
    const own = ownSettings.filter(({ inHooks }) => inHooks || !hooks);
    const settings = [...instead, ...own.map(({ key, value }) => [key, value] as const)];
    return { ...ownEnvironment, ...(hooks ? {} : withoutHooks), ...settingsEnvironment(person, settings) };
  }

  async function withdrawnSettings(directory: string, command: string): Promise<ReadonlyMap<string, string>> {
    const allowed = await accepted?.(directory);
    if (allowed === undefined) return new Map();
    const { files, included } = await settingsIn(directory);
    const settings = [...files.values(), included].flat().filter(startsProgram);
    const refused = settings.filter((setting) => !allowed.settings.has(settingText(setting)));
    if (refused.length === 0) return new Map();
    assertNameable(refused, directory);
    const isOfRepository = (scope: string) => scope === 'local' || scope === 'worktree';
    const inForce = (await listInForce(directory)).filter(({ scope }) => !isOfRepository(scope));
    return withdrawn(refused, new Map(inForce.map(({ key, value }) => [key, value])), command);
  }

  async function settingsIn(directory: string): Promise<RepositorySettings> {
    const { configurations } = await findRepositoryFiles(disk, directory);
    const files = new Map<string, readonly Setting[]>();
    for (const [file, text] of configurations) files.set(file, await parse(directory, text));
    // Included files are read by git alone, which knows the conditions and how their names are meant.
    const inForce = [...files.values()].flat().some(isInclude) ? await listInForce(directory) : [];
    const included = inForce
      .filter(({ scope }) => scope === 'local' || scope === 'worktree')
      .map(({ key, value }) => ({ key, value }));
    return { files, included };
  }

  function parse(directory: string, text: string): Promise<readonly Setting[]> {
    const hash = sha256(text);
    const known = parsed.get(hash);
    if (known !== undefined) return known;
    if (parsed.size >= parsedTextsMax) parsed.clear();
    const args = ['config', '--file', '-', '--no-includes', '--list', '-z'];
    const parsing = ask(directory, args, Buffer.from(text, 'latin1')).then((output) => splitNul(output).map(toSetting));
    parsed.set(hash, parsing);
    parsing.catch(() => parsed.delete(hash));
    return parsing;
  }

  /** Everything that would count in this directory, with where it comes from. */
  async function listInForce(directory: string): Promise<readonly (Setting & { readonly scope: string })[]> {
    const fields = splitNul(await ask(directory, ['config', '--list', '-z', '--show-scope']));
    const settings: (Setting & { readonly scope: string })[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      settings.push({ ...toSetting(fields[at + 1] ?? ''), scope: fields[at] ?? '' });
    }
    return settings;
  }

  return { environmentFor, settingsIn };
}

/** A name that is not valid UTF-8 cannot be passed on; git must not run with a setting that cannot be withdrawn. */
function assertNameable(settings: readonly Setting[], directory: string): void {
  const strange = settings.some(({ key }) => key.includes('\ufffd'));
  if (!strange && settings.length <= withdrawnMax) return;
  const what = strange ? 'one whose name is not UTF-8' : `${settings.length} of them`;
  const message = `The repository around ${directory} has settings that start programs and were not accepted, ${what}, so git was not started.`;
  throw failure('git/failed', directory, message);
}

/** A key without any value means true. */
function toSetting(entry: string): Setting {
  const end = entry.indexOf('\n');
  return end < 0 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
}
