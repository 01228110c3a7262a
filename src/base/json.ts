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
