import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { projectNameProblem } from '../../src/model/id.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { traceDisk } from '../support/tracingDisk.ts';

let folder: string;
let layout: VaultLayout;

beforeEach(async () => {
  folder = await makeTemporaryDirectory();
  layout = new VaultLayout(join(folder, 'vault'));
  mkdirSync(layout.projects, { recursive: true });
});

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function plans(...paths: string[]): void {
  for (const path of paths) write(`${path}/plan-state.md`);
}

function link(name: string, target: string): void {
  symlinkSync(target, join(layout.projects, name));
}

function adopt(name: string): void {
  mkdirSync(join(folder, name, 'ravel/knowledge'), { recursive: true });
  plans(`${name}/ravel/project-root`);
  link(name, join(folder, name, 'ravel'));
}

/** The ids of the plans and `code subject` of the diagnostics; each diagnostic has a file. */
async function walk() {
  const result = await walkVault(nodeDisk, layout);
  for (const one of result.diagnostics) expect(one.file, one.code).toContain(folder);
  return {
    plans: result.plans.map(({ id }) => id),
    faults: result.diagnostics.map((one) => `${one.code} ${one.subject}`),
    messages: result.diagnostics.map((one) => one.message.replaceAll(folder, '')).join('\n'),
  };
}

describe('walking the plans of a vault', () => {
  test('finds none without projects or without their folder', async () => {
    expect(await walk()).toEqual({ plans: [], faults: [], messages: '' });
    rmSync(layout.projects, { recursive: true });
    expect(await walk()).toEqual({ plans: [], faults: [], messages: '' });
  });

  test('finds each folder with a marker, sorted, with its place and nearest parent', async () => {
    adopt('Zoo');
    adopt('Demo');
    plans('Demo/ravel/project-root/b', 'Demo/ravel/project-root/a/deep/er');
    write('Demo/ravel/project-root/a/note.md');
    const result = await walkVault(nodeDisk, layout);
    expect(result.diagnostics).toEqual([]);
    const place = {
      project: 'Demo',
      projectDirectory: join(folder, 'Demo'),
      ravelDirectory: join(folder, 'Demo/ravel'),
    };
    expect(result.plans).toEqual([
      { id: 'Demo/project-root', directory: join(layout.projects, 'Demo/project-root'), ...place },
      {
        id: 'Demo/project-root/a/deep/er',
        directory: join(layout.projects, 'Demo/project-root/a/deep/er'),
        parent: 'Demo/project-root',
        ...place,
      },
      {
        id: 'Demo/project-root/b',
        directory: join(layout.projects, 'Demo/project-root/b'),
        parent: 'Demo/project-root',
        ...place,
      },
      expect.objectContaining({ id: 'Zoo/project-root', project: 'Zoo' }),
    ]);
  });

  test('takes the nearest plan, not the root, for the parent', async () => {
    adopt('Demo');
    plans('Demo/ravel/project-root/a', 'Demo/ravel/project-root/a/b', 'Demo/ravel/project-root/a-b');
    const parents = (await walkVault(nodeDisk, layout)).plans.map((plan) => plan.parent);
    expect(parents).toEqual([undefined, 'Demo/project-root', 'Demo/project-root', 'Demo/project-root/a']);
  });

  test('ignores a folder named like the marker', async () => {
    adopt('Demo');
    mkdirSync(join(folder, 'Demo/ravel/project-root/x/plan-state.md'), { recursive: true });
    expect(await walk()).toMatchObject({ plans: ['Demo/project-root'], faults: [] });
  });

  test('reads at most 16 folders at a time', async () => {
    adopt('Demo');
    for (let n = 0; n < 100; n++) plans(`Demo/ravel/project-root/p${n}`);
    let open = 0;
    let most = 0;
    const disk = {
      ...nodeDisk,
      async readDirectory(path: string) {
        most = Math.max(most, ++open);
        const entries = await nodeDisk.readDirectory(path);
        open--;
        return entries;
      },
    };
    expect((await walkVault(disk, layout)).plans).toHaveLength(101);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
  });

  test('opens no file', async () => {
    adopt('Demo');
    const used = new Set<string>();
    await walkVault(
      traceDisk(nodeDisk, (_n, name) => void used.add(name)),
      layout,
    );
    expect([...used].sort()).toEqual(['readDirectory', 'realPath', 'stat']);
  });
});

