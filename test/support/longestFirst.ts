import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take minutes: each ends an owner before every change of the disk. */
const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/crash/');

/** Begins with the files that take longest, so that none of them is left to run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
