import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runHere } from '../support/commandHere.ts';
import { runRavel } from '../support/runProgram.ts';
import { makeWorld } from '../support/world.ts';

/** What a terminal acts on, or shows as nothing or in another order. */
const unseen = /[^\P{Cc}\t\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
const hostile = 'Mend \u001b]0;owned\u0007 \u009b2J the\u202egnikcah\u2066 door\u200b';
/** In a file of YAML, whose double quotes know these escapes. */
const written = JSON.stringify(hostile).replace(
  /[\u007f-\uffff]/g,
  (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** The commands that are started as programs, so that what a process adds to their texts is seen too. */
const inProcesses = new Set(['why', 'no-such-command']);

async function makeHostileWorld() {
  const task = (id: string) =>
    `  - {id: ${id}, title: ${written}, category: core, status: not_started, dependencies: [], description: ${written}}\n`;
  return makeWorld({
    plan: {
      'backlog.yaml': `tasks:\n${task('door')}`,
      'memory.yaml': `entries:\n  - {id: door, title: ${written}, body: ${written}}\n`,
      'session-log.yaml': `sessions:\n  - {id: s1, timestamp: 2026-01-01T00:00:00Z, phase: work, body: ${written}}\n`,
    },
  });
}

test('no text of a vault reaches a terminal with a character that it would act on or hide', async () => {
  const world = await makeHostileWorld();
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  const { plan } = world;
  const commands = [
    ['status', plan],
    ['state', 'backlog', 'list', plan],
    ['state', 'backlog', 'list', plan, '--format', 'markdown'],
    ['state', 'backlog', 'show', plan, 'door'],
    ['state', 'memory', 'show', plan, 'door'],
    ['state', 'memory', 'list', plan],
    ['state', 'session', 'list', plan],
    ['why', 'door', '--plan', plan],
    ['verify'],
    ['status', hostile],
    ['adopt', `/nowhere/${hostile}`, '--description', 'x'],
    ['run', plan, '--task', hostile],
    ['no-such-command', hostile],
  ];
  let shown = 0;
  for (const args of commands) {
    for (const more of [[], ['--json']]) {
      const run = inProcesses.has(args[0] ?? '') ? runRavel : runHere;
      const { stdout, stderr } = await run([...args, ...more], { environment });
      expect([args.join(' '), unseen.exec(`${stdout}${stderr}`)?.[0]]).toEqual([args.join(' '), undefined]);
      if (more.length > 0 && stdout.includes('gnikcah')) {
        shown++;
        expect(
          JSON.stringify(
            stdout
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line)),
          ),
        ).toContain('\u202egnikcah');
      }
    }
  }
  expect(shown).toBeGreaterThan(5);
});

test.each(['json', 'yaml'])('the data that --format %s gives is exact all the same', async (format) => {
  const world = await makeHostileWorld();
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  const args = ['state', 'backlog', 'show', world.plan, 'door', '--format', format];
  const { stdout } = await runHere(args, { environment });
  expect(unseen.exec(stdout)?.[0]).toBeUndefined();
  expect(parse(stdout)).toMatchObject({ title: hostile, description: hostile });
});
