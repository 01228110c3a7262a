import type { Disk } from '../../base/disk.ts';
import type { RoutingRecord } from '../../model/routing.ts';
import { type Line, linesOf, readSegment, type Segment } from './historyFiles.ts';
import { toRecord } from './historyRecord.ts';

/** The byte behind the last line that was read. */
export type ReadEnd = Pick<Line, 'segment' | 'offset'>;

/** So few that finding their words takes a few milliseconds. */
const recordsAtOnce = 50;

/** The records of these files in their order, a few at a time; skips lines that are not records. */
export async function* readRecords(
  disk: Pick<Disk, 'open'>,
  segments: readonly Segment[],
): AsyncGenerator<readonly RoutingRecord[], ReadEnd> {
  let end: ReadEnd = { segment: 0, offset: 0 };
  for (const segment of segments) {
    for await (const { piece, offset } of readSegment(disk, segment)) {
      let records: RoutingRecord[] = [];
      for (const { line } of linesOf(piece)) {
        const record = toRecord(line);
        if (record !== undefined) records.push(record);
        if (records.length < recordsAtOnce) continue;
        yield records;
        records = [];
      }
      yield records;
      end = { segment: segment.number, offset: offset + piece.length };
    }
  }
  return end;
}
