import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ToolVerdict } from '../../src/gates/tools/toolGate.ts';
import type { ToolRequest } from '../../src/model/verdict.ts';
import { judgeToolOnDisk } from '../../src/plans/sessions/judgeToolOnDisk.ts';

/** A project on disk with all that a session must not reach, and a home folder beside it. */
export interface GateProject {
  readonly project: string;
  readonly home: string;
  judge(tool: string, input: Record<string, unknown>, confinement: ToolRequest['confinement']): Promise<ToolVerdict>;
  remove(): Promise<void>;
}

const secret = 'CANARY=secret\n';
const projectFiles: Readonly<Record<string, string>> = {
  ...{
    'src/a.txt': 'a\n',
    'src/a.js': '1;\n',
    'src/evil.txt': 'evil: 1\n',
    'src/evil.sh': '#!/bin/sh\n',
    'src/bin/ls': '#!/bin/sh\n',
  },
  ...{
    'package.json': '{"scripts":{"test":"true"}}\n',
    'README.md': '# Demo\n',
    'scripts/check.sh': 'true\n',
    'x.patch': '',
  },
  ...{
    'deploy/server.pem': secret,
    'deploy/eu/.env': secret,
    '.env': secret,
    '.env.local': secret,
    'credentials.json': secret,
  },
  ...{
    id_rsa: secret,
    '.git/config': '[core]\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/hooks/pre-commit.sample': '',
  },
  ...{ 'ravel/project-root/memory.yaml': 'entries: []\n', 'ravel/project-root/backlog.yaml': 'tasks: []\n' },
  ...{ 'ravel/project-root/phase.md': 'work\n', 'ravel/project-root/session-log.yaml': secret, '.gitignore': 'dist\n' },
};
const homeFiles: Readonly<Record<string, string>> = {
  ...{
    '.bashrc': '',
    '.ssh/id_rsa': secret,
    '.claude/.credentials.json': secret,
    'other/notes.txt': secret,
    'x.js': '1;\n',
  },
};

export async function makeGateProject(): Promise<GateProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'ravel-bench-')));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  await Promise.all([...writeAll(project, projectFiles), ...writeAll(home, homeFiles)]);
  await mkdir(join(project, 'vendor'));
  await symlink(join(home, 'other'), join(project, 'vendor/out'));
  return {
    ...{ project, home },
    judge: (tool, input, confinement) =>
      judgeToolOnDisk(nodeDisk, {
        ...{ purpose: 'work', confinement, request: { tool_name: tool, input } },
        ...{ projectDirectory: project, ravelDirectory: join(project, 'ravel') },
      }),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): readonly Promise<void>[] {
  return Object.entries(files).map(async ([path, text]) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  });
}
