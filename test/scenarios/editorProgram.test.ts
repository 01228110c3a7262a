import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLinePath } from '../support/commandLine.ts';
import { goodReflection, makeReflectWorld, runOptionsOf } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

test('sessions and their tools start through an editor program that is told to act as Node', async () => {
  const world = await makeReflectWorld(goodReflection);
  const program = join(world.root, 'editor');
  await writeFile(program, `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9\nexec '${process.execPath}' "$@"\n`);
  await chmod(program, 0o755);
  const environment = { ELECTRON_RUN_AS_NODE: '1' };
  const { core, events } = await startCore(world, { entry: { program, args: [commandLinePath()], environment } });
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  const ready = events.find((event) => event.type === 'session.output' && event.output.kind === 'ready');
  expect(JSON.stringify(ready)).toContain('memory_add');
});
