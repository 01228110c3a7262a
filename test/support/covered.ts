import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { importsOf } from './sourceText.ts';

/** How often each function of a file was called. */
export interface FileCoverage {
  readonly path: string;
  readonly f: Readonly<Record<string, number>>;
}

/** Programs start here, and tests start them as programs, so that nothing is seen of them in this process. */
const entries = ['src/cli/main.ts', 'src/extension.ts', 'src/vault/scanWorker.ts'];

/** Packages that only an editor or a page has. Files that import them run in the tests of the editor. */
const editorPackages = new Set(['vscode', 'lit', 'uplot', '@vscode/webview-ui-toolkit', '@lit-labs/virtualizer']);

const root = resolve(import.meta.dirname, '../..');

/** Files with functions of which no test called any, by their paths below the project. */
export function uncovered(
  files: readonly FileCoverage[],
  textOf = (path: string): string => readFileSync(resolve(root, path), 'utf8'),
): string[] {
  return files
    .filter(({ f }) => Object.keys(f).length > 0 && Object.values(f).every((calls) => calls === 0))
    .map(({ path }) => relative(root, path))
    .filter((path) => !entries.includes(path) && !needsEditor(textOf(path)))
    .sort();
}

function needsEditor(text: string): boolean {
  return importsOf(text).some(
    ({ specifier }) => editorPackages.has(specifier.split('/', 1)[0] ?? '') || editorPackages.has(specifier),
  );
}

/** Fails a whole run that calls no function of some source file. */
export class Covered implements Reporter {
  readonly #print: (line: string) => unknown;
  readonly #fail: () => unknown;
  readonly #projects = new Set<string>();

  constructor({ print = (line: string): unknown => process.stdout.write(`${line}\n`), fail = failRun } = {}) {
    this.#print = print;
    this.#fail = fail;
  }

  onTestModuleEnd({ project }: Pick<TestModule, 'project'>): void {
    this.#projects.add(project.name);
  }

  onCoverage(coverage: unknown): void {
    // A run of a few projects calls a part of the code.
    if (!['unit', 'core', 'crash', 'real'].every((name) => this.#projects.has(name))) return;
    const files = uncovered(filesOf(coverage as CoverageMap));
    if (files.length === 0) return;
    this.#print(
      `No test calls anything in ${files.length} source files:\n${files.map((path) => `  ${path}`).join('\n')}`,
    );
    this.#fail();
  }
}

/** What the coverage provider hands over: a map of istanbul. */
interface CoverageMap {
  files(): string[];
  fileCoverageFor(path: string): { readonly data: FileCoverage };
}

function filesOf(map: CoverageMap): FileCoverage[] {
  return map.files().map((path) => map.fileCoverageFor(path).data);
}

function failRun(): void {
  process.exitCode = 1;
}
