/** What a row of a view shows and says, without anything of the editor in it. */
export interface TreeRow {
  /** Stays the same for as long as the row stands for the same thing. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: RowIcon;
  /** The row as a sentence, for who hears it. */
  readonly ariaLabel: string;
  /** Words that menus ask for, with points between them. */
  readonly contextValue: string;
  /** The command of a click. */
  readonly command?: { readonly command: string; readonly title: string; readonly arguments: readonly unknown[] };
}

export interface RowIcon {
  /** Name of a codicon. */
  readonly name: string;
  /** Id of a colour of the theme; never the only sign of a state. */
  readonly color?: string;
}

/** The parts that there are, with `separator` between them. */
export function joinParts(parts: readonly (string | undefined | false)[], separator = ' · '): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join(separator);
}
