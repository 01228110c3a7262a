import { type Bare, byNames, network, type ProgramTable, table, unknown } from './table.ts';

const help = '-h --help --version';
const words = (bare: Bare, options: string, more: { readonly stops?: true } = {}) =>
  table(bare, 'likely', `${help} ${options}`, more);
const any = table('text', 'likely', help);
const fixer = (bare: Bare, role: 'fix' | 'format', options: string) => table(bare, role, `${help} ${options}`);

const manager = `-s -q -v --silent --quiet --version --help -h -w=text --workspace=text --workspaces --include-workspace-root --if-present -C=into
  --prefix=into --no-audit --no-fund --ignore-scripts --loglevel=text --no-color --color --json --long -l --parseable -p
  --production --depth=text --all -a --omit=text --include=text --offline -r --recursive --filter=text -F=text --parallel
  --stream --no-bail --if-present --cwd=into --no-update-notifier`;

/** What follows the name of a script goes to the script. */
const script = table('text', 'task likely', manager, { stops: true });

const managerCommands = {
  'ls list ll la why explain root prefix bin help query': table('text', 'text', manager),
  'install-test it upgrade-interactive ci clean-install install i add in isntall update up upgrade uninstall remove rm un unlink dedupe ddp prune rebuild rb':
    network,
  'audit outdated view info show v search find-dupes fund ping doctor init create dlx import fetch': network,
};
/** What these would do is not what a script of that name does. */
const notScripts = {
  'env printenv workspaces exec x node npm config c set get plugin policies unplug global link ln pack patch patch-commit deploy store':
    unknown,
  'cache version versions setup server constraints generate-lock-entry rebase self-update licenses': unknown,
};

const bun =
  '--watch --bail?text --timeout=text --coverage --only --todo -t=text --test-name-pattern=text --silent --outdir=write --outfile=write --target=text --minify --sourcemap?text';

const deno =
  '-A -q --allow-all --allow-read?likely --allow-write?likely --allow-net?text --allow-env?text --allow-run?text -R?likely -W?likely -N?text -E?text --no-check --check --watch --quiet --parallel --fail-fast?text --filter=text --coverage?write --no-lock --cached-only --frozen';

const checks =
  '--noEmit --fix@write --check --tsconfig=read --config=run -c=run --quiet --build -b --watch --no-progress --circular --extensions=text --ts-config=read --dts --format=run --minify --clean --json --output=text --threshold=text -p=read --project=read';

const managed = {
  ...managerCommands,
  ...notScripts,
  'run run-script': script,
  'test t tst start stop restart': table('text', 'likely', '', { style: 'raw' }),
  workspace: table('text', 'text likely', manager, { stops: true }),
  '*': table('text', 'likely', '', { style: 'raw' }),
};

