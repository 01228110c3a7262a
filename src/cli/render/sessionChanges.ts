import { visible } from '../../base/fence.ts';
import { harmless, oneLine, plural } from '../../base/text.ts';
import { diffLines } from '../../model/lineDiff.ts';
import type { ChangedFile, ChangedText, ChangeSet, ChangesPage, CheckedClaim } from '../../model/requests/inspect.ts';
import type { Style, TextLayout } from './style.ts';
import { wrap } from './text.ts';

/** The diff of one file, in the unified format that `git apply` takes unless it is not `whole`. */
export interface FileDiff {
  readonly set: string;
  readonly path: string;
  readonly lines: readonly string[];
  /** Whether the lines say all of the change: not for binary content, a text that is cut, or a name that is not UTF-8. */
  readonly isWhole: boolean;
}

interface ChangesParts {
  /** Whether files, claims and who made the changes are shown. */
  readonly facts: boolean;
  readonly diffs: readonly FileDiff[];
}

export function diffOf(set: string, path: string, before: ChangedText, after: ChangedText): FileDiff {
  const isLink = (side: ChangedText) => side.kind === 'symlink';
  // A link in the place of a file is two changes for git: what was there is deleted first.
  if (before.isThere && after.isThere && isLink(before) !== isLink(after)) {
    const [left, came] = [diffOf(set, path, before, nothing), diffOf(set, path, nothing, after)];
    return { set, path, lines: [...left.lines, ...came.lines], isWhole: left.isWhole && came.isWhole };
  }
  const [old, now] = [quotedPath(`a/${path}`), quotedPath(`b/${path}`)];
  const head = [`diff --git ${old} ${now}`, ...modeLines(before, after)];
  if (before.isBinary || after.isBinary) {
    return { set, path, lines: [...head, `Binary file ${quotedPath(path)} changed`], isWhole: false };
  }
  // The name is not the one that the disk has: its bytes are not UTF-8. A patch of it would make an empty file.
  if (!before.isThere && !after.isThere) {
    const why = '(The content of this file cannot be shown: its name is not UTF-8, or it is gone by now.)';
    return { set, path, lines: [`diff --git ${old} ${now}`, why], isWhole: false };
  }
  const hunks = diffLines(before.text, after.text);
  const isWhole = !before.isCut && !after.isCut;
  const cut = isWhole ? [] : ['(The end of a very long file is left out.)'];
  const named = [
    `--- ${before.isThere ? endedName(old, path) : '/dev/null'}`,
    `+++ ${after.isThere ? endedName(now, path) : '/dev/null'}`,
  ];
  return { set, path, lines: [...head, ...(hunks.length > 0 ? named : []), ...hunks, ...cut], isWhole };
}

const nothing: ChangedText = { text: '', isThere: false, isBinary: false, isCut: false };

const modes = { file: '100644', executable: '100755', symlink: '120000' } as const;

function modeLines(before: ChangedText, after: ChangedText): string[] {
  const [old, now] = [modes[before.kind ?? 'file'], modes[after.kind ?? 'file']];
  if (!before.isThere) return [`new file mode ${now}`];
  if (!after.isThere) return [`deleted file mode ${old}`];
  return old === now ? [] : [`old mode ${old}`, `new mode ${now}`];
}

/** Without the tab, a name with a blank would end there. */
function endedName(quoted: string, path: string): string {
  return path.includes(' ') ? `${quoted}\t` : quoted;
}

const shortEscapes: Readonly<Record<string, string>> = {
  ...{ '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' },
};

