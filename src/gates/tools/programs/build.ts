import { type Bare, byNames, network, type ProgramTable, table, unknown } from './table.ts';

const help = '-h --help --version';
const words = (bare: Bare, options: string) => table(bare, 'likely', options, { style: 'words' });

const compilers = (options: string) => table('text', 'run', options, { style: 'words' });

const cargo = `-p=text -j=text -q -v -r -F=text --package=text --workspace --all --lib --bins --tests --benches --examples --bin=text --test=text
  --example=text --bench=text --all-targets --features=text --all-features --no-default-features --release
  --profile=text --jobs=text --quiet --verbose --keep-going --no-run --no-fail-fast --doc --target=text --target-dir=write
  --manifest-path=read --locked --offline --frozen --message-format=text --color=text --exclude=text --no-deps
  --document-private-items --ignore-rust-version --timings?text --check --edition=text --format-version=text
  --depth=text -e=text --edges=text -i=text --invert?text --duplicates -d --fix@write --allow-dirty --allow-staged
  --prefix=text --no-dedupe`;
/** What follows `--` goes to the program that runs. */
const cargoTable = table('project', 'likely', cargo);

const goTest = `-v -race -cover -short -failfast -json -count=text -run=text -bench=text -benchtime=text -benchmem -timeout=text -cpu=text
  -parallel=text -coverprofile=write -covermode=text -coverpkg=text -tags=text -mod=text -n -x -a -p=text -o=write -c
  -cpuprofile=write -memprofile=write -outputdir=write -trimpath -shuffle=text -skip=text -list=text -fuzz=text
  -fuzztime=text -vet=text -msan -asan -buildvcs=text -work -installsuffix=text -ldflags=ask -gcflags=ask -C=into -m -u@network
  -f=text -deps -e -find -test -versions@network -export -compiled -all -short -src -cmd -diff -go=text -compat=text`;
const go = words('project', goTest);

const make = `-B -d -e -i -k -n -q -r -R -s -S -t -w -j?text -C=into -f=run -I=run -l?text -o=read -W=read -O?text --always-make
  --directory=into --debug?text --file=run --makefile=run --ignore-errors --include-dir=run --jobs?text --keep-going
  --just-print --dry-run --recon --question --no-builtin-rules --silent --quiet --no-print-directory
  --print-directory --touch --trace --warn-undefined-variables --output-sync?text ${help} -v`;

const compiler = `-c -S -E -v -w -g -O -pipe -pedantic -pedantic-errors -ansi -static -shared -pthread -rdynamic -nostdlib -nostdinc -M -MM
  -MD -MMD -MP -s -P -C -dM --version --help -### -o=write -x=text -I=read -L=read -D=text -U=text -l=text -MF=write
  -MT=text -MQ=text -include=read -isystem=read -iquote=read -idirafter=read -arch=text -framework=text -target=text
  -m64 -m32 -O* -W* -g* -std=text -march=text -mtune=text -mcpu=text -fno-* -fPIC -fpic -fPIE -fpie -fsanitize=text
  -fstack-protector* -fvisibility=text -fopenmp -flto* -ffast-math -fexceptions -fsyntax-only -fdiagnostics-*
  -fcolor-diagnostics -fanalyzer -fcoroutines -fms-extensions -fmax-errors=text -msse* -mavx* --coverage`;

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

