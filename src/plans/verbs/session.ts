import { defined } from '../../base/defined.ts';
import { plural } from '../../base/text.ts';
import { allocateSlug } from '../../model/id.ts';
import { planFiles } from '../../model/plan.ts';
import { sessionLogSchema, sessionRecordSchema } from '../../model/session.ts';
import { sessionsListed, type VerbArgs } from '../../model/verbs.ts';
import { formatYaml } from '../../yaml/yaml.ts';
import { bodyText, editEffect, findRecord, readEffect, readPlanFile, refusal } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { VerbHandlers, VerbsOf } from './verbHandlers.ts';

export const sessionVerbs: VerbHandlers<VerbsOf<'session' | 'commits'>> = {
  'session/list': listSessions,
  'session/show': showSession,
  'session/append': appendSession,
  'session/show-latest': showLatest,
  'session/set-latest': setLatest,
  'commits/set': setCommits,
};

function listSessions({ limit, all = false }: VerbArgs<'session/list'>, context: VerbContext): VerbEffect {
  if (limit !== undefined && all) {
    throw refusal('state/badArguments', 'Give a limit, or ask for all records, not both.', context);
  }
  const records = readWholeLog(context);
  const newest = records.slice(all ? 0 : -(limit ?? sessionsListed)).toReversed();
  const sessions = newest.map(({ id, timestamp, phase, body }) => ({ id, timestamp, phase, title: headingOf(body) }));
  return readEffect({ sessions, total: records.length }, `${sessions.length} of ${plural(records.length, 'record')}`);
}

/** The heading that a record begins with, without its marks. */
function headingOf(body: string): string {
  return (body.trimStart().split('\n', 1)[0] ?? '').replace(/^#+ /, '').trimEnd();
}

function showSession({ id }: VerbArgs<'session/show'>, context: VerbContext): VerbEffect {
  return readEffect(findRecord(readWholeLog(context), id, 'session record', context).record, `session record ${id}`);
}

/** Doing it again changes nothing, so that an import can be repeated. */
function appendSession(args: VerbArgs<'session/append'>, context: VerbContext): VerbEffect {
  const { id, timestamp, phase = 'work' } = args;
  const file = planFiles.sessionLog;
  const records = context.texts.has(file) ? readLog(context) : [];
  if (records.some((record) => record.id === id)) {
    return readEffect({ id, appended: false }, `the session log has the record ${id} already; nothing was changed`);
  }
  const value = { id, timestamp, phase, body: bodyText(args.body, 'body', context) };
  const done = { result: { id, appended: true }, summary: `appended the record ${id} to the session log` };
  if (!context.texts.has(file)) return { edits: new Map([[file, formatYaml({ sessions: [value] })]]), ...done };
  return editEffect(file, [{ op: 'insert', path: ['sessions'], index: records.length, value }], context, done);
}

function readLog(context: VerbContext) {
  return readPlanFile(planFiles.sessionLog, sessionLogSchema, context).value.sessions ?? [];
}

/** Includes the archive if it was loaded. After a crash a record can be in both. */
function readWholeLog(context: VerbContext) {
  const newer = readLog(context);
  const known = new Set(newer.map(({ id }) => id));
  return [...(context.olderSessions ?? []).filter(({ id }) => !known.has(id)), ...newer];
}

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
    ...defined({ session: context.session }),
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
