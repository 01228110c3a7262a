import { join } from 'node:path';
import { readTextIfExists } from '../base/files.ts';
import { planFiles } from '../model/plan.ts';
import type { ChangesPage, CheckedClaim } from '../model/requests/inspect.ts';
import { type Evidence, sessionRecordSchema } from '../model/session.ts';
import { committedText } from '../plans/planHistory.ts';
import { readYaml } from '../yaml/yaml.ts';
import { restOfCycle, type SessionSnapshot } from './sessionSnapshot.ts';
import { commitsOf, stagingOf } from './traces.ts';

/** What was claimed of the work of a session's cycle, and what code found: from its analysis, or from the work itself. */
export async function inspectClaims(snapshot: SessionSnapshot): Promise<Pick<ChangesPage, 'claims' | 'record'>> {
  const text = await recordText(snapshot);
  if (text === undefined) return { claims: [] };
  const place = { file: planFiles.latestSession, subject: snapshot.location.id };
  const { value } = readYaml(sessionRecordSchema, text, place);
  if (value === undefined) return { claims: [] };
  const claims = (value.claims ?? []).map(
    ({ id, text: said, evidence, verdict }): CheckedClaim => ({
      id,
      text: said,
      evidence: (evidence ?? []).map(describeEvidence),
      ...(verdict != null && { verdict }),
    }),
  );
  return { claims, record: value.body };
}

/** As it is being written, as it was committed, or as it stands in the plan while that is still the same cycle. */
async function recordText(snapshot: SessionSnapshot): Promise<string | undefined> {
  const { services, location, at } = snapshot;
  if (at.phase !== 'work' && at.phase !== 'analyse-work') return undefined;
  const file = planFiles.latestSession;
  const staging = await stagingOf(snapshot);
  if (at.phase === 'analyse-work' && staging !== undefined) {
    return readTextIfExists(services.disk, join(staging.plan, file));
  }
  // The last commit of a code phase is the one of the plan's files.
  const made = commitsOf(snapshot).at(-1);
  if (made !== undefined) {
    return committedText(services, location, made.commit, file);
  }
  const { rest, isNewest } = restOfCycle(snapshot);
  const wasAnalysed = rest.some(({ phase, end }) => phase === 'analyse-work' && end === 'finished');
  if (!isNewest || !wasAnalysed) return undefined;
  return readTextIfExists(services.disk, join(location.directory, file));
}

function describeEvidence(evidence: Evidence): CheckedClaim['evidence'][number] {
  if ('test' in evidence) return { kind: 'test', text: evidence.test };
  if ('commit' in evidence) return { kind: 'commit', text: evidence.commit };
  if ('file' in evidence) return { kind: 'file', text: evidence.file };
  return { kind: 'change', text: evidence.hunk === undefined ? evidence.path : `${evidence.path} ${evidence.hunk}` };
}