/** Programs that build, test and check, most of them by what the project itself says. */
export const buildPrograms: ReadonlyMap<string, ProgramTable> = byNames({
  cargo: table(
    'text',
    '',
    `-V --version --list --offline --locked --frozen -q -v --quiet --verbose --color=text ${help}`,
    {
      subcommands: {
        'build b check c test t clippy run r bench doc d tree metadata clean fmt nextest verify-project locate-project pkgid':
          cargoTable,
        'read-manifest version help llvm-cov expand machete udeps': table('text', 'text', '-v --verbose'),
        'add update fetch install uninstall remove search vendor info outdated audit deny package new init upgrade generate-lockfile':
          network,
      },
    },
  ),
  rustc: compilers(
    '--version -V --explain=text --print=likely --edition=text --crate-type=text --crate-name=text -o=write --out-dir=write -O -g --test --cfg=text -W=text -A=text -D=text -F=text',
  ),
  rustfmt: table(
    'text',
    'write',
    `--check --edition=text --emit=text --config=text -l -v -q --verbose --quiet --files-with-diff ${help}`,
  ),
  rustup: table('text', '', help, {
    subcommands: { 'show which': table('text', 'text', '-v'), 'toolchain target component update': network },
  }),
  go: table('text', '', '', {
    style: 'words',
    subcommands: {
      'build test vet fmt list clean': go,
      run: table('text', 'run likely', goTest, { style: 'words', stops: true }),
      'generate fix': go,
      tool: table('text', '', '', {
        style: 'words',
        subcommands: { cover: words('text', '-func=read -html=read -o=write -mode=text') },
      }),
      'doc version help env': words('text', '-all -short -src -u -cmd -m -json -v'),
      mod: table('text', '', '', {
        style: 'words',
        subcommands: {
          'verify graph why edit': words('text', '-v -e -diff -go=text -compat=text -m -json -print -fmt'),
          'tidy vendor download init': network,
        },
      }),
      'get install': network,
      work: table('text', '', '', { style: 'words', subcommands: { 'sync use edit': words('text', '-r -json') } }),
    },
  }),
  'gofmt goimports gofumpt': table(
    'text',
    'write',
    '-l -w -d -s -e -local=text -r=text -extra -v -lang=text -srcdir=read',
    {
      style: 'words',
    },
  ),
  govulncheck: network,
  'golangci-lint staticcheck revive': table(
    'project',
    'likely',
    `--fix --config=read -c=read --timeout=text --fast --fast-only --disable-all --enable=text --disable=text -E=text -D=text -v --verbose --new --new-from-rev=text --out-format=text --allow-parallel-runners --max-issues-per-linter=text --max-same-issues=text --tests?text --build-tags=text --path-prefix=text ${help} --checks=text`,
    { style: 'words' },
  ),
  'make gmake': table('project', 'task', make),
  just: table(
    'project',
    'task',
    `-l -n -v -q --list --dry-run --show=text -s=text --summary --evaluate --verbose --quiet -f=run --justfile=run -d=into --working-directory=into --dump --unstable ${help}`,
  ),
  ninja: table(
    'project',
    'task',
    '-v -n -k=text -j=text -l=text -C=into -f=run -d=text -t=ask --version -h --quiet --verbose',
  ),
  ctest: table(
    'project',
    'likely',
    `-V -VV -Q -N -R=text -E=text -L=text -LE=text -j=text -C=text -I=text -M=text --output-on-failure --verbose --test-dir=into --rerun-failed --timeout=text --stop-on-failure --parallel=text --repeat=text --schedule-random --no-tests=text --output-junit=write --preset=text --progress --quiet ${help}`,
    { style: 'words' },
  ),
  cmake: table(
    'text',
    'read',
    `-B=write -S=read -G=text -D=setting -j?text -U=text -A=text -T=text -L -LA -LAH --build=into --install@ask --target=task -t=task --config=text --parallel?text --fresh --preset=text --list-presets --workflow@ask --clean-first --verbose -v -Wno-dev -Wdev --log-level=text --debug-output ${help}`,
  ),
  meson: table('project', '', help, {
    subcommands: {
      'setup compile test configure introspect': table(
        'project',
        'write',
        '-v -C=into --buildtype=text --reconfigure --wipe --print-errorlogs --verbose --suite=text --list --no-rebuild --repeat=text --num-processes=text --tests --targets --buildoptions -j=text -D=setting --prefix=text',
      ),
    },
  }),
  'bazel bazelisk': table('text', '', help, {
    subcommands: {
      'build test query cquery aquery coverage version clean help': table(
        'text',
        'text',
        '-c=text -k --config=text --test_output=text --keep_going --compilation_mode=text --jobs=text --test_filter=text --cache_test_results?text --nocache_test_results --verbose_failures --output=text --runs_per_test=text --test_arg=text --test_tag_filters=text --build_tag_filters=text --expunge --show_progress --noshow_progress --curses=text --color=text --test_timeout=text --flaky_test_attempts=text --build_tests_only',
      ),
      // Other facts, such as client-env, show the environment.
      info: table('text', '', '', {
        subcommands: {
          'workspace output_path output_base execution_root bazel-bin bazel-testlogs bazel-genfiles release server_pid':
            table('text', ''),
        },
      }),
      run: table('text', 'text likely', '-c=text --config=text', { stops: true, always: 'ask' }),
    },
  }),
  scons: table(
    'project',
    'task',
    `-c -j=text -k -n -Q -s -u -D -U --clean --jobs=text --keep-going --dry-run --silent ${help}`,
  ),
  'gcc g++ cc c++ clang clang++ c99': table('text', 'run', compiler, { style: 'words' }),
  'clang-format': table(
    'text',
    'read',
    `-i@write --style=text -style=text --dry-run -n --Werror --assume-filename=text --fallback-style=text --sort-includes --verbose --lines=text ${help}`,
    { style: 'words' },
  ),
  'clang-tidy cppcheck iwyu': table(
    'text',
    'read',
    `-p=read --fix@write --fix-errors@write --checks=text -checks=text --quiet --warnings-as-errors=text --header-filter=text --list-checks --enable=text --std=text --language=text --error-exitcode=text --inline-suppr --suppress=text -I=read -j=text --force -q --template=text ${help}`,
    { style: 'words' },
  ),
  'nm objdump readelf size otool addr2line c++filt': table(
    'text',
    'read',
    '-aAbBcCdDefghiIlnNopPrRsStTuvVWwxXH --demangle?text --defined-only --undefined-only --dynamic --headers --all --wide --file-headers --sections --symbols --disassemble --source --version --help -M=text --section=text',
  ),
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
  'shfmt taplo yamllint hadolint actionlint typos ansible-lint tflint sqlfluff djlint dotenv-linter editorconfig-checker':
    table(
      'project',
      'likely',
      `-d -l -w -s -f=text -i=text -ln=text -p -ci -bn -sr -mn -kp -fn -c=read -q -v --diff --list --write --simplify --indent=text --check --fix --format=text --no-color --color=text --config=read --config-file=read --strict --ignore=text --shellcheck=text --dialect=text --quiet --verbose --version -version -h --help`,
      { style: 'words' },
    ),
  buf: table('text', '', help, {
    subcommands: { 'lint format build breaking': table('project', 'likely', '-d -w --config=read --path=read') },
  }),
  dprint: table('text', '', help, {
    subcommands: { 'check fmt': table('project', 'likely', '--config=read -c=read --diff') },
  }),
  protoc: table(
    'text',
    'read',
    '--version -I=read --proto_path=read --cpp_out=write --python_out=write --java_out=write --descriptor_set_out=write --include_imports --include_source_info',
  ),
  dot: table('text', 'read', '-T?text -o=write -K?text -G?text -N?text -E?text -V', { style: 'words' }),
  // A format may be a script, an operand an address.
  pandoc: table(
    'text',
    'run',
    '-f=ask -t=run -r=ask -w=run -s -o=write --from=ask --to=run --standalone --output=write --toc --wrap=text --columns=text --version',
  ),
  'perf valgrind gdb lldb strace ltrace': unknown,
});
