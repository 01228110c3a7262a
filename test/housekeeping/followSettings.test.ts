import { expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.ts';
import { silentLogger } from '../../src/base/log.ts';
import { followSettings } from '../../src/housekeeping/followSettings.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { ManualClock } from '../support/manualClock.ts';

const [at, actor] = ['2026-01-02T03:04:05Z', 'Demo/project-root'] as const;
const session = '01M0A9XQYJ6N8K3T5V7W9Y1Z2A';

test.each<[string, number, object]>([
  ['daemon.toml was edited', 1, { type: 'vault.changed', files: ['daemon.toml'] }],
  ['a session has ended', 1, { type: 'session.ended', session }],
  ['another file was edited', 0, { type: 'vault.changed', files: ['routing.yaml'] }],
])('once %s, daemon.toml is looked at %i times', async (_what, times, event) => {
  const events = new Emitter<RavelEvent>((error) => {
    throw error;
  });
  const seen: string[] = [];
  const followed = followSettings(
    {
      clock: new ManualClock(),
      emit: (told) => events.emit(told),
      onEvent: events.event,
      log: silentLogger,
      layout: new VaultLayout('/vault'),
    },
    {
      refresh: async () => void seen.push('refresh'),
      sessionStarted: () => undefined,
      sessionEnded: (id: string) => void seen.push(id),
    } as unknown as Parameters<typeof followSettings>[1],
  );
  events.emit({ at, actor, ...event } as RavelEvent);
  await followed.stop();
  // What it may not widen is known by who ran, so a session is no longer running before the file is looked at.
  expect(seen).toEqual([...('session' in event ? [session] : []), ...Array<string>(times).fill('refresh')]);
});