describe('walking the links of projects', () => {
  test.each([
    ['leads to nothing', () => link('Bad', join(folder, 'gone/ravel')), 'project/badLink', 'does not exist'],
    ['is a folder', () => mkdirSync(join(layout.projects, 'Bad')), 'project/badLink', 'is not a symlink'],
    ['is a file', () => write('vault/projects/Bad'), 'project/badLink', 'is not a symlink'],
    ['leads to the project itself', () => link('Bad', join(folder, 'Demo')), 'project/badLink', 'is not the ravel/'],
    [
      'leads to a file',
      () => {
        write('x/ravel');
        link('Bad', join(folder, 'x/ravel'));
      },
      'project/badLink',
      'is not the ravel/',
    ],
    [
      'leads through a file',
      () => {
        write('x');
        link('Bad', join(folder, 'x/ravel'));
      },
      'project/badLink',
      'does not exist',
    ],
    ['leads to itself', () => link('Bad', 'Bad'), 'project/linkLoop', 'back to itself'],
    ['leads where another does', () => link('Bad', join(folder, 'Other/ravel')), 'project/badLink', 'one host project'],
  ])('reports an entry that %s', async (_, make, code, message) => {
    adopt('Demo');
    if (code === 'project/badLink' && message === 'one host project') {
      plans('Other/ravel/project-root');
      link('Aaa', join(folder, 'Other/ravel'));
    }
    make();
    const result = await walk();
    expect(result.plans).toContain('Demo/project-root');
    expect(result.faults).toEqual([`${code} projects/Bad`]);
    expect(result.messages).toContain(message);
  });

  test('refuses the reserved name, and names that cannot be part of an id', async () => {
    plans('x/ravel/project-root');
    link('project-root', join(folder, 'x/ravel'));
    link('a:b', join(folder, 'x/ravel'));
    expect(await walk()).toMatchObject({
      plans: [],
      faults: ['project/badLink projects/a:b', 'project/badLink projects/project-root'],
    });
    expect(projectNameProblem('a/b')).toBe('it holds a slash');
    expect(projectNameProblem('.a')).toContain('dot');
    expect(projectNameProblem('Demo')).toBeUndefined();
  });

  test('ignores system files, but reports a hidden folder', async () => {
    write('vault/projects/.DS_Store');
    expect(await walk()).toMatchObject({ faults: [] });
    mkdirSync(join(layout.projects, '.hidden'));
    expect(await walk()).toMatchObject({ faults: ['project/badLink projects/.hidden'] });
  });
});

