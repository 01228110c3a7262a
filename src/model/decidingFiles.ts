/**
 * Files of a project that decide what other programs run or whom they trust: an editor, git, a package manager, a
 * continuous integration, another agent. A session may read them; a person is asked before it changes one. Ordinary
 * source that is run as well, such as the scripts of a `package.json`, a Makefile or a test, is not among them.
 */
interface DecidingFiles {
  /**
   * Each counts in every folder of the project; one that ends in `/` is a folder with all below it, and `*` stands for
   * any text within one name.
   */
  readonly files: readonly string[];
  /**
   * Whether one that changed while a session ran, by a script say, is a question before the next phase and before a
   * commit: in every folder, at the top of the project and of its repository alone, or not, with the reason.
   */
  readonly watched: 'everywhere' | 'atTop' | { readonly not: string };
  /**
   * Whether its text may be a token as a whole, and so is compared and never shown: that of a registry, in settings that a
   * session reads while no token is in them, or another.
   */
  readonly holdsTokens?: 'ofRegistry' | 'other';
}

export const decidingTable: readonly DecidingFiles[] = [
  // Editors and debuggers
  { files: ['.vscode/', '*.code-workspace', '.devcontainer/', '.devcontainer.json'], watched: 'everywhere' },
  { files: ['.zed/', '.fleet/', '.run/', '*.sublime-project', '.helix/', '.vim/', '.nvim/'], watched: 'atTop' },
  { files: ['.nvim.lua', '.nvimrc', '.exrc', '.vimrc', '.lvimrc', '.dir-locals.el'], watched: 'everywhere' },
  { files: ['.gdbinit', '.lldbinit', '.pdbrc'], watched: 'everywhere' },
  { files: ['.idea/runConfigurations/', '.idea/startup.xml', '.idea/watcherTasks.xml'], watched: 'atTop' },
  {
    files: ['.idea/'],
    watched: { not: 'The editor writes here while it is open; what it runs has a row of its own.' },
  },
  // Agents
  { files: ['.claude/', '.cursor/', '.codex/', '.gemini/', '.windsurf/', '.kiro/'], watched: 'everywhere' },
  { files: ['.roo/', '.opencode/', '.continue/', '.agents/', '.clinerules/'], watched: 'everywhere' },
  { files: ['.mcp.json', 'mcp.json', 'opencode.json', 'opencode.jsonc'], watched: 'everywhere' },
  { files: ['.aider.conf.yml'], watched: 'everywhere', holdsTokens: 'other' },
  // What agents are told. These are documents as well, and sessions edit them; but the next agent obeys them, outside of
  // any gate. An edit by a tool was asked about and is not asked again, so this finds what went past the gate.
  { files: ['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', 'GEMINI.md'], watched: 'everywhere' },
  { files: ['.clinerules', '.cursorrules', '.windsurfrules'], watched: 'everywhere' },
  // Git and its hooks
  { files: ['.gitattributes'], watched: 'everywhere' },
  { files: ['.gitmodules', '.lfsconfig'], watched: 'atTop' },
  { files: ['.gitconfig'], watched: 'everywhere', holdsTokens: 'other' },
  { files: ['.husky/', '.githooks/', '.git-hooks/', '.pre-commit-config.y*ml'], watched: 'everywhere' },
  { files: ['.hooks/', '.huskyrc*', '.lefthook/', '.overcommit.yml', '.pre-commit-hooks.yaml'], watched: 'atTop' },
  { files: ['lefthook.*', '.lefthook.*', 'lefthook-local.*', '.lefthook-local.*'], watched: 'atTop' },
  { files: ['.lintstagedrc*', '.simple-git-hooks.*', 'simple-git-hooks.*', '.commitlintrc*'], watched: 'everywhere' },
  // Build servers and the services that hold the repository
  { files: ['.github/workflows/', '.github/actions/', '.github/hooks/', '.github/agents/'], watched: 'atTop' },
  { files: ['.github/copilot-instructions.md', '.github/instructions/', '.github/prompts/'], watched: 'atTop' },
  { files: ['.github/chatmodes/', '.github/dependabot.y*ml', '.github/settings.yml'], watched: 'atTop' },
  { files: ['.gitlab/', '.forgejo/', '.gitea/'], watched: 'atTop' },
  { files: ['CODEOWNERS'], watched: 'everywhere' },
  { files: ['.gitlab-ci.y*ml', '.travis.y*ml', 'azure-pipelines*.yml', 'azure-pipelines*.yaml'], watched: 'atTop' },
  { files: ['Jenkinsfile*', '.drone.yml', '.woodpecker.y*ml', '.woodpecker/', '.circleci/'], watched: 'atTop' },
  { files: ['bitbucket-pipelines.yml', 'appveyor.yml', '.appveyor.yml', '.cirrus.yml'], watched: 'atTop' },
  { files: ['cloudbuild.y*ml', 'buildspec.y*ml', '.build.yml', '.builds/'], watched: 'atTop' },
  { files: ['.buildkite/', '.semaphore/', '.teamcity/'], watched: 'atTop' },
  // Package managers
  { files: ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc'], watched: 'everywhere', holdsTokens: 'ofRegistry' },
  { files: ['pip.conf', 'pip.ini', 'bunfig.toml'], watched: 'everywhere', holdsTokens: 'ofRegistry' },
  { files: ['.gemrc', '.condarc', 'nuget.config', '.terraformrc'], watched: 'everywhere', holdsTokens: 'ofRegistry' },
  { files: ['.bundle/config'], watched: 'everywhere', holdsTokens: 'ofRegistry' },
  { files: ['.bundle/plugin/', '.yarn/releases/', '.yarn/plugins/', '.yarn/sdks/'], watched: 'atTop' },
  {
    files: ['.bundle/', '.yarn/'],
    watched: { not: 'Caches lie here; what is run or read first has a row of its own.' },
  },
  { files: ['.pnpmfile.*', '.mvn/', '.bazelrc', '.bazeliskrc'], watched: 'everywhere' },
  {
    files: ['.pnp.cjs', '.pnp.loader.mjs'],
    watched: { not: 'Each installation writes them again, as it does the lockfile.' },
  },
  { files: ['.cargo/config', '.cargo/config.toml'], watched: 'everywhere' },
  { files: ['.cargo/'], watched: { not: 'Cargo can keep its caches here; its settings have a row of their own.' } },
  // The environment of a folder
  { files: ['.envrc', '.autoenv', '.mise.toml', 'mise.toml'], watched: 'everywhere', holdsTokens: 'other' },
  { files: ['.mise.*.toml', 'mise.*.toml', '.config/mise.toml'], watched: 'everywhere', holdsTokens: 'other' },
  { files: ['.mise/', '.config/mise/'], watched: 'atTop', holdsTokens: 'other' },
  { files: ['.tool-versions', 'sitecustomize.py', 'usercustomize.py'], watched: 'everywhere' },
  { files: ['.direnv/'], watched: { not: 'A cache of direnv, which asks before it runs a .envrc that changed.' } },
  {
    files: ['*.pth'],
    watched: { not: 'Training writes models of this name; Python runs those of installed packages alone.' },
  },
  { files: ['.bashrc', '.bash_profile', '.profile'], watched: 'everywhere', holdsTokens: 'other' },
  { files: ['.zshrc', '.zprofile', '.zlogin', '.zshenv'], watched: 'everywhere', holdsTokens: 'other' },
  { files: ['.inputrc'], watched: 'everywhere' },
];

/** All of them, for a question before a change. */
export const decidingFiles: readonly string[] = decidingTable.flatMap(({ files }) => files);

/** One of them, taken apart; the names as the table has them. */
export interface DecidingRule extends Omit<DecidingFiles, 'files'> {
  readonly names: readonly string[];
  readonly isFolder: boolean;
}

export const decidingRules: readonly DecidingRule[] = decidingTable.flatMap(({ files, ...decision }) =>
  files.map((file) => {
    const isFolder = file.endsWith('/');
    return { names: (isFolder ? file.slice(0, -1) : file).split('/'), isFolder, ...decision };
  }),
);

/** Whether the segments of a path lead to such a file, or below such a folder, in whatever folder that lies. */
export function leadsTo(rule: DecidingRule, segments: readonly string[]): boolean {
  return segments.some((_, at) => {
    const depth = segments.length - at;
    if (rule.isFolder ? depth < rule.names.length : depth !== rule.names.length) return false;
    return rule.names.every((name, place) => fitsName(name, segments[at + place] ?? ''));
  });
}

const tokenRules = decidingRules.filter(({ holdsTokens }) => holdsTokens !== undefined);

/** Whether the segments of a path lead to such a file whose text may be a token. */
export function mayHoldToken(segments: readonly string[]): boolean {
  return tokenRules.some((rule) => leadsTo(rule, segments));
}

const registryRules = tokenRules.filter(({ holdsTokens }) => holdsTokens === 'ofRegistry');

/** Whether the segments of a path lead to settings of a package manager, which may hold the token of a registry. */
export function isRegistrySettings(segments: readonly string[]): boolean {
  return registryRules.some((rule) => leadsTo(rule, segments));
}

/** Whether the last segments of a path are these names. */
export function endsWithNames(segments: readonly string[], names: readonly string[]): boolean {
  const start = segments.length - names.length;
  return start >= 0 && names.every((name, at) => fitsName(name, segments[start + at] ?? ''));
}

/** Case does not count, since it does not on every disk. `*` stands at most once in a name. */
export function fitsName(name: string, given: string): boolean {
  const [wanted, lower] = [name.toLowerCase(), given.toLowerCase()];
  const at = wanted.indexOf('*');
  if (at < 0) return wanted === lower;
  const [start, end] = [wanted.slice(0, at), wanted.slice(at + 1)];
  return lower.length >= start.length + end.length && lower.startsWith(start) && lower.endsWith(end);
}
