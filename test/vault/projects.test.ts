import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { loadProjects, prepareRegistration } from '../../src/vault/projects.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { traceDisk } from '../support/tracingDisk.ts';

let layout: VaultLayout;

beforeEach(async () => {
  layout = new VaultLayout(await makeTemporaryDirectory());
});

describe('loadProjects', () => {
  test('returns no projects without files', async () => {
    expect(await loadProjects(nodeDisk, layout)).toEqual({ projects: [], diagnostics: [] });
  });

  test('joins the shared registry with the paths of this machine', async () => {
    writeFileSync(
      layout.projectsFile,
      'projects:\n- {name: A, remote: git@host:a}\n- {name: B, remote: ~, note: kept}\n',
    );
    writeFileSync(layout.localProjectsFile, 'projects:\n- {name: B, path: /b}\n- {name: C, path: /c}\n');
    expect(await loadProjects(nodeDisk, layout)).toEqual({
      projects: [
        { name: 'A', remote: 'git@host:a' },
        { name: 'B', path: '/b' },
        { name: 'C', path: '/c' },
      ],
      diagnostics: [],
    });
  });

  test('reports bad content at its line', async () => {
    writeFileSync(layout.projectsFile, 'projects:\n- nam: A\n');
    writeFileSync(layout.localProjectsFile, 'projects: [\n');
    const { diagnostics } = await loadProjects(nodeDisk, layout);
    expect(diagnostics).toMatchObject([
      { code: 'yaml/schema', file: layout.projectsFile },
      { code: 'yaml/syntax', file: layout.localProjectsFile },
    ]);
    expect(diagnostics[0]?.range?.start.line).toBe(1);
  });
});

describe('prepareRegistration', () => {
  const read = (file: string) => readFileSync(file, 'utf8');

  test('prepares both files, and writes them only when asked', async () => {
    const registration = await prepareRegistration(nodeDisk, layout, { name: 'A', path: '/a', remote: 'r' });
    expect(registration.isComplete).toBe(false);
    expect(existsSync(layout.projectsFile)).toBe(false);
    await registration.write();
    expect(await loadProjects(nodeDisk, layout)).toMatchObject({ projects: [{ name: 'A', path: '/a', remote: 'r' }] });
    expect((await prepareRegistration(nodeDisk, layout, { name: 'A', path: '/a' })).isComplete).toBe(true);
  });

  test('appends to a list, keeps comments and corrects a path', async () => {
    writeFileSync(layout.projectsFile, '# Ours\nprojects:\n- name: A # first\n');
    writeFileSync(layout.localProjectsFile, 'projects:\n- name: B\n  path: /old # moved\n');
    await (await prepareRegistration(nodeDisk, layout, { name: 'B', path: '/new' })).write();
    expect(read(layout.projectsFile)).toBe('# Ours\nprojects:\n- name: A # first\n- name: B\n');
    expect(read(layout.localProjectsFile)).toBe('projects:\n- name: B\n  path: /new # moved\n');
  });

  test('writes only the file that changes', async () => {
    writeFileSync(layout.projectsFile, 'projects:\n- name: A\n');
    const renamed: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, path) => void (name === 'rename' && renamed.push(basename(path))));
    await (await prepareRegistration(disk, layout, { name: 'A', path: '/a' })).write();
    expect(renamed).toEqual([expect.stringMatching(/^\.projects\.local\.yaml\./)]);
  });

  test('fills the empty list of a new vault', async () => {
    writeFileSync(layout.projectsFile, '# Ours\nprojects: []\n');
    await (await prepareRegistration(nodeDisk, layout, { name: 'B', path: '/new' })).write();
    expect(read(layout.projectsFile)).toContain('# Ours\n');
    expect((await loadProjects(nodeDisk, layout)).projects).toEqual([{ name: 'B', path: '/new' }]);
  });

  test('refuses, and writes nothing, if either file is bad', async () => {
    writeFileSync(layout.projectsFile, 'projects: {}\n');
    const problem = await failureOf(() => prepareRegistration(nodeDisk, layout, { name: 'B', path: '/new' }));
    expect(problem).toMatchObject({ code: 'yaml/schema', file: layout.projectsFile });
    expect(existsSync(layout.localProjectsFile)).toBe(false);
  });

  test('does not overwrite a file that was saved since it was read', async () => {
    writeFileSync(layout.projectsFile, 'projects: []\n');
    const registration = await prepareRegistration(nodeDisk, layout, { name: 'B', path: '/new' });
    writeFileSync(layout.projectsFile, 'projects: [] # theirs\n');
    expect(await failureOf(() => registration.write())).toMatchObject({ code: 'yaml/changedMeanwhile' });
    expect(read(layout.projectsFile)).toBe('projects: [] # theirs\n');
  });
});