describe('walking ravel/ reports', () => {
  const root = 'Demo/ravel/project-root';

  const faults: [string, () => void, string, string[]?][] = [
    ['no root plan', () => rmSync(join(folder, root, 'plan-state.md')), 'project/noRootPlan Demo/project-root', []],
    [
      'no root folder',
      () => rmSync(join(folder, root), { recursive: true }),
      'project/noRootPlan Demo/project-root',
      [],
    ],
    ['a nested root', () => plans(`${root}/a/project-root`), 'project/nestedRoot Demo/project-root/a/project-root'],
    ['a root elsewhere', () => plans('Demo/ravel/x/project-root'), 'project/nestedRoot Demo/x/project-root'],
    [
      'a root in a root',
      () => mkdirSync(join(folder, root, 'project-root')),
      'project/nestedRoot Demo/project-root/project-root',
    ],
    [
      'a marker in knowledge/',
      () => plans('Demo/ravel/knowledge'),
      'project/planInKnowledge Demo/knowledge/plan-state.md',
    ],
    [
      'a marker deep in knowledge/',
      () => plans('Demo/ravel/knowledge/a/b'),
      'project/planInKnowledge Demo/knowledge/a/b/plan-state.md',
    ],
    [
      'a root in knowledge/',
      () => plans('Demo/ravel/knowledge/project-root'),
      'project/nestedRoot Demo/knowledge/project-root',
    ],
    ['a plan beside the root', () => plans('Demo/ravel/other'), 'plan/badId Demo/other/plan-state.md'],
    ['a plan that is ravel/ itself', () => plans('Demo/ravel'), 'plan/badId Demo/plan-state.md'],
    [
      'a name that cannot be part of an id',
      () => plans(`${root}/a:b`),
      'plan/badId Demo/project-root/a:b/plan-state.md',
    ],
    ['a hidden plan', () => plans(`${root}/.a`), 'plan/badId Demo/project-root/.a/plan-state.md'],
    ['a link out', () => symlinkSync(folder, join(folder, root, 'out')), 'project/linkOut Demo/project-root/out'],
    [
      'a link to the project',
      () => symlinkSync('../..', join(folder, root, 'up')),
      'project/linkOut Demo/project-root/up',
    ],
    [
      'a file link out',
      () => symlinkSync('/etc/hosts', join(folder, root, 'x.md')),
      'project/linkOut Demo/project-root/x.md',
    ],
    [
      'a link to a sibling folder whose name begins alike',
      () => {
        mkdirSync(join(folder, 'Demo/ravel-old'));
        symlinkSync('../../ravel-old', join(folder, root, 'old'));
      },
      'project/linkOut Demo/project-root/old',
    ],
    [
      'a dangling link out',
      () => symlinkSync('/nowhere/x', join(folder, root, 'x')),
      'project/linkOut Demo/project-root/x',
    ],
    ['a dangling link', () => symlinkSync('gone', join(folder, root, 'x')), 'project/badLink Demo/project-root/x'],
    ['a link to itself', () => symlinkSync('x', join(folder, root, 'x')), 'project/linkLoop Demo/project-root/x'],
    [
      'a link to a parent folder',
      () => symlinkSync('..', join(folder, root, 'x')),
      'project/linkLoop Demo/project-root/x',
    ],
    [
      'a link out in knowledge/',
      () => symlinkSync(folder, join(folder, 'Demo/ravel/knowledge/k')),
      'project/linkOut Demo/knowledge/k',
    ],
  ];

  test.each(faults)('%s', async (_, make, fault, expected = ['Demo/project-root']) => {
    adopt('Demo');
    make();
    expect(await walk()).toMatchObject({ plans: expected, faults: [fault] });
  });

  test('a marker that links out, and makes no plan of it', async () => {
    adopt('Demo');
    write('outside.md');
    mkdirSync(join(folder, root, 'x'));
    symlinkSync(join(folder, 'outside.md'), join(folder, root, 'x/plan-state.md'));
    expect(await walk()).toMatchObject({
      plans: ['Demo/project-root'],
      faults: ['project/linkOut Demo/project-root/x/plan-state.md'],
    });
  });

  test('nothing for a link inside, and does not follow it', async () => {
    adopt('Demo');
    plans(`${root}/a`);
    symlinkSync('a', join(folder, root, 'b'));
    write('Demo/ravel/knowledge/k.md');
    symlinkSync('../knowledge/k.md', join(folder, root, 'k.md'));
    expect(await walk()).toMatchObject({ plans: ['Demo/project-root', 'Demo/project-root/a'], faults: [] });
  });

  test('the second of two ids that differ only in case or Unicode form, and leaves it out', async () => {
    adopt('Demo');
    plans(`${root}/Abc`, `${root}/abc`, `${root}/\u00e9`, `${root}/e\u0301`);
    const result = await walk();
    expect(result.plans).toEqual(['Demo/project-root', 'Demo/project-root/Abc', 'Demo/project-root/e\u0301']);
    expect(result.faults.sort()).toEqual(['plan/badId Demo/project-root/abc', 'plan/badId Demo/project-root/\u00e9']);
  });

  test('an unreadable folder, and walks the rest', async () => {
    adopt('Demo');
    plans(`${root}/a`, `${root}/b`);
    const denied = join(folder, root, 'a');
    const disk = {
      ...nodeDisk,
      readDirectory(path: string) {
        if (path === denied) return Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' }));
        return nodeDisk.readDirectory(path);
      },
    };
    const result = await walkVault(disk, layout);
    expect(result.plans.map(({ id }) => id)).toEqual(['Demo/project-root', 'Demo/project-root/b']);
    expect(result.diagnostics).toMatchObject([{ code: 'disk/denied', file: denied }]);
  });

  test('no programming error as bad content, but throws it', async () => {
    const disk = { ...nodeDisk, readDirectory: () => Promise.reject(new TypeError('a defect')) };
    await expect(walkVault(disk, layout)).rejects.toThrow('a defect');
  });
});
