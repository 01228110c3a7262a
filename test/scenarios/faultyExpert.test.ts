import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgentCaller } from '../../src/agents/agentCaller.ts';
import { agentTools } from '../../src/agents/agentTools.ts';
import { callTool } from '../../src/agents/callTool.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Ulid } from '../../src/model/id.ts';
import { runHere } from '../support/commandHere.ts';
import { declaration } from '../support/expertDeclaration.ts';
import { makeExpertWorld } from '../support/expertWorld.ts';
import { finishDone, oneEntry, runOptionsOf } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

const fault = 'expert:wasm cannot answer, since its declaration is not valid: The declaration has no "persona"';
const remedy = 'Correct experts/wasm.md; `ravel experts` says all that is wrong with it.';

test('an expert whose declaration was never valid is named as faulty to all who ask it, with what is wrong', async () => {
  const question = { 'target-expert': 'wasm', reason: 'For the design', body: 'How large is a page?' };
  const world = await makeExpertWorld({
    answers: [],
    plan: { 'phase.md': 'reflect\n', 'memory.yaml': oneEntry },
    phases: { reflect: [{ call: 'message_ask', with: question, expect: 'refused' }, finishDone] },
  });
  writeFileSync(join(world.vault, 'experts/wasm.md'), declaration({ persona: undefined }, 'wasm'));
  const { core, events } = await startCore(world);
  const { outcome } = await core.api.request('ask', {
    ...{ 'target-expert': 'wasm', question: 'How large is a page?', 'wait-seconds': 30 },
  });
  expect(outcome).toMatchObject({ kind: 'refused', code: 'message/faultyExpert', reason: fault, help: remedy });

  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  const told = events.flatMap((event) =>
    event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.output] : [],
  );
  expect(told[0]).toContain('The declaration has no "persona"');

  const caller = new AgentCaller({ clock: systemClock, source: () => 'agent:test' });
  const id = '01JD0000000000000000000009' as Ulid;
  const args = { expert: 'wasm', question: 'How large is a page?' };
  const call = { tool: agentTools.ravel_ask_expert, args, id, signal: AbortSignal.timeout(30_000), caller };
  expect(await callTool(call, (work) => work(core.api))).toBe(`It is refused: ${fault}. ${remedy}`);
});

test('ravel ask says what is wrong with a faulty expert', async () => {
  const world = await makeExpertWorld({ answers: [] });
  writeFileSync(join(world.vault, 'experts/wasm.md'), 'no frontmatter\n');
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  const { code, stdout, stderr } = await runHere(['ask', 'expert:wasm', 'How large is a page?'], { environment });
  expect(code).toBe(4);
  expect(`${stdout}${stderr}`).toContain('expert:wasm cannot answer, since its declaration is not valid');
});