/** Programs of JavaScript. Most of them run the project's own code, which their options alone do not make worse. */
export const nodePrograms: ReadonlyMap<string, ProgramTable> = byNames({
  // npm takes its own options from anywhere before `--`.
  npm: table('text', '', manager, {
    subcommands: {
      ...managerCommands,
      'run run-script rum urn': table('text', 'task likely', manager),
      'test t tst start stop restart': table('project', 'likely', manager),
    },
  }),
  pnpm: table('text', '', manager, { subcommands: managed }),
  // Without a command it installs.
  yarn: table('network', '', `${manager} -v@alone --version@alone --help@alone -h@alone`, { subcommands: managed }),
  node: table(
    'code',
    'run likely',
    `-v@alone -c --version@alone --help@alone -h@alone --check --test@alone --test-only --watch --enable-source-maps --no-warnings --trace-warnings --trace-deprecation
     --throw-deprecation --no-deprecation --experimental-strip-types --experimental-transform-types --strip-types
     --experimental-test-coverage --experimental-vm-modules --experimental-sqlite --expose-gc --preserve-symlinks
     --max-old-space-size=text --stack-size=text --stack-trace-limit=text --test-name-pattern=text
     --test-reporter=run --test-concurrency=text --test-timeout=text --test-shard=text --test-force-exit
     --unhandled-rejections=text --conditions=text -C=text --env-file=stat --env-file-if-exists=stat`,
    { stops: true },
  ),
  'tsx ts-node': table(
    'code',
    'run likely',
    '--version@alone --help@alone --test@alone --watch --no-cache --tsconfig=read -T -P=read --esm --transpile-only --project=read',
    { stops: true },
  ),
  bun: table('text', '', '--version --help -v --revision --silent --cwd=into', {
    subcommands: {
      'test build': table('project', 'likely', bun, { stops: true }),
      run: table('text', 'task likely', bun, { stops: true }),
      'install i add remove rm update x create pm link upgrade init outdated': network,
    },
  }),
  deno: table('code', '', '--version@alone --help@alone -V@alone -h@alone', {
    subcommands: {
      run: table('code', 'run likely', deno, { stops: true }),
      'test bench': table('project', 'run likely', deno, { stops: true }),
      // What it names is loaded as code, so `npm:x` and addresses are fetched.
      'check doc info': table('text', 'run', '--json --quiet -q --compact --all'),
      task: table('text', 'task likely', '--quiet -q', { stops: true }),
      lint: table('fix', 'fix', '--fix@write --json --quiet -q --rules --compact'),
      fmt: table('write', 'format', '--check --quiet -q', { always: 'write' }),
      types: table('text', 'likely', '--quiet -q'),
      'install add remove uninstall upgrade cache compile outdated': network,
    },
  }),
  tsc: words(
    'project',
    '-b -d -w -p=read -t=text -m=text --noEmit --build --watch --project=read --outDir=write --outFile=write --declarationDir=write --declaration --emitDeclarationOnly --target=text --module=text --moduleResolution=text --lib=text --jsx=text --strict --skipLibCheck --incremental --pretty --listFiles --listFilesOnly --listEmittedFiles --showConfig --diagnostics --extendedDiagnostics --force --clean --dry --verbose --sourceMap --esModuleInterop --allowJs --checkJs --resolveJsonModule --rootDir=read --tsBuildInfoFile=write --noUnusedLocals --noUnusedParameters --traceResolution --explainFiles --all -v --version --init@ask',
  ),
  vitest: words(
    'project',
    '-u -w -r=into -t=text -c=run --run --watch --update --reporter=run --outputFile=write --coverage --coverage.enabled --coverage.reporter=run --coverage.provider=run --project=text --testNamePattern=text --config=run --root=into --bail=text --retry=text --silent --hideSkippedTests --passWithNoTests --changed --ui --typecheck --maxWorkers=text --minWorkers=text --pool=run --environment=run --globals --dom --isolate --no-isolate --no-coverage --no-file-parallelism --fileParallelism --logHeapUsage --shard=text --exclude=text --dir=read --testTimeout=text --hookTimeout=text --no-color --color --allowOnly --sequence.shuffle --sequence.seed=text --related --standalone --mode=text --clearScreen',
  ),
  jest: words(
    'project',
    '-b -i -o -t=text -u -w=text -c=run --coverage --watch --watchAll --ci --runInBand --silent --verbose --bail?text --testNamePattern=text --testPathPattern=text --testPathPatterns=text --updateSnapshot --config=run --maxWorkers=text --passWithNoTests --no-cache --clearCache --onlyChanged --changedSince=text --findRelatedTests --listTests --json --outputFile=write --coverageReporters=run --coverageDirectory=write --collectCoverageFrom=text --forceExit --detectOpenHandles --logHeapUsage --noStackTrace --testTimeout=text --projects=run --rootDir=into --selectProjects=text --shard=text --colors --no-coverage --errorOnDeprecated --expand --notify --showConfig --randomize --seed=text',
  ),
  'mocha ava tap': words(
    'project',
    '-g=text -f=text -b -R=run -t=text -w -m=text -v -s -u=run -c=text --grep=text --fgrep=text --invert --bail --reporter=run --timeout=text --watch --recursive --parallel --exit --color --match=text --verbose --serial --update-snapshots --fail-fast --tap --concurrency=text --check-coverage --all --exclude=text --extension=text --ui=run --ignore=text --spec=read --full-trace --jobs=text -j=text',
  ),
  eslint: fixer(
    'fix',
    'fix',
    '-c=run -o=write -f=run --config=run --fix@write --fix-dry-run --fix-type=text --ext=text --ignore-path=read --ignore-pattern=text --no-ignore --quiet --max-warnings=text --output-file=write --format=run --color --no-color --cache --cache-location=write --cache-strategy=text --no-eslintrc --env=text --global=text --rule=text --report-unused-disable-directives --no-error-on-unmatched-pattern --print-config=run --debug --stdin --stdin-filename=text --no-warn-ignored --pass-on-no-patterns --exit-on-fatal-error -v',
  ),
  prettier: fixer(
    'text',
    'format',
    '-c -l -w@write -u --check --list-different --write@write --ignore-unknown --config=run --no-config --ignore-path=read --loglevel=text --log-level=text --no-editorconfig --cache --cache-location=write --parser=run --stdin-filepath=text --single-quote --trailing-comma=text --print-width=text --tab-width=text --use-tabs --no-semi --no-color --no-error-on-unmatched-pattern --end-of-line=text --prose-wrap=text --find-config-path=read --file-info=read --support-info',
  ),
  biome: table('text', '', help, {
    subcommands: {
      'check lint format ci': fixer(
        'fix',
        'fix',
        '--write@write --fix@write --unsafe --apply@write --apply-unsafe@write --changed --staged --since=text --diagnostic-level=text --max-diagnostics=text --config-path=read --colors=text --verbose --reporter=text --error-on-warnings --no-errors-on-unmatched --files-ignore-unknown?text --skip=text --only=text --linter-enabled=text --formatter-enabled=text --stdin-file-path=text --log-level=text',
      ),
      'explain rage version': table('text', 'text'),
    },
  }),
  'esbuild rollup webpack vite knip': words(
    'project',
    '-c?run -d=write -o=write -f=text -p@ask -w -m=text --bundle --minify --sourcemap?text --outfile=write --outdir=write --platform=text --format=text --target=text --external:=text --watch --mode=text --config=run --splitting --metafile=write --analyze --log-level=text --logLevel=text --host@ask --port=text --open --base=text --outDir=write --emptyOutDir --production --fix --no-exit-code --include=text --exclude=text --reporter=run --dependencies --exports --strict --workspace=text --progress --silent --dir=write --file=write --env=text',
  ),
  'playwright cypress': table('text', '', help, {
    subcommands: {
      'test run': words(
        'project',
        '-g=text -c=run -x --grep=text --config=run --project=text --reporter=run --workers=text --retries=text --headed --headless --list --last-failed --update-snapshots --max-failures=text --shard=text --timeout=text --trace=text --spec=read --browser=run --e2e --component --quiet -j=text',
      ),
      'show-report verify info version': any,
    },
  }),
  'turbo nx lerna': table('text', '', help, {
    subcommands: {
      'run test build lint run-many affected ls list show print-affected': table(
        'project',
        'task',
        `${help} --filter=text --scope=text --target=task -t=task --targets=task --all --parallel?text --concurrency=text --force --dry?text --dry-run?text --skip-nx-cache --stream --no-bail --projects=text -p=text --base=text --head=text --json --output-style=text --output-logs=text --ignore=text --since=text`,
      ),
    },
  }),
  astro: table('text', '', help, {
    subcommands: {
      'build check sync info': words('project', '--config=run --root=into --outDir=write --verbose --silent'),
      'add login logout link db telemetry docs create-key': network,
    },
  }),
  // What follows the options is a program that runs.
  'c8 nyc': words(
    'text',
    '-r=run -x=text -n=text -o=write --reporter=run --reports-dir=write --report-dir=write --temp-directory=write --temp-dir=write --check-coverage --all --exclude=text --include=text --extension=text --src=read --lines=text --branches=text --functions=text --statements=text --100 --per-file --clean --skip-full --exclude-after-remap --silent -s',
    { stops: true },
  ),
  'svelte-check vue-tsc publint attw stylelint cspell oxlint depcheck madge tsup size-limit': fixer(
    'fix',
    'fix',
    checks,
  ),
  'markdownlint markdownlint-cli2': fixer('text', 'format', checks),
});

/** Programs that `npx` finds among a project's packages. */
export const nodeTools: ReadonlySet<string> = new Set(
  [...nodePrograms.keys()].filter((name) => !['npm', 'pnpm', 'yarn', 'node', 'bun', 'deno'].includes(name)),
);
