import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { absorbing, candidatesOf, futures, makeIngestionWorld } from '../support/ingestionWorld.ts';
import { finishDone, nextEvent } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

const said = 'A mutex that is held across an await blocks the whole executor.';

test('the real Claude Code looks entries up, and takes in for an expert what a plan proved', {
  timeout: 120_000,
}, async () => {
  const shared = 'knowledge/domains/mutex.md';
  const world = await makeIngestionWorld({
    learned: [futures],
    files: { [shared]: `---\nid: 01JD0000000000000000000000\ntitle: Held locks block\ntags: [locks]\n---\n${said}\n` },
  });
  writeFileSync(join(world.vault, 'daemon.toml'), claudeSettings());
  const { title, body } = futures;
  const scenario = JSON.stringify({
    version: 1,
    phases: {
      reflect: [
        { call: 'knowledge_search', with: { text: 'mutex held across an await', tag: 'locks' } },
        { call: 'knowledge_show', with: { entry: ['Held locks block'] } },
        { call: 'memory_add', with: { title, body, claims: ['c1'] } },
        finishDone,
      ],
    },
    consultations: { absorb: [{ steps: [...absorbing, { say: 'Done.' }] }] },
  });
  const { model, environment } = await startClaudeWorld(world, scenario);
  const { core, events } = await startCore({ ...world, environment });
  const told = nextEvent(core, 'knowledge.candidate');
  expect(await core.api.request('run_phase', { plan: world.plan })).toMatchObject({ end: 'finished' });
  expect(await told).toMatchObject({ title, state: 'added' });
  expect(model.mismatches).toEqual([]);

  const answers = events.flatMap((event) =>
    event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.output] : [],
  );
  expect(answers[0]).toContain(`- Held locks block (${shared}) [reference, confidence low, consolidated, #locks]`);
  expect(answers[1]).toContain(said);
  const { uses } = await core.api.request('entry', { entry: shared });
  expect(uses).toMatchObject({ shown: 2, weight: 0 });

  const became = candidatesOf(world)[0]?.became ?? '';
  expect((await core.api.request('entry', { entry: became })).fields).toMatchObject({
    ...{ title, 'absorbed-by': 'rust', confidence: 'medium', origins: [{ project: 'greeter' }] },
  });
  const offered = new Set(
    model.requests
      .filter(({ messages }) => JSON.stringify(messages).includes('# What the plan learned'))
      .flatMap(({ tools = [] }) => tools.map(({ name }) => name)),
  );
  expect([...offered].sort()).toEqual(['mcp__ravel__absorb', 'mcp__ravel__link', 'mcp__ravel__reject']);
});
