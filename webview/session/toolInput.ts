/** What a tool was asked for, in the parts that a reader looks for. */
export interface ToolInput {
  readonly command?: string;
  /** The stretch of a file that is replaced. */
  readonly edit?: { readonly path: string; readonly before: string; readonly after: string };
  /** Everything else, as JSON. */
  readonly rest?: string;
}

export function readToolInput(input: unknown): ToolInput {
  if (typeof input !== 'object' || input === null) {
    return input === undefined ? {} : { rest: JSON.stringify(input) };
  }
  const { command, file_path, path = file_path, ...others } = input as Readonly<Record<string, unknown>>;
  if (typeof command === 'string') return { command, ...restOf(others) };
  const before = textOf(others['old_string'], others['replace']);
  const after = textOf(others['new_string'], others['with'], others['content']);
  if (typeof path !== 'string' || after === undefined) return restOf(input);
  return { edit: { path, before: before ?? '', after } };
}

/** How many lines an edit takes away and puts there. */
export function countLines({ before, after }: { readonly before: string; readonly after: string }) {
  return { removed: linesOf(before), added: linesOf(after) };
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

function textOf(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string') as string | undefined;
}

function restOf(fields: object): Pick<ToolInput, 'rest'> {
  return Object.keys(fields).length === 0 ? {} : { rest: JSON.stringify(fields, null, 2) };
}
