import { allocateSlug } from '../../model/id.ts';
import { planFiles } from '../../model/plan.ts';
import { sessionRecordSchema } from '../../model/session.ts';
import type { VerbArgs } from '../../model/verbs.ts';
import { formatYaml } from '../../vault/yaml.ts';
import { bodyText, readEffect, readPlanFile } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { VerbHandlers, VerbsOf } from './verbHandlers.ts';

export const sessionVerbs: VerbHandlers<VerbsOf<'session' | 'commits'>> = {
  'session/show-latest': showLatest,
  'session/set-latest': setLatest,
  'commits/set': setCommits,
};

function showLatest(_args: VerbArgs<'session/show-latest'>, context: VerbContext): VerbEffect {
  const record = readPlanFile(planFiles.latestSession, sessionRecordSchema, context).value;
  return readEffect(record, `session record ${record.id}`);
}

/** Id, time and claim ids are code's; a verdict is never taken from a session, the claims gate sets it. */
function setLatest({ title, body, claims }: VerbArgs<'session/set-latest'>, context: VerbContext): VerbEffect {
  const date = context.now.slice(0, 10);
  const id = `${date}-${allocateSlug(title, new Set(), 'session')}`;
  const record = {
    id,
    timestamp: context.now,
    phase: 'work',
    ...(context.session !== undefined && { session: context.session }),
    body: bodyText(body, 'body', context),
    ...(claims !== undefined &&
      claims.length > 0 && {
        claims: claims.map((claim, index) => ({ id: `c${index + 1}`, text: claim.text, evidence: claim.evidence })),
      }),
  };
  return {
    edits: new Map([[planFiles.latestSession, formatYaml(record)]]),
    result: { id, claims: (record.claims ?? []).map((claim) => claim.id) },
    summary: `wrote the session record ${id}`,
  };
}

function setCommits({ commits }: VerbArgs<'commits/set'>): VerbEffect {
  return {
    edits: new Map([[planFiles.commits, formatYaml({ commits })]]),
    result: { commits: commits.length },
    summary: `wrote a commit specification with ${commits.length} ${commits.length === 1 ? 'entry' : 'entries'}`,
  };
}
