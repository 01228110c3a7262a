/** Where a stretch of a page leads: to a file, by its path from the vault on, or to a command. */
export type PageTarget =
  | { readonly file: string }
  | { readonly command: string; readonly arguments: readonly unknown[] };

/** A stretch of a line that leads somewhere. */
export interface PageLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly tooltip: string;
  readonly to: PageTarget;
}

/** A page to read, and where its stretches lead. */
export interface Page {
  readonly text: string;
  readonly links: readonly PageLink[];
}

/** A part of a line that leads somewhere. */
export interface LinkedPart {
  readonly text: string;
  readonly tooltip: string;
  readonly to: PageTarget;
}

/** Writes a page line by line. Texts of others have to be made harmless before. */
export class PageWriter {
  readonly #lines: string[] = [];
  readonly #links: PageLink[] = [];

  /** One line of these parts; an empty one without any. */
  line(...parts: readonly (string | LinkedPart)[]): void {
    let text = '';
    for (const part of parts) {
      if (typeof part === 'string') {
        text += part;
        continue;
      }
      const { tooltip, to } = part;
      const end = text.length + part.text.length;
      this.#links.push({ line: this.#lines.length, start: text.length, end, tooltip, to });
      text += part.text;
    }
    this.#lines.push(text);
  }

  lines(lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  heading(text: string): void {
    this.lines(['', `## ${text}`, '']);
  }

  page(): Page {
    return { text: `${this.#lines.join('\n')}\n`, links: this.#links };
  }
}
