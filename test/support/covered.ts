import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { importsOf } from './sourceText.ts';

/** How often each function of a file was called. */
export interface FileCoverage {
  readonly path: string;
  readonly f: Readonly<Record<string, number>>;
}

/** What runs only in programs that tests start, so that nothing is seen of it in this process. */
const programs = [
  'src/base/offerCalls.ts',
  'src/cli/commands/demo.ts',
  'src/cli/completion/printCompletions.ts',
  'src/cli/main.ts',
  'src/extension.ts',
  'src/knowledge/search/searchWorker.ts',
  'src/mcp/hook.ts',
  'src/mcp/vaultTools.ts',
  'src/knowledge/memory/memoryWorker.ts',
  'src/terminals/pty.ts',
  'src/terminals/terminalHost.ts',
  'src/terminals/terminalProgram.ts',
  'src/terminals/terminalServer.ts',
  'src/vault/entryWorker.ts',
  'src/vault/scanWorker.ts',
];

/** Pages run in a browser alone. */
const pages = 'webview/';

const root = resolve(import.meta.dirname, '../..');

/** Files with functions of which no test called any, by their paths below the project. */
export function uncovered(
  files: readonly FileCoverage[],
  textOf = (path: string): string => readFileSync(resolve(root, path), 'utf8'),
): string[] {
  return files
    .filter(({ f }) => Object.keys(f).length > 0 && Object.values(f).every((calls) => calls === 0))
    .map(({ path }) => relative(root, path))
    .filter((path) => !programs.includes(path) && !path.startsWith(pages) && !needsEditor(path, textOf))
    .sort();
}

/** Whether a file can be loaded in the editor alone, because it or what it imports asks for `vscode`. */
function needsEditor(path: string, textOf: (path: string) => string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  return importsOf(textOf(path)).some(({ specifier, isType }) => {
    if (isType) return false;
    if (specifier === 'vscode') return true;
    return specifier.startsWith('.') && needsEditor(join(dirname(path), specifier), textOf, seen);
  });
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
    if (!['unit', 'core'].every((name) => this.#projects.has(name))) return;
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
