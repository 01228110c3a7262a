import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectRepository } from '../../../src/git/repository.ts';
import { takeWorkBaseline } from '../../../src/plans/phases/preflight.ts';
import { revertSource } from '../../../src/plans/sessions/sourceRevert.ts';
import { updateRunState } from '../../../src/vault/runState.ts';
import { failureOf } from '../../support/failureOf.ts';
import { makePlanWorld, type PlanWorld } from '../../support/planServices.ts';

const binary = Buffer.from([0, 255, 254, 13, 10, 195]);

async function makeWorld(): Promise<PlanWorld> {
  const world = await makePlanWorld({ source: { 'a.txt': 'a\n', 'dir/b.txt': 'b\n', 'mine.txt': 'clean\n' } });
  await writeFile(join(world.project, 'image.bin'), binary);
  await writeFile(join(world.project, 'run.sh'), 'run\n', { mode: 0o755 });
  await symlink('a.txt', join(world.project, 'was-link'));
  await world.git('add', 'image.bin', 'run.sh', 'was-link');
  await world.git('commit', '--quiet', '--message=Add an image');
  world.write('Demo/mine.txt', 'dirty before\n');
  const repository = await inspectRepository(world.services.git, world.project);
  const work = await takeWorkBaseline(world.services, world.location, repository);
  await world.services.disk.makeDirectory(world.layout.plans);
  await updateRunState(world.services, world.plan, (state) => ({ ...state, baselines: { work } }));
  return world;
}

const revert = (world: PlanWorld, path: string) => revertSource(world.services, world.location, path);

describe('reverting a file', () => {
  async function check(path: string, expected: string | undefined, change: (file: string) => unknown): Promise<string> {
    const world = await makeWorld();
    const file = join(world.project, path);
    await change(file);
    const summary = await revert(world, path);
    expect(existsSync(file) ? readFileSync(file, 'latin1') : undefined).toBe(expected);
    expect(world.read('Demo/mine.txt')).toBe('dirty before\n');
    return summary;
  }

  test('restores its text from when work began', async () => {
    expect(await check('a.txt', 'a\n', (file) => writeFile(file, 'changed'))).toBe('put a.txt back');
    expect(await check('dir/b.txt', 'b\n', (file) => rmSync(file))).toBe('put dir/b.txt back');
    expect(await check('./a.txt', 'a\n', (file) => writeFile(file, 'changed'))).toBe('put a.txt back');
  });

  test('restores a binary file byte for byte', () =>
    check('image.bin', binary.toString('latin1'), (file) => writeFile(file, 'changed')).then((summary) =>
      expect(summary).toBe('put image.bin back'),
    ));

  test.each<[string, string, (file: string) => unknown, number]>([
    ['it was changed', 'run.sh', (file) => writeFile(file, 'changed'), 0o755],
    ['it was removed', 'run.sh', (file) => rmSync(file), 0o755],
    ['it lost its permission to execute', 'run.sh', (file) => chmod(file, 0o600), 0o700],
    ['it gained permission to execute', 'a.txt', (file) => chmod(file, 0o755), 0o644],
  ])('restores the permission to execute after %s', async (_name, path, change, mode) => {
    const world = await makeWorld();
    const file = join(world.project, path);
    await change(file);
    await revert(world, path);
    expect(statSync(file).mode & 0o777).toBe(mode);
  });

  test('restores its folder as well', () =>
    check('dir/b.txt', 'b\n', (file) => rmSync(dirname(file), { recursive: true })));

  test('removes a file that is new', async () => {
    expect(await check('new.txt', undefined, (file) => writeFile(file, 'new'))).toBe('removed new.txt, which was new');
  });

  test('restores the text from before a later commit', async () => {
    const world = await makeWorld();
    world.write('Demo/a.txt', 'changed\n');
    await world.git('commit', '--quiet', '--message=Change it', 'a.txt');
    await revert(world, 'a.txt');
    expect(world.read('Demo/a.txt')).toBe('a\n');
  });
});

describe('reverting a file twice, as after a crash,', () => {
  test.each([
    ['a.txt', 'changed', 'put a.txt back'],
    ['new.txt', 'new', 'removed new.txt, which was new'],
  ])('leaves %s as it was when work began', async (path, text, expected) => {
    const world = await makeWorld();
    world.write(`Demo/${path}`, text);
    expect(await revert(world, path)).toBe(expected);
    expect(await revert(world, path)).toBe(`${path} is as it was when work began`);
    expect(existsSync(join(world.project, path))).toBe(path === 'a.txt');
    expect(world.read('Demo/a.txt')).toBe('a\n');
  });

  test('still refuses a file that was dirty before work', async () => {
    const world = await makeWorld();
    world.write('Demo/mine.txt', 'clean\n');
    expect(await failureOf(() => revert(world, 'mine.txt'))).toMatchObject({ code: 'state/notAllowed' });
  });
});

describe('reverting is refused without touching any file', () => {
  async function check(path: string, expected: string, change?: (world: PlanWorld) => unknown): Promise<void> {
    const world = await makeWorld();
    world.write('Demo/a.txt', 'changed\n');
    await change?.(world);
    const problem = await failureOf(() => revert(world, path));
    expect(problem).toMatchObject({ code: 'state/notAllowed', subject: world.plan });
    expect(problem.message).toContain(expected);
    expect(await readFile(join(world.project, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(world.read('Demo/mine.txt')).toBe('dirty before\n');
  }

  test('for a path outside the project or in plan state', async () => {
    await check('../outside.txt', 'not inside the project');
    await check('dir/../../outside.txt', 'not inside the project');
    await check('/etc/hosts', 'not inside the project');
    await check('ravel/project-root/backlog.yaml', 'is state');
    await check('dir/../ravel/project-root/backlog.yaml', 'is state');
  });

  test('for a path that leads through a link', async () => {
    await check('link/b.txt', 'leads through a link', (world) => symlink('dir', join(world.project, 'link')));
    await check('link', 'leads through a link', (world) => symlink('a.txt', join(world.project, 'link')));
  });

  test('for a path that was a link', () =>
    check('was-link', 'was a link', async ({ project }) => {
      rmSync(join(project, 'was-link'));
      await writeFile(join(project, 'was-link'), 'x');
    }));

  test('for a file that was dirty before work', () => check('mine.txt', "a person's"));

  test('without a baseline', async () => {
    await check('a.txt', 'no work baseline', (world) =>
      updateRunState(world.services, world.plan, (state) => ({ ...state, baselines: {} })),
    );
  });
});
