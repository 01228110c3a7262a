/** How deep values of others may nest where code calls itself for each level; `parseJson` gives back far deeper ones. */
export const nestingMax = 100;
/** In the place of what nests deeper. */
export const nestedTooDeep = `[left out: nested more than ${nestingMax} deep]`;

/** Whether values nest deeper than `nestingMax` in this one. */
export function isNestedTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= nestingMax; depth++) {
    if (level.length === 0) return false;
    level = level.flatMap((one) => (Array.isArray(one) ? one : isRecord(one) ? Object.values(one) : []));
  }
  return level.length > 0;
}

/** The value of a JSON text; undefined if it is not valid JSON, such as a line that was cut short. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Every caller has a schema or a rule for what it takes, and that refuses this like any other bad content.
    return undefined;
  }
}

/** Whether an untrusted value is an object with named fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
