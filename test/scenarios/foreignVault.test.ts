import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../support/commandHere.ts';
import { makeWorld, startCore } from '../support/world.ts';

describe('a vault of another user', () => {
  test.each(['runtime', 'runtime/sessions', 'decisions'])('that brings %s as a link is not opened', async (place) => {
    const world = await makeWorld();
    const outside = join(world.root, 'outside');
    await mkdir(outside);
    await rm(join(world.vault, place), { recursive: true, force: true });
    await mkdir(join(world.vault, place, '..'), { recursive: true });
    await symlink(outside, join(world.vault, place));
    const environment = { ...world.environment, RAVEL_VAULT: world.vault };
    for (const args of [['run', world.plan], ['status'], ['verify'], ['doctor'], ['daemon']]) {
      const { code, stdout, stderr } = await runHere(args, { environment });
      expect([args[0], code === 0]).toEqual([args[0], false]);
      expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain(`${place} is a symbolic link`);
    }
    expect(await readdir(outside)).toEqual([]);
  });

  test('can change while it is open: verify and doctor report the link', async () => {
    const world = await makeWorld();
    const { core } = await startCore(world);
    await symlink(world.root, join(world.vault, 'runtime/grants'));
    const found = expect.objectContaining({ subject: join(world.vault, 'runtime/grants') });
    expect((await core.api.request('verify', {})).diagnostics).toContainEqual(found);
    expect((await core.api.request('doctor', {})).checks).toContainEqual(found);
  });

  test('names a program that doctor starts only for the owner of the vault', async () => {
    const world = await makeWorld();
    const program = join(world.root, 'evil');
    const proof = join(world.root, 'started');
    await writeFile(program, `#!/bin/sh\ntouch '${proof}'\necho 2.1.5\n`);
    await chmod(program, 0o755);
    await writeFile(
      join(world.vault, 'daemon.toml'),
      `[harnesses.claude-code]\nprogram = ${JSON.stringify(program)}\n`,
    );
    const { stdout } = await runHere(['doctor'], { environment: { ...world.environment, RAVEL_VAULT: world.vault } });
    expect(existsSync(proof)).toBe(false);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`${program} was not started to ask its version`);
    const { core } = await startCore(world);
    await core.api.request('doctor', {});
    expect(existsSync(proof)).toBe(true);
  });
});
