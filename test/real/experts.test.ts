import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { makeExpertWorld, pinning, quoting } from '../support/expertWorld.ts';
import { finishDone, oneEntry } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

const question = 'When does a future need to be pinned?';

test('the real Claude Code asks an expert, and is one', { timeout: 120_000 }, async () => {
  const world = await makeExpertWorld({ answers: [], plan: { 'phase.md': 'reflect\n', 'memory.yaml': oneEntry } });
  writeFileSync(join(world.vault, 'daemon.toml'), claudeSettings());
  const invented = { entry: 'pin-1', passage: 'No entry says anything of the kind.' };
  const scenario = JSON.stringify({
    version: 1,
    phases: {
      reflect: [
        { call: 'message_ask', with: { 'target-expert': 'rust', reason: 'For the design', body: question } },
        finishDone,
      ],
    },
    consultations: {
      answer: [
        {
          when: 'On one thread.',
          steps: [
            { call: 'answer', with: { answer: 'x', citations: [invented], confidence: 'low' }, expect: 'refused' },
            ...quoting().slice(1),
            { say: 'Done.' },
          ],
        },
        { steps: [{ call: 'ask_back', with: { question: 'Which executor?' } }, { say: 'Done.' }] },
      ],
    },
  });
  const { model, environment } = await startClaudeWorld(world, scenario);
  const { core, events } = await startCore({ ...world, environment });
  const asked = await core.api.request('ask', { 'target-expert': 'rust', question, 'wait-seconds': 100 });
  expect(asked.askedBack).toMatchObject({ text: 'Which executor?' });
  const params = { query: asked.query, text: 'On one thread.', 'wait-seconds': 100 };
  const { answer } = await core.api.request('reply', params);
  expect(answer).toMatchObject({ state: 'answered', text: pinning.answer, isSupported: true });

  const run = await core.api.request('run_phase', { plan: world.plan });
  expect(run).toMatchObject({ end: 'finished' });
  expect(model.mismatches).toEqual([]);
  const told = events.find((event) => event.type === 'session.verb' && event.verb === 'message/ask');
  expect(told).toMatchObject({ applied: true, callId: expect.any(String) });
  const isItsCall = (event: (typeof events)[number]) =>
    event.type === 'session.output' &&
    event.output.kind === 'toolStarted' &&
    told?.type === 'session.verb' &&
    event.session === told.session &&
    event.output.callId === told.callId;
  expect(events.filter(isItsCall)).toHaveLength(1);
  const offered = new Set(
    model.requests
      .filter(({ messages }) => JSON.stringify(messages).includes('pin-1'))
      .flatMap(({ tools = [] }) => tools.map(({ name }) => name)),
  );
  expect([...offered].sort()).toEqual(['mcp__ravel__answer', 'mcp__ravel__ask_back', 'mcp__ravel__decline']);
});
