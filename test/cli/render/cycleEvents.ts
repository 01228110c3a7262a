import { diagnostic } from '../../../src/model/codes.ts';
import type { RavelEvent } from '../../../src/model/event.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { sampleEvent, samplePlan, sampleSession, sampleUsage } from '../samples.ts';

let seq = 0;
function output(value: Extract<RavelEvent, { type: 'session.output' }>['output']): RavelEvent {
  return sampleEvent({ type: 'session.output', session: sampleSession, seq: seq++, output: value });
}
const session = sampleSession;

/** One event of each kind there is, and each turn a session can take, in an order that could happen. */
export const cycleEvents: readonly RavelEvent[] = [
  sampleEvent({ type: 'recovered', what: 'a commit was finished', outcome: 'finished' }),
  sampleEvent({
    type: 'run.queued',
    phase: 'work',
    behind: samplePlan,
    reason: `${samplePlan} works in the same tree`,
  }),
  sampleEvent({ type: 'run.queued', reason: '20 plans and experts are active, which is the limit' }),
  sampleEvent({ type: 'actor.changed', state: 'active' }),
  sampleEvent({ type: 'actor.changed', state: 'faulted', reason: 'line 3 of its mailbox is damaged' }),
  sampleEvent({ type: 'message.accepted', message: session, messageType: 'dispatch', from: 'person' }),
  sampleEvent({
    ...{ type: 'message.handled', message: session, messageType: 'dispatch', from: 'person' },
    outcome: { kind: 'done', summary: 'received' },
  }),
  sampleEvent({
    ...{ type: 'message.handled', message: session, messageType: 'query', from: samplePlan },
    outcome: { kind: 'rejected', code: 'message/notYetImplemented', reason: 'A plan answers no questions yet.' },
  }),
  sampleEvent({
    ...{ type: 'message.dead', message: session, messageType: 'dispatch', from: samplePlan },
    reason: 'backlog.yaml cannot be read',
  }),
  sampleEvent({ type: 'query.answered', query: session, by: samplePlan, state: 'answered' }),
  sampleEvent({ type: 'query.clarification', query: session, by: samplePlan, text: 'Which executor?', round: 1 }),
  sampleEvent({ type: 'query.replied', query: session, by: 'person' }),
  sampleEvent({
    ...{ type: 'knowledge.step', ingestion: session, title: 'Retries need a limit', step: 'offered' },
    text: 'To expert:rust.',
  }),
  sampleEvent({
    ...{ type: 'knowledge.candidate', ingestion: session, title: 'Retries need a limit', state: 'added' },
    outcome: 'expert:rust: It holds for every client.',
  }),
  sampleEvent({ type: 'knowledge.gap', gap: session, question: 'When does a future need to be pinned?' }),
  sampleEvent({
    ...{ type: 'message.routing', message: session, messageType: 'dispatch', step: 'level-2', session },
    text: 'a session looks at the project Shop',
  }),
  sampleEvent({
    ...{ type: 'message.routed', message: session, messageType: 'dispatch', from: samplePlan, rules: ['refunds'] },
    ...{ step: 'rules', outcome: { kind: 'routed', to: samplePlan } },
  }),
  sampleEvent({
    ...{ type: 'message.routed', message: session, messageType: 'query', from: 'person', step: 'direct', rules: [] },
    outcome: { kind: 'refused', code: 'message/unknownPlan', reason: 'there is no plan Shop/project-root/till' },
  }),
  sampleEvent({
    ...{ type: 'message.routed', message: session, messageType: 'dispatch', from: samplePlan, rules: [] },
    ...{ step: 'person', outcome: { kind: 'waiting', approval: session, reason: 'nobody accepted it' } },
  }),
  sampleEvent({ type: 'session.noted', session, note: session, text: 'Leave the parser alone.\nFor now.' }),
  sampleEvent({
    type: 'session.recalled',
    session,
    tool: 'Read',
    entries: ['Names are trimmed', 'Two\nlines'],
    bytes: 400,
  }),
  sampleEvent({ type: 'vault.verifying', done: 1200, total: 10_000 }),
  sampleEvent({ type: 'phase.started', phase: 'work', session, harness: 'scripted', task: 'fix-the-crash' }),
  sampleEvent({
    type: 'session.started',
    session,
    phase: 'work',
    harness: 'scripted',
    givenBytes: 12_345,
    givenTokens: 3_100,
    reattached: false,
  }),
  sampleEvent({ type: 'spawn.measured', session, harness: 'scripted', firstOutputMs: 120 }),
  output({ kind: 'ready', model: 'm', version: '1', tools: [] }),
  output({ kind: 'text', text: 'The test should be red.\nLet me see.' }),
  output({ kind: 'toolStarted', tool: 'Bash', callId: '1', input: { command: 'node --test' } }),
  output({ kind: 'toolEnded', callId: '1', isError: true, exitCode: 1, output: 'Exit code 1\n1 failing' }),
  output({ kind: 'toolStarted', tool: 'Edit', callId: '2', input: { file_path: '/code/demo/src/a.js' } }),
  output({ kind: 'toolEnded', callId: '2', isError: false, output: 'ok' }),
  output({ kind: 'toolStarted', tool: 'memory_list', callId: '3', input: {} }),
  output({ kind: 'toolStarted', tool: 'backlog_delete', callId: '4', input: { id: 'a' } }),
  output({ kind: 'usage', usage: sampleUsage }),
  output({ kind: 'retry', attempt: 2, reason: 'overloaded' }),
  output({ kind: 'warning', message: 'an odd line' }),
  sampleEvent({
    type: 'session.verb',
    session,
    verb: 'backlog/set-status',
    applied: true,
    summary: 'fix-the-crash is done',
  }),
  sampleEvent({ type: 'session.verb', session, verb: 'backlog/delete', applied: false, summary: 'not in this phase' }),
  output({ kind: 'toolEnded', callId: '4', isError: true, output: 'state/notAllowed: not in this phase' }),
  output({ kind: 'toolStarted', tool: 'finish_phase', callId: '5', input: { outcome: 'done' } }),
  sampleEvent({ type: 'gate.judged', session, gate: 'schema', outcome: 'accept' }),
  sampleEvent({ type: 'gate.judged', session, gate: 'claims', outcome: 'modify', reason: 'one claim' }),
  sampleEvent({
    type: 'gate.judged',
    session,
    gate: 'paths',
    outcome: 'reject',
    reason: 'Too much changed.',
    findings: ['memory.yaml changed', 'phase.md changed'],
  }),
  output({ kind: 'toolEnded', callId: '5', isError: true, output: 'Refused. Mend it.\nToo much changed.' }),
  output({ kind: 'toolEnded', callId: '6', isError: true, output: 'nobody else told this' }),
  sampleEvent({
    type: 'gate.judged',
    session,
    gate: 'tool',
    subject: 'Bash',
    call: 'Bash curl https://example.org',
    outcome: 'needs-approval',
    reason: 'It wants the network.',
  }),
  sampleEvent({
    type: 'gate.judged',
    session,
    gate: 'tool',
    subject: 'Bash',
    call: 'Bash git push',
    outcome: 'reject',
    reason:
      'git push is refused: leave the change in the tree, code makes the commits, and nothing leaves the machine.',
  }),
  sampleEvent({
    type: 'approval.opened',
    approval: session,
    kind: 'tool-request',
    subject: 'Bash curl https://example.org: It wants the network.',
  }),
  output({ kind: 'result', isError: false, reason: 'completed', usage: sampleUsage }),
  output({ kind: 'result', isError: true, reason: 'gave up', usage: sampleUsage }),
  sampleEvent({ type: 'session.ended', session, end: 'exited', durationMs: 72_000 }),
  sampleEvent({ type: 'session.ended', session, end: 'timeLimit', durationMs: 72_000 }),
  sampleEvent({ type: 'state.merged', session, files: ['backlog.yaml'], personEdited: ['memory.yaml'] }),
  sampleEvent({
    type: 'commit.made',
    phase: 'git-commit-work',
    commit: 'a1b2c3d4e5f60718',
    title: 'Fix it',
    paths: ['a.js'],
  }),
  sampleEvent({ type: 'commit.skipped', phase: 'git-commit-work', title: 'Tidy up', reason: 'nothing changed' }),
  sampleEvent({ type: 'approval.opened', approval: session as Ulid, kind: 'needs-input', subject: 'Which colour?' }),
  sampleEvent({
    type: 'approval.deferred',
    approval: session as Ulid,
    kind: 'entry-graduation',
    until: '2026-01-03T03:04:05Z',
  }),
  sampleEvent({
    type: 'approval.decided',
    approval: session as Ulid,
    kind: 'needs-input',
    decision: 'accept',
    by: 'ada',
  }),
  sampleEvent({
    type: 'diagnostic',
    diagnostic: diagnostic('view/edited', 'demo', 'A view was edited.', { severity: 'warning' }),
  }),
  sampleEvent({
    type: 'phase.ended',
    phase: 'work',
    end: 'finished',
    next: 'analyse-work',
    session,
    summary: 'It works.',
  }),
  sampleEvent({ type: 'phase.ended', phase: 'reflect', end: 'failed', next: 'reflect', session, summary: '' }),
  sampleEvent({ type: 'run.ended', reason: 'cycle-ended' }),
  sampleEvent({
    ...{ type: 'budget.reached', scope: 'the vault', limitUsd: 5, spentUsd: 5, reservedUsd: 0 },
    until: '2026-01-03T00:00:00Z',
  }),
  sampleEvent({ type: 'run.paused', done: 1, cycles: 2 }),
  sampleEvent({ type: 'plan.changed', change: 'renamed', from: samplePlan }),
  sampleEvent({ type: 'plan.changed', change: 'edited', files: ['backlog.yaml', 'phase.md'] }),
  sampleEvent({ type: 'plan.changed', change: 'edited', files: ['backlog.yaml'], summary: 'added the task greet' }),
  sampleEvent({ type: 'vault.changed', files: ['daemon.toml', 'projects/shop'] }),
  sampleEvent({ type: 'knowledge.changed', did: 'Add Retries need a limit', entries: ['knowledge/tools/retries.md'] }),
];
