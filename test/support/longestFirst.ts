import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds of a processor or more, the longest first. Their size, which decides otherwise, does not show it. */
const long = [
  'test/editor/terminals.test.ts',
  'test/editor/tabs.test.ts',
  'test/editor/firstMinutes.test.ts',
  'test/editor/inHost.test.ts',
  'test/editor/life.test.ts',
  'test/editor/routing.test.ts',
  'test/editor/trees.test.ts',
  'test/editor/package.test.ts',
  'test/real/firstHour.test.ts',
  'test/real/faults.test.ts',
  'test/real/readoptReflect.test.ts',
  'test/real/readoptWork.test.ts',
  'test/real/attacks.test.ts',
  'test/crash/analysis.test.ts',
  'test/crash/readoptWork.test.ts',
  'test/crash/readoptReflect.test.ts',
  'test/crash/decision.test.ts',
  'test/crash/reflection.test.ts',
  'test/crash/phaseSigkill.test.ts',
  'test/crash/phaseSigterm.test.ts',
  'test/crash/phaseSigint.test.ts',
  'test/crash/commitSigkill.test.ts',
  'test/changes.test.ts',
  'test/scenarios/rehearsal.test.ts',
  'test/harness/claudeProgram.test.ts',
  'test/cli/commands/demo.test.ts',
  'test/scenarios/owners.test.ts',
  'test/scenarios/uncovered.test.ts',
  'test/scenarios/daemon.test.ts',
  'test/harness/consultations.test.ts',
  'test/scenarios/badDisk.test.ts',
  'test/git/hardening.test.ts',
  'test/scenarios/pausedRun.test.ts',
  'test/scenarios/badGit.test.ts',
  'test/library.test.ts',
  'test/packaging/package.test.ts',
  'test/scenarios/fullInbox.test.ts',
  'test/scenarios/inProcessSessions.test.ts',
  'test/scenarios/ingestion.test.ts',
  'test/harness/host.test.ts',
  'test/scenarios/ingestionShown.test.ts',
  'test/scenarios/workApprovals.test.ts',
  'test/harness/scriptedProgram.test.ts',
  'test/scenarios/terminals.test.ts',
  'test/scenarios/concurrency.test.ts',
  'test/scenarios/manualRuns.test.ts',
  'test/scenarios/sessionSocket.test.ts',
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
