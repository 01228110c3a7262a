import type { Reporter, TestModule } from 'vitest/node';
import { type ProjectName, testProjects } from './projects.ts';

interface Span {
  firstMs: number;
  lastMs: number;
}

/** What a project took of its budget, both in seconds. */
export interface Use {
  readonly name: ProjectName;
  readonly seconds: number;
  readonly budgetSeconds: number;
}

/** How many times its budget a project may take under `CI` before it fails: a busy machine is not a defect. */
const strictFactor = 3;

function isOver({ seconds, budgetSeconds }: Use): boolean {
  return seconds > budgetSeconds;
}

/** One line for a project, as `core      214 s of 360 s`. */
export function formatUse(use: Use): string {
  const { name, seconds, budgetSeconds } = use;
  const line = `${name.padEnd(8)}${Math.round(seconds).toString().padStart(5)} s of ${budgetSeconds} s`;
  return isOver(use) ? `${line}  OVER BUDGET` : line;
}

/** Prints how much of its budget each project used. Under `CI`, a project that took three times its budget fails the run. */
export class Budgets implements Reporter {
  readonly #isStrict: boolean;
  readonly #now: () => number;
  readonly #print: (line: string) => unknown;
  readonly #fail: () => unknown;
  readonly #spans = new Map<string, Span>();

  constructor({
    isStrict = !['', 'false', undefined].includes(process.env['CI']),
    now = () => performance.now(),
    print = (line: string): unknown => process.stdout.write(`${line}\n`),
    fail = failRun,
  } = {}) {
    this.#isStrict = isStrict;
    this.#now = now;
    this.#print = print;
    this.#fail = fail;
  }

  onTestModuleQueued({ project }: Pick<TestModule, 'project'>): void {
    const nowMs = this.#now();
    if (!this.#spans.has(project.name)) this.#spans.set(project.name, { firstMs: nowMs, lastMs: nowMs });
  }

  onTestModuleEnd({ project }: Pick<TestModule, 'project'>): void {
    const span = this.#spans.get(project.name);
    if (span !== undefined) span.lastMs = this.#now();
  }

  onTestRunEnd(): void {
    const uses = this.#uses();
    if (uses.length === 0) return;
    this.#print(`\nTime used, by project:\n${uses.map((use) => `  ${formatUse(use)}`).join('\n')}\n`);
    if (this.#isStrict && uses.some(({ seconds, budgetSeconds }) => seconds > strictFactor * budgetSeconds))
      this.#fail();
  }

  #uses(): Use[] {
    return (Object.keys(testProjects) as ProjectName[]).flatMap((name) => {
      const span = this.#spans.get(name);
      const { budgetSeconds } = testProjects[name];
      return span === undefined ? [] : [{ name, seconds: (span.lastMs - span.firstMs) / 1000, budgetSeconds }];
    });
  }
}

function failRun(): void {
  process.exitCode = 1;
}
