import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { commitPaths } from '../../src/git/commit.ts';
import { createGit, type Git } from '../../src/git/git.ts';
import type { Confiner } from '../../src/harness/confinement/confinement.ts';
import { createConfiner } from '../../src/harness/confinement/confiner.ts';
import { confineHooks } from '../../src/plans/commits/confineHooks.ts';
import { makePlanWorld, type PlanWorld } from './planServices.ts';

/** A project with a real sandbox around the hooks of its commits. */
export interface HooksWorld extends PlanWorld {
  readonly ringed: Git;
  readonly home: string;
  /** Installs a program, by its path from the home folder in which project and vault lie. */
  program(path: string, script: string): void;
  /** Changes `a.txt` and commits it. */
  commit(message?: string, directory?: string): Promise<{ readonly outcome: string }>;
}

export interface HooksWorldOptions {
  readonly confiner?: Confiner;
  readonly commands?: 'preferred' | 'required' | 'off';
}

export async function makeHooksWorld({
  confiner,
  commands = 'preferred',
}: HooksWorldOptions = {}): Promise<HooksWorld> {
  const world = await makePlanWorld({
    source: { 'a.txt': 'one\n', 'b.txt': 'one\n' },
    settings: { sandbox: { commands } },
  });
  const { environment, runScript } = world.services;
  let secrets = 0;
  const newSecret = () => `secret-of-a-test-${String(secrets++)}`;
  const services = {
    ...world.services,
    confiner: confiner ?? createConfiner({ disk: nodeDisk, environment, runScript, newSecret }),
  };
  const ringed = createGit({
    ...{ environment, clock: systemClock, disk: nodeDisk },
    confineHooks: (place) => confineHooks(services, place),
  });
  return {
    ...world,
    ringed,
    home: world.folder,
    program(path, script) {
      const file = join(world.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    },
    commit(message = 'Change things', directory = world.project) {
      writeFileSync(join(directory, 'a.txt'), 'two\n');
      return commitPaths(ringed, { directory, paths: ['a.txt'], exclude: [], message, trailers: [] });
    },
  };
}
