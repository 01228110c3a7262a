import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more, the longest first. Their size, which decides otherwise, does not show it. */
const long = [
  'test/real/readoptWork.test.ts',
  'test/real/readoptReflect.test.ts',
  'test/crash/analysis.test.ts',
  'test/core.test.ts',
  'test/real/faults.test.ts',
  'test/crash/readoptWork.test.ts',
  'test/crash/readoptReflect.test.ts',
  'test/crash/decision.test.ts',
  'test/scenarios/badDisk.test.ts',
  'test/scenarios/pausedRun.test.ts',
  'test/crash/reflection.test.ts',
  'test/terminals/terminalProgram.test.ts',
  'test/packaging/package.test.ts',
];

/** Begins with the files that take longest, so that none of them is left to run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = long.findIndex((path) => moduleId.endsWith(`/${path}`));
      return at < 0 ? long.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
