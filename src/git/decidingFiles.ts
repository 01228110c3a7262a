/**
 * Files that decide what others run or whom they trust: an editor that opens the folder, an agent program, a package
 * manager, a shell that enters it, a build server. A change of one by a session is a question to a person. Ordinary
 * source that is run as well, such as the scripts of a `package.json`, a Makefile or a test, is not among them.
 */
interface Deciding {
  /** Read as one of these: a file by its path, or a folder with all below it. */
  readonly path: string;
  readonly isFolder?: boolean;
  /** Whether it may lie at any depth, and not only at the top. */
  readonly anywhere?: boolean;
}

const deciding: readonly Deciding[] = [
  { path: '.gitattributes', anywhere: true },
  { path: '.gitmodules' },
  { path: '.lfsconfig' },
  ...['tasks.json', 'settings.json', 'launch.json', 'mcp.json', 'extensions.json'].map((name) => ({
    path: `.vscode/${name}`,
    anywhere: true,
  })),
  { path: '.cursor', isFolder: true, anywhere: true },
  { path: '.claude', isFolder: true, anywhere: true },
  { path: '.mcp.json', anywhere: true },
  { path: '.idea/runConfigurations', isFolder: true },
  { path: '.devcontainer', isFolder: true, anywhere: true },
  { path: '.devcontainer.json' },
  { path: '.husky', isFolder: true, anywhere: true },
  { path: '.githooks', isFolder: true, anywhere: true },
  ...['lefthook', '.lefthook', 'lefthook-local', '.lefthook-local'].flatMap((name) =>
    ['yml', 'yaml', 'toml', 'json'].map((type) => ({ path: `${name}.${type}` })),
  ),
  { path: '.pre-commit-config.yaml', anywhere: true },
  { path: '.overcommit.yml' },
  { path: '.cargo/config.toml', anywhere: true },
  { path: '.cargo/config', anywhere: true },
  { path: '.npmrc', anywhere: true },
  { path: '.pypirc', anywhere: true },
  { path: '.yarnrc', anywhere: true },
  { path: '.yarnrc.yml', anywhere: true },
  { path: '.pnpmfile.cjs', anywhere: true },
  { path: 'pip.conf', anywhere: true },
  { path: '.envrc', anywhere: true },
  { path: '.mise.toml', anywhere: true },
  { path: '.tool-versions', anywhere: true },
  { path: '.github', isFolder: true },
  { path: '.gitlab-ci.yml' },
  { path: '.circleci', isFolder: true },
  { path: '.buildkite', isFolder: true },
  { path: '.travis.yml' },
  { path: 'azure-pipelines.yml' },
  { path: 'bitbucket-pipelines.yml' },
  { path: 'Jenkinsfile' },
  { path: '.drone.yml' },
  { path: '.woodpecker', isFolder: true },
];

/** Files at the top. */
export const decidingPaths: readonly string[] = deciding
  .filter(({ isFolder }) => isFolder !== true)
  .map(({ path }) => path);

/** Folders at the top, with all below them. */
export const decidingFolders: readonly string[] = deciding
  .filter(({ isFolder }) => isFolder === true)
  .map(({ path }) => path);

/** For those that may lie anywhere. */
export const decidingPathspecs: readonly string[] = deciding
  .filter(({ anywhere }) => anywhere === true)
  .map(({ path, isFolder }) => `:(top,glob,icase)**/${path}${isFolder === true ? '/**' : ''}`);

/** Whether the text of such a file may hold a token, and so is compared and never shown. */
export function mayHoldToken(path: string): boolean {
  return /(?:^|\/)(?:\.npmrc|\.pypirc|\.yarnrc(?:\.yml)?|\.envrc|pip\.conf|\.mise\.toml)$/i.test(path);
}
