import { byNames, compilers, network, type ProgramTable, table, unknown, words } from './table.ts';

const help = '-h --help --version';

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
