import { byNames, compilers, network, type ProgramTable, table, unknown, words } from './table.ts';

const help = '-h --help --version';

const kotlin =
  '-d=write -include-runtime -cp=likely -classpath=likely -version@alone -help@alone -h@alone -nowarn -jvm-target=text';

const dotnet = table(
  'project',
  'likely',
  `-c=text -f=text -r=text -o=write -v=text -p=ask --configuration=text --framework=text --runtime=text --output=write
  --no-build --no-restore --verbosity=text --nologo --filter=text --logger=likely --list-tests --project=read
  --results-directory=write --collect=text --settings=read --blame --self-contained?text --verify-no-changes
  --include=text --exclude=text --severity=text --diagnostics=text --no-incremental --tl?text`,
);

const gradle = table(
  'project',
  'task',
  `-q -i -d -s -S -w -x=text -m -t -p=into --info --debug --stacktrace --full-stacktrace --no-daemon --daemon --offline --quiet
  --warn --console=text --parallel --no-parallel --build-cache --no-build-cache --continue --rerun-tasks --scan@network
  --tests=text --exclude-task=text --dry-run --project-dir=into --configuration-cache --warning-mode=text --all
  --refresh-dependencies@network --stop --status --configuration=text --dependency=text --max-workers=text -a ${help} -v`,
);
const maven = table(
  'project',
  'task',
  `-q -e -X -o -B -U@network -N -v -T=text -pl=text -am -amd -fae -ff -fn -ntp -f=run --quiet --errors --debug --offline --batch-mode
  --projects=text --also-make --no-transfer-progress --fail-at-end --fail-fast --file=run --threads=text
  --version --help -DskipTests -Dmaven.test.skip?text -Dtest?text -DfailIfNoTests?text -Dit.test?text -P=text -rf=text`,
  { style: 'words' },
);

