import { join, relative, resolve, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { planFiles } from '../../model/plan.ts';
import { matchesWildcard } from '../wildcard.ts';
import type { ToolPlace } from './toolPath.ts';

const hooks = ['pre-commit', 'pre-push', 'commit-msg', 'post-checkout', 'post-merge', 'pre-rebase', 'post-commit'];

/** Paths such as git keeps below `.git`. */
const gitExamples: readonly string[] = [
  ...['HEAD', 'ORIG_HEAD', 'FETCH_HEAD', 'COMMIT_EDITMSG', 'MERGE_MSG', 'config', 'config.worktree', 'description'],
  ...['index', 'packed-refs', 'shallow', 'info/exclude', 'info/attributes', 'refs/heads/main', 'refs/heads/master'],
  ...['refs/stash', 'refs/tags/v1.0.0', 'refs/remotes/origin/main', 'logs/HEAD', 'logs/refs/heads/main'],
  ...['objects/pack/pack-1.pack', 'objects/pack/pack-1.idx', 'objects/info/packs', 'branches', 'lfs', 'worktrees'],
  ...hooks.flatMap((hook) => [`hooks/${hook}`, `hooks/${hook}.sample`]),
];

const planExamples: readonly string[] = [
  ...Object.values(planFiles),
  ...['approvals.md', 'notes.md', 'a.yaml', 'a.json', 'experts/a.md', 'settings.toml'],
];

/** Files that decide what other programs run, by names that projects give them. */
const decidingExamples: readonly string[] = [
  ...['tasks.json', 'settings.json', 'launch.json', 'mcp.json', 'extensions.json'].map((name) => `.vscode/${name}`),
  ...['ci.yml', 'ci.yaml', 'release.yml', 'build.yml', 'test.yml', 'main.yml'].map(
    (name) => `.github/workflows/${name}`,
  ),
  ...['.github/actions/build/action.yml', '.github/actions/build/index.js', '.github/CODEOWNERS'],
  ...['.github/dependabot.yml', '.github/copilot-instructions.md', '.circleci/config.yml', '.gitlab-ci.yml'],
  ...['.claude/settings.json', '.claude/hooks/hook.py', '.claude/hooks/hook.sh', '.claude/agents/a.md', '.mcp.json'],
  ...['.cursor/mcp.json', '.cursor/rules/a.mdc', 'CLAUDE.md', 'AGENTS.md', 'GEMINI.md'],
  ...['.devcontainer/devcontainer.json', '.devcontainer/Dockerfile', '.idea/workspace.xml', '.husky/_/husky.sh'],
  ...['.yarn/releases/yarn.cjs', '.pnp.cjs', '.pnp.loader.mjs', '.yarnrc.yml', '.pre-commit-config.yaml'],
  ...['lefthook.yml', 'pip.conf', '.mvn/jvm.config', '.mvn/maven.config', '.cargo/config.toml', 'nuget.config'],
  ...['.npmrc', '.gitattributes', '.gitmodules', '.envrc', '.mise.toml', '.tool-versions', '.bazelrc', '.bashrc'],
  ...['azure-pipelines.yml', 'bitbucket-pipelines.yml', '.travis.yml', 'Jenkinsfile', 'sitecustomize.py'],
  ...hooks.flatMap((hook) => [`.husky/${hook}`, `.githooks/${hook}`]),
];

/**
 * Paths, absolute, that stand for all that a session must not change: its plans, git's own files, and what decides what
 * other programs run. What reaches by a pattern or by walking a folder is tried with each of them.
 */
export function guardedExamples({ projectDirectory, ravelDirectory }: ToolPlace): readonly string[] {
  return [
    ...planExamples.map((name) => join(ravelDirectory, 'project-root', name)),
    ...gitExamples.map((name) => join(projectDirectory, '.git', name)),
    ...decidingBelow(projectDirectory),
  ];
}

/** Files that decide what other programs run count in every folder. */
export function decidingBelow(folder: string): readonly string[] {
  return decidingExamples.map((name) => join(folder, name));
}

/**
 * The first guarded path that a pattern of a program's own reaches, in which `**` is any number of folders and a star
 * also matches a leading dot. A folder stands for all below it. What is not read, such as braces, may match anything.
 */
export function guardedByGlob(place: ToolPlace, pattern: string, folder: string): string | undefined {
  const wanted = pattern.split('/');
  const literal = wanted.findIndex((segment) => /[*?[\]{}()!+@\\|]/.test(segment));
  const start = resolve(folder, ...wanted.slice(0, literal < 0 ? wanted.length : literal));
  const rest = literal < 0 ? ['**'] : wanted.slice(literal);
  return guardedExamples(place).find(
    (path) => isWithin(start, path) && path !== start && fits(rest, relative(start, path).split(sep)),
  );
}

/** Keeps the places in the pattern that have been reached, so each segment of the path is looked at once for each. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = skipStars(pattern, new Set([0]));
  for (const name of path) {
    const next = new Set<number>();
    for (const at of reached) {
      const segment = pattern[at];
      if (segment === undefined) continue;
      if (segment === '**') next.add(at);
      else if (segmentFits(segment, name)) next.add(at + 1);
    }
    reached = skipStars(pattern, next);
  }
  return reached.has(pattern.length);
}

function skipStars(pattern: readonly string[], reached: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(reached);
  for (const at of all) {
    if (pattern[at] === '**') all.add(at + 1);
  }
  return all;
}

/** A brace that ends in names such as `*.{ts,tsx}` is read; other sets may be anything. */
function segmentFits(segment: string, name: string): boolean {
  const braces = /^([^{}[\]()\\]*)\{([^{}[\]()\\]*)\}([^{}[\]()\\]*)$/.exec(segment);
  if (braces !== null) {
    const [, before = '', inner = '', after = ''] = braces;
    return inner.split(',').some((one) => wordFits(before + one + after, name));
  }
  return /[[\]{}()\\|]|[!+@?*]\(/.test(segment) || wordFits(segment, name);
}

function wordFits(pattern: string, name: string): boolean {
  return matchesWildcard(pattern.toLowerCase(), name.toLowerCase());
}
