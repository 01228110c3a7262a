import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, makeExpertWorld, pinning, quoting } from '../support/expertWorld.ts';
import { startCore } from '../support/world.ts';

/** As the first design of Ravel printed it, word for word. */
const printed = `---
actor-type: expert
expert-id: rust-expert
description: Memory model, async runtimes, FFI, systems-programming idioms.
persona: |
  You are a Rust expert with deep systems-programming experience.
  Prefer practical answers grounded in actual standard-library or
  crate documentation. Push back on questionable abstractions.
  Cite specific crates or RFCs when claims are load-bearing.
knowledge-scope:
  - knowledge/languages/rust/
  - knowledge/techniques/memory-management/
  - knowledge/techniques/async-patterns/
retrieval:
  strategy: keyword
  max-entries: 10
---
# Rust Expert
Human-readable notes on when to consult this expert.
`;

test('a declaration as the first design of Ravel printed it loads, and its expert answers from each of its folders', async () => {
  const entry = 'knowledge/techniques/async-patterns/cancel.md';
  const passage = 'A future that is dropped is cancelled at its last await.';
  const cited = [
    {
      call: 'answer',
      with: { answer: 'At its last await.', citations: [{ entry: 'cancel-1', passage }], confidence: 'high' },
    },
  ];
  const world = await makeExpertWorld({
    answers: [{ when: 'When is a dropped future cancelled?', steps: cited }, { steps: quoting() }],
  });
  for (const [path, text] of Object.entries({
    'experts/rust-expert.md': printed,
    'knowledge/techniques/memory-management/arena.md': '# Arenas\n\nAn arena frees all at once.\n',
    [entry]: `---\ntitle: Cancelling\nid: cancel-1\n---\n${passage}\n`,
  })) {
    mkdirSync(dirname(join(world.vault, path)), { recursive: true });
    writeFileSync(join(world.vault, path), text);
  }
  const { core } = await startCore(world);
  const { experts, diagnostics } = await core.api.request('experts', {});
  expect(diagnostics.filter(({ subject }) => subject === 'expert:rust-expert')).toEqual([]);
  expect(experts.find(({ actor }) => actor === 'expert:rust-expert')?.declaration).toMatchObject({
    persona: expect.stringMatching(
      /^You are a Rust expert[\s\S]*Cite specific crates or RFCs when claims are load-bearing\.\n$/,
    ),
    'knowledge-scope': ['languages/rust', 'techniques/memory-management', 'techniques/async-patterns'],
    retrieval: { strategy: 'keyword', 'max-entries': 10 },
  });
  const first = await ask(core, 'When does a future need to be pinned?', 'rust-expert');
  expect(first.answer).toMatchObject({ by: 'expert:rust-expert', state: 'answered', isSupported: true });
  expect(first.answer?.passages).toMatchObject([{ path: pinning.path }]);
  const second = await ask(core, 'When is a dropped future cancelled?', 'rust-expert');
  expect(second.answer).toMatchObject({ state: 'answered', text: 'At its last await.', isSupported: true });
  expect(second.answer?.passages).toMatchObject([{ path: entry }]);
});

test('without a rule, a question to whom it may concern reaches the expert that a session chooses, and is answered', async () => {
  const question = 'When does a future need to be pinned?';
  const world = await makeExpertWorld({ answers: [{ steps: quoting() }] });
  const scenario = JSON.parse(readFileSync(world.scenario, 'utf8'));
  const chosen = { target_plan: 'expert:rust', justification: 'It is about futures.' };
  scenario.consultations.route = [{ when: question, steps: [{ call: 'accept_dispatch', with: chosen }] }];
  writeFileSync(world.scenario, JSON.stringify(scenario));
  const { core } = await startCore(world);
  const { answer, query } = await core.api.request('ask', { target: 'auto', question, 'wait-seconds': 60 });
  expect(answer).toMatchObject({ by: 'expert:rust', state: 'answered', text: pinning.answer, isSupported: true });
  const { routes } = await core.api.request('routes', { message: query });
  expect(routes).toMatchObject([{ step: 'level-2', outcome: { kind: 'routed', to: 'expert:rust' } }]);
  expect((await core.api.request('approvals', {})).approvals).toEqual([]);
});