/** Languages with a runtime of their own: their compilers, interpreters, builders and tests. */
export const languagePrograms: ReadonlyMap<string, ProgramTable> = byNames({
  java: table(
    'code',
    'run likely',
    '-version@alone --version@alone -showversion -ea -enableassertions -da -jar -cp=likely -classpath=likely --class-path=likely -Xmx?text -Xms?text --enable-preview --source=text -help@alone --help@alone',
    { style: 'words', stops: true },
  ),
  javac: compilers(
    '-d=write -cp=read -classpath=read --class-path=read -sourcepath=read --release=text -source=text -target=text -g -nowarn -verbose -Xlint -Xlint:all -Werror -encoding=text -version --version -help --help -parameters --enable-preview -implicit:none -proc:none -s=write -h=write',
  ),
  // Without operands both start a shell of the language.
  kotlinc: words('code', kotlin),
  kotlin: table('code', 'run likely', kotlin, { style: 'words', stops: true }),
  'ktlint detekt scalafmt google-java-format': words(
    'project',
    '-d=write -include-runtime -cp=read -classpath=read -version -help -F --format -a --relative --list --check --test -i --replace -r -n --dry-run --input=read --config=read --quiet -nowarn -jvm-target=text',
  ),
  // Other letters pack and unpack.
  jar: table('text', '', '-tf=read -tvf=read --list --file=read --version', {
    style: 'words',
    subcommands: { 'tf tvf': table('text', 'read') },
  }),
  'javap jps': table('text', 'read', '-v -c -p -l -s -verbose -private -public -cp=read -classpath=read', {
    style: 'words',
  }),
  'gradle gradlew': gradle,
  'mvn mvnw': maven,
  ant: table(
    'project',
    'task',
    '-q -v -d -p -f=run -projecthelp -version -k -quiet -verbose -debug -emacs -keep-going -buildfile=run',
    { style: 'words' },
  ),
  dotnet: table('text', '', '--version --info --list-sdks --list-runtimes -h --help', {
    subcommands: {
      'build test run clean format msbuild watch build-server': dotnet,
      'list sln': table('text', 'likely', '--outdated@network --include-transitive --vulnerable@network --format=text'),
      'restore add remove new tool nuget workload pack': network,
    },
  }),
  swift: table('code', '', '--version@alone --help@alone -h@alone', {
    subcommands: {
      'build test run': table(
        'project',
        'likely',
        '-c=text -v --configuration=text --filter=text --skip=text --parallel --package-path=into --product=text --target=text --verbose --enable-code-coverage --list-tests --build-tests --skip-build --num-workers=text -j=text --disable-sandbox@ask --show-bin-path --arch=text --sanitize=text --quiet -q',
      ),
      package: table('text', '', '--package-path=into', {
        subcommands: {
          'describe show-dependencies dump-package clean reset tools-version': table(
            'text',
            'text',
            '--type=text --format=text',
          ),
          'update resolve edit unedit': network,
        },
      }),
      format: table('project', 'likely', '-i -r -p --in-place --recursive --parallel --configuration=read'),
    },
  }),
  'swiftlint swiftformat': table(
    'project',
    'likely',
    `--fix --strict --quiet --lint --config=read --autocorrect --format --reporter=text --path=read --dryrun --verbose ${help}`,
  ),
  zig: table('text', '', '', {
    subcommands: {
      'build test run fmt version env targets build-exe build-lib build-obj ast-check': words(
        'project',
        '--check --summary=text -O=text -target=text --release?text -Doptimize?text -Dtarget?text --verbose --prefix=write -p=write -j?text --test-filter=text -femit-bin?write --help -h -l',
      ),
    },
  }),
  mix: table('project', '', '-v --version', {
    subcommands: {
      'test compile format credo dialyzer run clean xref docs coveralls': table(
        'project',
        'likely',
        '--trace --cover --failed --stale --only=text --exclude=text --include=text --seed=text --max-failures=text --check-formatted --dry-run --strict --warnings-as-errors --force --no-start --slowest=text --color --format=text --partitions=text --no-compile --all-warnings',
      ),
      'deps.get deps.update deps.compile hex.info local.hex local.rebar deps': network,
    },
  }),
  'stack cabal': table('text', '', '--version -V --numeric-version', {
    subcommands: {
      exec: unknown,
      'build test run bench check clean list-bin path ls haddock format': table(
        'project',
        'likely',
        '-v -j=text --fast --pedantic --test --bench --no-run-tests --ta=text --enable-tests --disable-tests --test-show-details=text --ghc-options=ask --coverage --file-watch --flag=text -O=text --only-dependencies@network',
      ),
      'update install fetch freeze outdated upload sdist upgrade': network,
    },
  }),
  dune: table('text', '', '--version', {
    subcommands: {
      'build test runtest fmt clean describe promote show': table(
        'project',
        'likely',
        '--profile=text -p=text -j=text --root=into --auto-promote --force -f --display=text --watch -w --verbose --release --no-buffer --instrument-with=text --only-packages=text -x=text',
      ),
    },
  }),
  sbt: table('code', 'task', '-v -no-colors -batch -client', { style: 'words' }),
  lein: table('text', 'task likely', '-v', { style: 'words' }),
  ocamlfind: table('text', '', help, {
    subcommands: {
      'query list ocamlopt ocamlc': table('text', 'likely', '-o=write -package=text -linkpkg -c', {
        style: 'words',
      }),
    },
  }),
  'ghc ocamlopt ocamlc hlint ormolu fourmolu ocamlformat': words(
    'text',
    '-o=write -c -O -O2 -Wall -Werror --make --version --mode=text --check -i --inplace --hint=read -i@write --numeric-version -odir=write -hidir=write -outputdir=write',
  ),
  ruby: table(
    'code',
    'run likely',
    '-c -v@alone -w -W?text -I=read --version@alone --help@alone --yjit --jit -h@alone --enable=text --disable=text -U -S@ask',
    { stops: true },
  ),
  rake: table(
    'project',
    'task',
    '-T -P -n -q -s -v -t -A -D -W --tasks?text --prereqs --dry-run --quiet --silent --verbose --trace?text --all -f=run --rakefile=run -j?text --jobs?text -m --multitask --version --help -h -N -G',
  ),
  'rspec rubocop standardrb erb_lint reek brakeman minitest': table(
    'project',
    'likely',
    `-f=run -e=text -t=text -b -p -w -P=run -a -A -c=run -l -d --format=run --example=text --tag=text --fail-fast?text --order=text --seed=text --color --no-color --profile?text --backtrace --only-failures --next-failure --pattern=run --exclude-pattern=text --dry-run --autocorrect --auto-correct --autocorrect-all --only=text --except=text --lint --parallel --config=run --display-cop-names --cache=text --fix --bisect?text --fail-level=text --warnings --documentation ${help}`,
  ),
  rails: table('text', '', '-v --version', {
    subcommands: {
      'test t test:system test:all routes about notes stats zeitwerk:check spec db:test:prepare': table(
        'project',
        'likely',
        '-v -n=text -e=text -s=text -b -d -f -c=text -g=text --seed=text --verbose --fail-fast --defer-output --expanded',
      ),
    },
  }),
  php: table(
    'code',
    'run likely',
    '-v@alone -i@ask -m@alone -l -n -h@alone --version@alone --help@alone --info@ask --modules@alone --syntax-check --ini@alone -q',
    { stops: true },
  ),
  'phpunit pest phpstan psalm phpcs phpcbf php-cs-fixer pint rector': table(
    'project',
    'likely',
    `-c=run -v -l=text -n -p -s --filter=text --testsuite=text --group=text --exclude-group=text --configuration=run --colors?text --coverage-text?text --coverage-html=write --coverage-clover=write --log-junit=write --stop-on-failure --stop-on-error --testdox --debug --verbose --no-coverage --list-tests --order-by=text --random-order --level=text --memory-limit=text --no-progress --error-format=text --no-cache --show-info?text --standard=run --extensions=text --ignore=text --report=run --dry-run --diff --using-cache=text --config=run --test --dirty --parallel --processes=text --allow-risky=text --threads=text --compact --bail --retry --no-ansi --ansi ${help}`,
  ),
  composer: table('text', '', '-V --version -n -q -v --no-interaction --no-ansi --quiet --working-dir=into -d=into', {
    subcommands: {
      'validate show info depends why prohibits why-not check-platform-reqs licenses status suggests diagnose dump-autoload dumpautoload about':
        table(
          'text',
          'text',
          '--strict --tree --direct -D -t -i --installed --format=text --no-dev -o --optimize --locked --platform --self --all',
        ),
      'test run run-script lint check analyse format cs stan': table(
        'project',
        'text likely',
        '--dev --no-dev -l --list --timeout=text',
      ),
      'install i update u upgrade require r remove create-project outdated audit search global self-update bump reinstall':
        network,
    },
  }),
  // Without a command it installs.
  bundle: table('network', '', '-v@alone --version@alone', {
    subcommands: {
      'list show info check platform': table('text', 'text', '--paths --name-only --dry-run --verbose'),
      'install update add remove lock outdated init cache package': network,
    },
  }),
  gem: table('text', '', '-v --version', {
    subcommands: {
      'list environment env contents which specification': table(
        'text',
        'text',
        '-l --local -d -a -q --details --versions',
      ),
      'install uninstall update fetch outdated search build': network,
    },
  }),
  'lua luajit luac': table('code', 'run likely', '-v@alone -W -p', { stops: true }),
  'luacheck stylua selene': table(
    'text',
    'likely',
    `--check --std=text --no-color --config=run -q --quiet --globals=text --codes --formatter=run --ignore=text --only=text ${help}`,
  ),
  Rscript: table(
    'code',
    'run likely',
    '--vanilla --version@alone --help@alone --no-save --no-environ --no-init-file --verbose',
    {
      stops: true,
    },
  ),
  perl: table('code', 'run likely', '-c -v@alone -w -t -T -W -X -I=read --version@alone --help@alone -h@alone', {
    stops: true,
  }),
  prove: table(
    'project',
    'likely',
    '-l -b -v -r -q -f -o -j=text -I=read --lib --blib --verbose --recurse --quiet --jobs=text --shuffle --state=text --timer --color --nocolor --merge --failures',
  ),
  'perltidy perlcritic podchecker': table(
    'text',
    'read',
    '-q -nst --quiet --severity=text --verbose=text --profile=read',
  ),
  'dart flutter': table('text', '', '--version -h --help --no-color -v', {
    subcommands: {
      'test analyze format run compile doctor devices fix info': table(
        'project',
        'likely',
        '--coverage -n=text -t=text -r=text --name=text --tags=text --reporter=text --fatal-infos --fatal-warnings --no-fatal-infos --set-exit-if-changed --output=text -o=text -l=text --line-length=text --dry-run --apply --no-pub --no-test-assets --concurrency=text -j=text --plain-name=text --update-goldens -v --machine',
      ),
      'pub create upgrade channel precache build': network,
    },
  }),
  elm: table('text', '', help, {
    subcommands: {
      make: table('text', 'read', '--debug --optimize --output=write --report=text --docs=write'),
      'init install bump diff': network,
    },
  }),
  gleam: table('text', '', help, {
    subcommands: {
      'build check clean format run test docs': table(
        'project',
        'likely',
        '--check --target=text -t=text -m=text --module=text',
      ),
      'add remove update new hex deps': network,
    },
  }),
  nimble: table('text', '', `${help} -v -y`, {
    subcommands: {
      'build c test check dump tasks path': table('project', 'task', '-d=text -y --verbose --silent'),
      'install uninstall develop refresh search init': network,
    },
  }),
  crystal: table('text', '', help, {
    subcommands: {
      'run build spec': table(
        'project',
        'run likely',
        '-o=write --release --static --debug -d --no-codegen --stats --time --error-trace --verbose -v',
        { stops: true },
      ),
      docs: table('project', 'read', '-o=write --output=write --format=text --project-name=text'),
      tool: table('text', '', '', {
        subcommands: { format: table('project', 'write', '--check --exclude=text --show-backtrace') },
      }),
      'version env': table('text', ''),
    },
  }),
  shards: table('network', '', help, {
    subcommands: {
      'build check list version': table('project', 'likely', ''),
      'install update prune init lock outdated': network,
    },
  }),
  'elm-format elm-test ameba': table(
    'text',
    'likely',
    `--validate --yes --check --seed=text --fuzz=text --watch --no-color --verbose --release --format=text ${help}`,
  ),
});
