import { expect, test } from 'vitest';
import { decidingRules, leadsTo } from '../../src/model/decidingFiles.ts';

/** A file of each row, by where a change of it is a question. This list is the promise; the table keeps it. */
const examples = {
  everywhere: [
    ...['.vscode/tasks.json', 'a.code-workspace', '.devcontainer/x', '.devcontainer.json', '.nvim.lua', '.nvimrc'],
    ...['.exrc', '.vimrc', '.lvimrc', '.dir-locals.el', '.gdbinit', '.lldbinit', '.pdbrc', '.claude/settings.json'],
    ...['.cursor/x', '.codex/x', '.gemini/x', '.windsurf/x', '.kiro/hooks/x', '.roo/x', '.opencode/x', '.continue/x'],
    ...['.agents/x', '.clinerules/x', '.mcp.json', 'mcp.json', 'opencode.json', 'opencode.jsonc', '.aider.conf.yml'],
    ...['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', 'GEMINI.md', '.clinerules', '.cursorrules', '.windsurfrules'],
    ...['.gitattributes', '.gitconfig', '.husky/_/h', '.githooks/x', '.git-hooks/x', '.pre-commit-config.yaml'],
    ...['.lintstagedrc.mjs', '.simple-git-hooks.js', 'simple-git-hooks.js', '.commitlintrc.js', 'CODEOWNERS'],
    ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', 'pip.conf', 'pip.ini', '.gemrc', '.condarc', 'nuget.config'],
    ...['.terraformrc', '.bundle/config', '.pnpmfile.cjs', 'bunfig.toml', '.mvn/maven.config', '.bazelrc'],
    ...['.bazeliskrc', '.cargo/config', '.cargo/config.toml', '.envrc', '.autoenv', '.mise.toml', 'mise.toml'],
    ...['.mise.local.toml', 'mise.local.toml', '.config/mise.toml', '.tool-versions', 'sitecustomize.py'],
    ...['usercustomize.py', '.bashrc', '.bash_profile', '.profile', '.zshrc', '.zprofile', '.zlogin', '.zshenv'],
    '.inputrc',
  ],
  atTop: [
    ...['.zed/x', '.fleet/x', '.run/x', 'a.sublime-project', '.helix/x', '.vim/x', '.nvim/x', '.gitmodules'],
    ...['.idea/runConfigurations/x', '.idea/startup.xml', '.idea/watcherTasks.xml', '.lfsconfig', '.hooks/x'],
    ...['.huskyrc.js', '.lefthook/x', '.overcommit.yml', '.pre-commit-hooks.yaml', 'lefthook.yml', '.lefthook.yml'],
    ...['lefthook-local.yml', '.lefthook-local.yml', '.github/workflows/ci.yml', '.github/actions/x'],
    ...['.github/hooks/x', '.github/agents/x', '.github/copilot-instructions.md', '.github/instructions/x'],
    ...['.github/prompts/x', '.github/chatmodes/x', '.github/dependabot.yml', '.github/settings.yml', '.gitlab/x'],
    ...['.forgejo/x', '.gitea/x', '.gitlab-ci.yml', '.travis.yml', 'azure-pipelines.yml', 'azure-pipelines.yaml'],
    ...['Jenkinsfile', '.drone.yml', '.woodpecker.yml', '.woodpecker/x', '.circleci/x', 'bitbucket-pipelines.yml'],
    ...['appveyor.yml', '.appveyor.yml', '.cirrus.yml', 'cloudbuild.yaml', 'buildspec.yml', '.build.yml', '.builds/x'],
    ...['.buildkite/x', '.semaphore/x', '.teamcity/x', '.bundle/plugin/x', '.yarn/releases/x', '.yarn/plugins/x'],
    ...['.yarn/sdks/x', '.mise/x', '.config/mise/x'],
  ],
  not: ['.idea/x', '.bundle/x', '.yarn/x', '.pnp.cjs', '.pnp.loader.mjs', '.cargo/x', '.direnv/x', 'a.pth'],
} as const;

/** Of several rows that mean a file, the strictest counts. */
function watchedOf(path: string): string | undefined {
  const found = decidingRules.filter((rule) => leadsTo(rule, path.split('/'))).map(({ watched }) => watched);
  return ['everywhere', 'atTop'].find((where) => found.includes(where as 'atTop')) ?? (found[0] && 'not');
}

test.each(Object.entries(examples))(
  'each file of this list is one that decides, and is watched: %s',
  (where, paths) => {
    const wrong = paths
      .filter((path) => watchedOf(path) !== where)
      .map((path) => `${path}: ${String(watchedOf(path))}`);
    expect(wrong).toEqual([]);
  },
);

test('each row of the table has an example above', () => {
  const all = Object.values(examples).flat();
  const without = decidingRules.filter((rule) => !all.some((path) => leadsTo(rule, path.split('/'))));
  expect(without.map(({ names }) => names.join('/'))).toEqual([]);
});
