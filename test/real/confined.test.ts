import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { testNeeding } from '../support/machine.ts';
import { formatScenario } from '../support/phaseWorld.ts';
import { backlogOf } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

/** What a program that the gates allow could do to everybody else. */
const attack = `
cat ../../home/secret.txt ../../vault/daemon.toml
env; cat /proc/*/environ
echo changed > ravel/project-root/memory.yaml
echo changed >> .git/config
echo changed > ../beside.txt
echo changed > ../../home/.bashrc
ls -A "$(dirname "$RAVEL_SOCKET")" ../../vault
echo tried > tried.txt
`;

const work = [
  { run: { command: 'sh tools/attack.sh' } },
  { run: { command: 'git status --porcelain' } },
  { call: 'backlog_set_status', with: { id: 'first', status: 'done' } },
  { call: 'backlog_set_results', with: { id: 'first', body: 'It is done.' } },
  { finish: { outcome: 'done', summary: 'It is done.' } },
];

/** Writes the configuration of a person who has used the program before, so that it asks nothing at its start. */
async function signIn(world: World, configuration: string): Promise<void> {
  await mkdir(configuration, { recursive: true });
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['no-key-at-all'] },
    projects: { [world.project]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(join(configuration, '.claude.json'), JSON.stringify(state));
}

for (const where of ['without a terminal', 'in a terminal'] as const) {
  testNeeding(
    needs,
    `what the real Claude Code runs ${where} is confined, and its tools reach their owner`,
    async () => {
      const world = await makeWorld({
        settings: `[limits]\nexit-grace-seconds = 1\n${claudeSettings()}`,
        plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
      });
      await world.write('tools/attack.sh', attack);
      await writeFile(join(world.environment['HOME'] ?? '', 'secret.txt'), 'CANARY\n');
      const memory = await world.readPlan('memory.yaml');
      const { model, environment } = await startClaudeWorld(world, formatScenario({ work }));
      await signIn(world, environment['CLAUDE_CONFIG_DIR'] ?? '');
      const { core, events } = await startCore({ ...world, environment }, { sandbox: true });
      const ended = new Promise<RavelEvent>((resolve) => {
        core.api.onEvent((event) => event.type === 'phase.ended' && resolve(event));
      });
      const size = { columns: 110, rows: 35 };
      const { plan } = world;
      if (where === 'in a terminal') {
        await core.api.request('open_terminal', { kind: 'work', plan, harness: 'claude-code', size });
      } else {
        await core.api.request('run_phase', { plan, harness: 'claude-code' });
      }
      expect(await ended).toMatchObject({ phase: 'work', end: 'finished' });

      expect(model.mismatches).toEqual([]);
      const started = events.find(({ type }) => type === 'session.started');
      expect(started).toMatchObject({ confinement: { state: 'confined' } });
      const results = events.flatMap((event) =>
        event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.output] : [],
      );
      const said = results.join('\n');
      expect(said).toContain('Read-only file system');
      expect(said).not.toContain('CANARY');
      expect(said).not.toContain('no-key-at-all');
      expect(said).not.toMatch(/RAVEL_TOKEN|ANTHROPIC_|daemon\.sock/);
      expect(await world.read('tried.txt')).toBe('tried\n');
      expect(await world.readPlan('memory.yaml')).toBe(memory);
      expect(readFileSync(join(world.project, '.git/config'), 'utf8')).not.toContain('changed');
      expect(existsSync(join(world.project, '../beside.txt'))).toBe(false);
      expect(existsSync(join(world.environment['HOME'] ?? '', '.bashrc'))).toBe(false);
      expect(`${results[1] ?? ''}\n`).toBe(await world.git('status', '--porcelain'));
      expect(existsSync(join(world.project, '.claude'))).toBe(false);
    },
  );
}
