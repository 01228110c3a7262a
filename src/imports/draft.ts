import { defined } from '../base/defined.ts';
import type { Diagnostic } from '../base/errors.ts';
import { type Code, diagnostic } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import type { ImportedFile } from '../model/requests/imports.ts';

/** A file to make: a text, or a copy of a file of the source. */
export type DraftContent = { readonly text: string } | { readonly copyOf: string };

/** Folder of a plan for what was imported and cannot stay where it was. */
const importedFolder = 'imported';

/** What an import is going to make. Every file of the source gets its line in the report, once or more often. */
export class Draft {
  readonly plan: QualifiedId;
  readonly files = new Map<string, DraftContent>();
  readonly report: ImportedFile[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #source: string;
  readonly #kept: string[] = [];

  /** `source` is the folder's path, for diagnostics. */
  constructor(plan: QualifiedId, source: string) {
    this.plan = plan;
    this.#source = source;
  }

  /** A file of the source stays what it is, byte for byte. */
  take(path: string, note?: string): void {
    this.files.set(path, { copyOf: path });
    this.#report({ path, as: 'taken' }, note);
  }

  /** A file of the source becomes another one; the original is kept. */
  convert(from: string, path: string, text: string, note?: string): void {
    this.files.set(path, { text });
    this.#report({ path, as: 'converted', ...(from !== path && { from }) }, note);
    this.keep(from);
  }

  /** A file of the source is out of Ravel's way, but there. */
  keep(from: string, note?: string): void {
    const path = this.#freePath(`${importedFolder}/${from}`);
    this.files.set(path, { copyOf: from });
    this.#kept.push(path.slice(importedFolder.length + 1));
    this.#report({ path, as: 'kept', from }, note);
  }

  make(path: string, text: string, note?: string): void {
    this.files.set(path, { text });
    this.#report({ path, as: 'made' }, note);
  }

  leaveOut(path: string, note: string): void {
    this.#report({ path, as: 'left-out' }, note);
  }

  warn(code: Code, file: string, message: string): void {
    this.diagnostics.push(
      diagnostic(code, this.plan, message, { severity: 'warning', file: `${this.#source}/${file}` }),
    );
  }

  /**
   * Takes what nothing was decided about, so that no file is lost. Git ignores views and what a cycle uses up by their
   * names, so it has to be told of originals that have one.
   */
  finish(files: readonly string[]): void {
    const reported = new Set(this.report.map(({ path, from }) => from ?? path));
    for (const path of files) if (!reported.has(path)) this.take(path);
    if (this.#kept.length === 0) return;
    const lines = this.#kept.map((path) => `!/${path.replace(/[\\*?[\]! #]/g, '\\$&')}`);
    const path = this.#freePath(`${importedFolder}/.gitignore`);
    this.make(path, `# Originals are kept, whatever their names\n${lines.sort().join('\n')}\n`);
  }

  #report(file: ImportedFile, note: string | undefined): void {
    this.report.push({ ...file, ...defined({ note }) });
  }

  #freePath(path: string): string {
    let free = path;
    for (let n = 2; this.files.has(free); n++) free = `${path}.${n}`;
    return free;
  }
}
