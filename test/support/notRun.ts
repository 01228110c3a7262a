import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** What one test needed and the machine did not have. */
export interface Lack {
  readonly test: string;
  readonly needs: string;
  /** Fails no run. */
  readonly isRare?: boolean;
}

/** One line that names what was not run, as `Not run on this machine: 3 tests (2 need a loop device, 1 needs root)`. */
export function formatLacks(lacks: readonly Lack[]): string {
  const counts = new Map<string, number>();
  for (const { needs } of lacks) counts.set(needs, (counts.get(needs) ?? 0) + 1);
  const reasons = [...counts].map(([needs, count]) => `${count} ${count === 1 ? 'needs' : 'need'} ${needs}`);
  return `Not run on this machine: ${lacks.length} ${lacks.length === 1 ? 'test' : 'tests'} (${reasons.join(', ')})`;
}

/** Names in its last line the tests that this machine cannot run. Under `CI` such a test fails the run, unless it lacks what is rare. */
export class NotRun implements Reporter {
  readonly #isStrict: boolean;
  readonly #print: (line: string) => unknown;
  readonly #fail: () => unknown;
  readonly #lacks: Lack[] = [];
  readonly #editorLack: string | undefined;
  readonly #projects = new Set<string>();

  constructor({
    isStrict = !['', 'false', undefined].includes(process.env['CI']),
    print = (line: string): unknown => process.stdout.write(`${line}\n`),
    fail = failRun,
    editorLack = undefined as string | undefined,
  } = {}) {
    this.#isStrict = isStrict;
    this.#print = print;
    this.#fail = fail;
    this.#editorLack = editorLack;
  }

  onTestModuleEnd({ project }: Pick<TestModule, 'project'>): void {
    this.#projects.add(project.name);
  }

  onTestCaseResult(test: Pick<TestCase, 'fullName' | 'result' | 'meta'>): void {
    const result = test.result();
    // A test that a name pattern leaves out has no note.
    if (result.state === 'skipped' && result.note !== undefined) {
      const isRare = test.meta().lacksRare === true;
      this.#lacks.push({ test: test.fullName, needs: result.note, isRare });
    }
  }

  onTestRunEnd(): void {
    // A run of some projects did not mean to run the editor.
    const isWhole = ['unit', 'core', 'crash', 'real'].every((name) => this.#projects.has(name));
    if (this.#editorLack !== undefined && isWhole) {
      this.#lacks.push({ test: 'all tests of the editor', needs: this.#editorLack });
    }
    if (this.#lacks.length === 0) return;
    for (const { test, needs } of this.#lacks) this.#print(`  not run: ${test} (needs ${needs})`);
    this.#print(formatLacks(this.#lacks));
    if (this.#isStrict && this.#lacks.some(({ isRare }) => isRare !== true)) this.#fail();
  }
}

function failRun(): void {
  process.exitCode = 1;
}
