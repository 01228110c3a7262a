import type { TestProject } from 'vitest/node';
import { buildCommandLine, buildExtension } from '../../esbuild.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Why the command line could not be bundled; empty when it was. */
    buildProblem: string;
  }
}

/** Bundles the command line and the extension once for a run; a failure turns those tests red that use the bundle, and no others. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('buildProblem', await buildProblem());
}

async function buildProblem(): Promise<string> {
  try {
    await buildCommandLine();
    await buildExtension();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
