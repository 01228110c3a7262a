import { isRecord, parseJson } from '../../base/json.ts';
import { isUlid } from '../../model/id.ts';
import type { RoutingRecord } from '../../model/routing.ts';

/** What was written by this program has its form; anything else is told from it by what all records have. */
export function toRecord(line: Buffer): RoutingRecord | undefined {
  const value = parseJson(line.toString('utf8'));
  if (!isRecord(value) || typeof value['message'] !== 'string' || !isUlid(value['message'])) return undefined;
  const isDecision = value['type'] === 'decision' && isRecord(value['outcome']) && typeof value['body'] === 'string';
  const isResult = value['type'] === 'result' && typeof value['plan'] === 'string';
  return isDecision || isResult ? (value as unknown as RoutingRecord) : undefined;
}

export type RecordName = Pick<RoutingRecord, 'type' | 'message'>;

/** Which record a line is, by its beginning alone if this program wrote it; undefined for any other line. */
export function nameOfLine(line: Buffer): RecordName | undefined {
  for (const { type, beginning } of beginnings) {
    const end = beginning.length + ulidLength;
    if (line.length <= end || line[end] !== quote || line[line.length - 1] !== brace) continue;
    if (line.compare(beginning, 0, beginning.length, 0, beginning.length) !== 0) continue;
    const message = line.toString('latin1', beginning.length, end);
    if (isUlid(message)) return { type, message };
  }
  return toRecord(line);
}

/** Characters of a ULID. */
const ulidLength = 26;
const [quote, brace] = [0x22, 0x7d];
const beginnings = (['decision', 'result'] as const).map((type) => ({
  type,
  beginning: Buffer.from(`{"type":"${type}","message":"`),
}));