/** A path as git quotes it: as it is, or as a C string where it holds what would end or hide it. */
function quotedPath(path: string): string {
  const escaped = path.replace(/["\\\p{Cc}]/gu, (character) => {
    const octal = [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
    return shortEscapes[character] ?? octal.join('');
  });
  return escaped === path ? path : `"${escaped}"`;
}

/** The patch byte for byte, as a program reads it, with the files that it cannot hold. */
export function patchOf(diffs: readonly FileDiff[]): { readonly text: string; readonly left: readonly string[] } {
  const whole = diffs.filter(({ isWhole }) => isWhole);
  const left = diffs.filter(({ isWhole }) => !isWhole).map(({ path }) => path);
  return { text: whole.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join(''), left };
}

/** What a session changed: who it was, each set with its files and their diffs, then the claims. */
export function formatChanges(page: ChangesPage, { facts, diffs }: ChangesParts, layout: TextLayout): string[] {
  const { style } = layout;
  if (page.sets.every(({ fileCount }) => fileCount === 0) && page.claims.length === 0) {
    return [...(facts ? formatSession(page, style) : []), 'It changed nothing that is still there to be seen.'];
  }
  return [
    ...(facts ? formatSession(page, style) : []),
    ...page.sets.flatMap((set) => {
      const own = diffs.filter((diff) => diff.set === set.set);
      return [
        ...(facts ? formatSet(set, style) : []),
        ...(facts && own.length > 0 ? [''] : []),
        ...own.flatMap(({ lines }) => lines.map((line) => paintLine(line, style))),
      ];
    }),
    ...(facts ? formatRest(page.sets, diffs, style) : []),
    ...(facts && page.claims.length > 0 ? ['', style.strong('Claims')] : []),
    ...(facts ? page.claims.flatMap((claim) => formatClaim(claim, layout)) : []),
  ];
}

function formatSession({ plan, session, phase, task, state, harness }: ChangesPage, style: Style): string[] {
  const facts = [phase, task === undefined ? undefined : `task ${oneLine(task)}`, state];
  const by = harness === 'person' ? 'changed by a person, in a phase by hand' : 'changed by the session';
  return [
    `${style.strong(`${plan} ${session}`)}  ${style.faint([...facts, by].filter((one) => one !== undefined).join(' · '))}`,
  ];
}

function formatSet({ set, kind, title, files, fileCount, earlierCount = 0 }: ChangeSet, style: Style): string[] {
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  const name = kind === 'commit' ? `commit ${style.accent(set.slice(0, 8))} ${harmless(title)}` : title;
  const counts = `${plural(fileCount, 'file')}, +${sum('added')} −${sum('removed')}`;
  const staged = kind === 'staged' ? style.faint('  proposed, not merged') : '';
  return [
    '',
    `${style.strong(name)}  ${style.faint(counts)}${staged}`,
    ...files.map((file) => formatFile(file, style)),
    ...(fileCount > files.length
      ? [style.faint(`  ${plural(fileCount - files.length, 'further file')} not listed`)]
      : []),
    ...(earlierCount > 0
      ? [
          style.faint(
            `  left out: ${plural(earlierCount, 'file')} that a person had changed before, and the session did not`,
          ),
        ]
      : []),
  ];
}

const statusMarks: Readonly<Record<ChangedFile['status'], string>> = { added: 'A', changed: 'M', removed: 'D' };

function formatFile({ path, status, added, removed, changedBefore }: ChangedFile, style: Style): string {
  const lines =
    added === undefined && removed === undefined
      ? 'not text'
      : `${style.good(`+${added ?? 0}`)} ${style.bad(`−${removed ?? 0}`)}`;
  const also = changedBefore === true ? style.notice('  a person had changed it before, too') : '';
  return `  ${statusMarks[status]} ${harmless(oneLine(path))}  ${lines}${also}`;
}

function formatRest(sets: readonly ChangeSet[], diffs: readonly FileDiff[], style: Style): string[] {
  const left = sets.reduce((sum, { files }) => sum + files.length, 0) - diffs.length;
  return diffs.length === 0 || left === 0
    ? []
    : ['', style.faint(`The diff of ${plural(left, 'file')} is not shown; --files shows more.`)];
}

function formatClaim({ id, text, verdict, evidence }: CheckedClaim, { style, columns }: TextLayout): string[] {
  const said = {
    evidenced: style.good('✓ proved'),
    unsupported: style.bad('✗ not proved'),
    contradicted: style.bad('✗ contradicted'),
  };
  const [first = '', ...rest] = wrap(`${id}  ${text}`, columns - 20);
  return [
    `  ${verdict === undefined ? style.notice('? not judged') : said[verdict]}  ${first}`,
    ...rest.map((line) => `      ${line}`),
    ...evidence.map(({ kind, text: named }) => style.faint(`      ${kind}: ${harmless(oneLine(named))}`)),
    ...(evidence.length === 0 ? [style.faint('      without evidence')] : []),
  ];
}

/** The content of a file cannot bring colours of its own. */
export function paintLine(line: string, style: Style): string {
  const text = visible(line);
  if (/^(?:diff |---|\+\+\+|new file|deleted file)/.test(line)) return style.strong(text);
  if (line.startsWith('@@')) return style.accent(text);
  if (line.startsWith('+')) return style.good(text);
  return line.startsWith('-') ? style.bad(text) : text;
}
