/**
 * Files of a project that decide what other programs run or whom they trust: an editor, git, a package manager, a
 * continuous integration, another agent. A session may read them; a person is asked before it changes one. Each entry
 * counts in every folder of the project; one that ends in `/` is a folder with all below it, and `*` stands for any text
 * within one name.
 */
export const decidingFiles: readonly string[] = [
  // Editors
  ...['.vscode/', '*.code-workspace', '.idea/', '.run/', '.zed/', '.fleet/', '.nvim.lua', '.nvimrc', '.exrc', '.vimrc'],
  ...['.lvimrc', '.dir-locals.el', '*.sublime-project', '.devcontainer/', '.devcontainer.json'],
  ...['.helix/', '.vim/', '.nvim/', '.gdbinit', '.lldbinit', '.pdbrc'],
  // Agents and what they are told
  ...['.claude/', '.cursor/', '.codex/', '.gemini/', '.windsurf/', '.clinerules', '.cursorrules', '.windsurfrules'],
  ...['.roo/', '.aider.conf.yml', '.mcp.json', 'mcp.json', 'CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', 'GEMINI.md'],
  ...['.clinerules/', '.kiro/', '.opencode/', 'opencode.json', 'opencode.jsonc', '.continue/', '.github/hooks/'],
  ...['.github/copilot-instructions.md', '.github/instructions/', '.github/prompts/', '.agents/'],
  // Git
  ...[
    '.gitattributes',
    '.gitmodules',
    '.gitconfig',
    '.lfsconfig',
    '.husky/',
    '.githooks/',
    '.git-hooks/',
    '.hooks/',
    '.huskyrc*',
  ],
  ...[
    'lefthook.*',
    '.lefthook.*',
    'lefthook-local.*',
    '.lefthook/',
    '.pre-commit-config.y*ml',
    '.pre-commit-hooks.yaml',
  ],
  ...['.overcommit.yml', '.lintstagedrc*', '.simple-git-hooks.*', 'simple-git-hooks.*', '.commitlintrc*'],
  // Continuous integration
  ...['.github/workflows/', '.github/actions/', '.github/dependabot.y*ml', 'CODEOWNERS', '.gitlab-ci.y*ml', '.gitlab/'],
  ...[
    '.circleci/',
    '.travis.y*ml',
    'azure-pipelines*.yml',
    'azure-pipelines*.yaml',
    'Jenkinsfile*',
    '.drone.yml',
    '.woodpecker.y*ml',
  ],
  ...['.woodpecker/', 'bitbucket-pipelines.yml', 'appveyor.yml', '.appveyor.yml', '.buildkite/', '.cirrus.yml'],
  ...[
    '.semaphore/',
    'cloudbuild.y*ml',
    'buildspec.y*ml',
    '.teamcity/',
    '.forgejo/',
    '.gitea/',
    '.builds/',
    '.build.yml',
  ],
  // Package managers and the environment of a folder
  ...[
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.yarn/',
    '.pnpmfile.*',
    'bunfig.toml',
    '.pnp.cjs',
    '.pnp.loader.mjs',
    '.pypirc',
    'pip.conf',
  ],
  ...['.cargo/', '.bundle/', '.gemrc', '.condarc', 'nuget.config', '.mvn/', '.bazelrc', '.bazeliskrc', '.terraformrc'],
  ...[
    '.envrc',
    '.direnv/',
    '.autoenv',
    '.mise.toml',
    '.mise/',
    'mise.toml',
    '.mise.*.toml',
    'mise.*.toml',
    '.config/mise/',
    '.config/mise.toml',
    '*.pth',
    '.tool-versions',
    'sitecustomize.py',
  ],
  ...[
    'usercustomize.py',
    '.bashrc',
    '.bash_profile',
    '.profile',
    '.zshrc',
    '.zprofile',
    '.zlogin',
    '.zshenv',
    '.inputrc',
  ],
];

/** Whether the segments of a path, relative to the project, lead to such a file. */
export function decidesWhatRuns(segments: readonly string[]): boolean {
  const names = segments.map((name) => name.toLowerCase());
  return rules.some((rule) => names.some((_, at) => reaches(rule, names.slice(at))));
}

/** Whether a folder at this path may hold such a file by its place, as `.github` holds `.github/workflows/`. */
export function leadsToDeciding(segments: readonly string[]): boolean {
  const names = segments.map((name) => name.toLowerCase());
  return rules.some((rule) => rule.names.slice(1).some((_, at) => endsWith(names, rule.names.slice(0, at + 1))));
}

function endsWith(names: readonly string[], end: readonly string[]): boolean {
  return names.length >= end.length && end.every((name, at) => fits(name, names[names.length - end.length + at] ?? ''));
}

interface Rule {
  readonly names: readonly string[];
  readonly isFolder: boolean;
}

const rules: readonly Rule[] = decidingFiles.map((text) => {
  const isFolder = text.endsWith('/');
  return {
    names: text
      .toLowerCase()
      .slice(0, isFolder ? -1 : undefined)
      .split('/'),
    isFolder,
  };
});

function reaches({ names, isFolder }: Rule, given: readonly string[]): boolean {
  if (isFolder ? given.length < names.length : given.length !== names.length) return false;
  return names.every((name, at) => fits(name, given[at] ?? ''));
}

/** `*` at most once in each name. */
function fits(name: string, given: string): boolean {
  const at = name.indexOf('*');
  if (at < 0) return name === given;
  const [start, end] = [name.slice(0, at), name.slice(at + 1)];
  return given.length >= start.length + end.length && given.startsWith(start) && given.endsWith(end);
}
