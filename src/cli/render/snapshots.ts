import { localTime } from '../../base/localTime.ts';
import { harmless, shellWord } from '../../base/text.ts';
import { diffLines } from '../../model/lineDiff.ts';
import type { RequestResults } from '../../model/protocol.ts';
import { formatCommandRows, type LabelledCommand } from './commandRows.ts';
import { paintLine } from './sessionChanges.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';

/** Characters of an id that are shown; the same as of a commit would often be ambiguous among trees. */
const idLength = 12;

/** A line for each state, newest first. */
export function formatSnapshots(
  { plan, snapshots }: RequestResults['snapshots'],
  style: Style,
  columns: number,
): string[] {
  const [first] = snapshots;
  if (first === undefined) return [`No commit has a state of ${plan} yet. Each phase that commits makes one.`];
  const rows = snapshots.map(({ id, at, commit, title, isNow }) => [
    id.slice(0, idLength),
    localTime(at),
    commit.slice(0, 8),
    isNow ? 'now' : '',
    harmless(title),
  ]);
  const isChanged = !snapshots.some(({ isNow }) => isNow);
  const earlier = snapshots.find(({ isNow }) => !isNow);
  return [
    ...formatTable(['ID', 'WHEN', 'COMMIT', '', 'WHAT THE COMMIT SAYS'], rows, style, columns),
    ...(isChanged ? ['', 'The plan as it is now is in none of them: it has changes that no commit has.'] : []),
    ...(earlier === undefined
      ? []
      : ['', ...formatCommandRows('Next:', goingBack(shellWord(plan), earlier.id.slice(0, idLength)), columns)]),
  ];
}

function goingBack(plan: string, id: string): LabelledCommand[] {
  return [
    [`ravel snapshots ${plan} --diff ${id}`, 'what going back there would change'],
    [`ravel rollback ${plan} --to ${id}`, 'goes back there'],
  ];
}

/** A unified diff of each file. */
export function formatSnapshotDiff(compared: RequestResults['compare_snapshot'], style: Style): string[] {
  const { plan, snapshot, files, with: other } = compared;
  const [from, to] = [other === undefined ? 'now' : other.slice(0, idLength), snapshot.slice(0, idLength)];
  if (files.length === 0) return [`${plan} is the same ${other === undefined ? 'now' : `at ${from}`} and at ${to}.`];
  return files.flatMap(({ file, before, after }) =>
    [
      `--- ${before === undefined ? '/dev/null' : `${from}/${file}`}`,
      `+++ ${after === undefined ? '/dev/null' : `${to}/${file}`}`,
      ...diffLines(before ?? '', after ?? '').map(harmless),
    ].map((line) => paintLine(line, style)),
  );
}
