import { type Bare, byNames, network, type ProgramTable, table } from './table.ts';

const help = '-h --help --version';
const tool = (bare: Bare, options: string) => table(bare, 'likely', `${help} ${options}`);
/** Its operands are files and folders that it changes. */
const fixer = (bare: Bare, options: string) => table(bare, 'write', `${help} ${options}`);

const pytest = tool(
  'project',
  `-v -q -x -s -l -k=text -m=text -n=text -c=run -r=text --tb=text --lf --last-failed --ff --failed-first --nf --new-first
  --sw --stepwise --maxfail=text --durations=text --collect-only --co --cov?text --cov-report=likely --cov-fail-under=text
  --cov-branch --no-cov --no-header --no-summary --verbose --quiet --capture=text --showlocals --ignore=text
  --deselect=text --strict-markers --strict-config --disable-warnings --exitfirst --junitxml=write --junit-xml=write
  --basetemp=remove --rootdir=into --color=text --fixtures --markers --setup-show --setup-only --setup-plan --timeout=text
  --benchmark-only --benchmark-skip --dist=text --cache-clear --cache-show?text --import-mode=text --full-trace
  --log-cli-level=text --log-level=text --pyargs --runxfail --doctest-modules --asyncio-mode=text -W=text`,
);
const ruff = table('text', '', help, {
  subcommands: {
    'check format': fixer(
      'write',
      '--fix --unsafe-fixes --diff --check --select=text --ignore=text --extend-select=text --exclude=text --line-length=text --config=read --no-cache --show-fixes --statistics --output-format=text --quiet -q -v --watch --preview --target-version=text --exit-zero --no-fix --isolated',
    ),
    'rule linter version help clean': tool('text', '--all --output-format=text'),
  },
});
const black = fixer(
  'text',
  '-l=text -t=text -S -q -v --check --diff --color --line-length=text --target-version=text --skip-string-normalization --exclude=text --extend-exclude=text --include=text --quiet --verbose --config=read --fast --safe --preview --workers=text -W=text',
);
const mypy = tool(
  'project',
  '-p=text -m=text --strict --ignore-missing-imports --config-file=run --show-error-codes --pretty --no-incremental --python-version=text --namespace-packages --explicit-package-bases --check-untyped-defs --disallow-untyped-defs --warn-unused-ignores --exclude=text --follow-imports=text --no-error-summary --no-color-output --package=text --module=text --verbose -v --platform=text',
);
const linters = `${help} -v -q -j=text -d=text -e=text --check --check-only --diff --quiet --profile=text --max-line-length=text --select=text --ignore=text --extend-ignore=text --exclude=text --statistics --count --show-source --format=text --config=run --disable=text --enable=text --output-format=run --score=text --reports=text --rcfile=run --jobs=text --recursive=text --line-length=text --max-complexity=text --errors-only --in-place --aggressive --target-version=text --fail-under=text --profile=text --check-untyped-defs --verbose`;
const coverage = table('text', '', help, {
  subcommands: {
    'report html xml json lcov': tool(
      'project',
      '-m -i -d=write -o=write --show-missing --skip-covered --skip-empty --include=text --omit=text --fail-under=text --precision=text --sort=text --directory=write --format=text',
    ),
    'erase combine': tool('project', '--keep -a --append'),
    run: table(
      'text',
      'run likely',
      '-p -a --branch --parallel-mode --append --source=text --include=text --omit=text --rcfile=run -m@script',
      { stops: true },
    ),
  },
});

/** Modules that `python -m` may run: those that are programs of their own, and some of the library. */
export const pythonModules: ReadonlyMap<string, ProgramTable> = byNames({
  pytest,
  'unittest doctest': table(
    'project',
    'likely',
    '-v -q -f -b -c -k=text -s=read -p=text -t=read --verbose --quiet --failfast --buffer --locals --catch -o=text',
  ),
  'compileall py_compile': table('project', 'write', '-q -f -j=text -l -b -x=text'),
  'json.tool': table(
    'text',
    'read write',
    '--sort-keys --no-ensure-ascii --json-lines --indent=text --tab --no-indent --compact',
  ),
  black: black,
  mypy: mypy,
  ruff: ruff,
  'flake8 pylint pyflakes pycodestyle': table('text', 'likely', linters),
  isort: table('text', 'write', linters),
  coverage: coverage,
  'venv virtualenv': table(
    'text',
    'write',
    '--clear@clear --without-pip --prompt=text --upgrade --copies --symlinks --system-site-packages',
  ),
  'site platform sysconfig this': table('text', 'text'),
  'timeit cProfile profile pdb trace': table('text', '', '', { always: 'ask' }),
  pip: table('text', '', '', { subcommands: pipCommands() }),
  'tokenize ast dis': table('text', 'read', '-e -C -a'),
});

function pipCommands(): Readonly<Record<string, ProgramTable>> {
  return {
    'list freeze show check': table(
      'text',
      'text',
      '-v -q -f --outdated@network --format=text --local --user --not-required --verbose --files',
    ),
    'help debug inspect': table('text', 'text'),
    'install uninstall download wheel index search lock': network,
  };
}

/** Programs of Python. */
export const pythonPrograms: ReadonlyMap<string, ProgramTable> = byNames({
  'python python3': table(
    'code',
    'run likely',
    '-B -b -d -E -I -O -q -s -S -u -v -V@alone -x -W=text -X=likely -h@alone --version@alone --help@alone',
    {
      stops: true,
    },
  ),
  pytest,
  'py.test': pytest,
  ruff,
  black: black,
  mypy: mypy,
  dmypy: table('text', '', help, { subcommands: { 'run check status stop restart start': mypy } }),
  'pyright basedpyright pytype': tool(
    'project',
    '-p=read --project=read --outputjson --stats --watch --verbose --level=text --skipunannotated --warnings --pythonversion=text',
  ),
  'flake8 pylint pyflakes pycodestyle bandit pydocstyle vulture': table('text', 'likely', linters),
  'isort autopep8 yapf': table('text', 'write', linters),
  coverage: coverage,
  // Both install what the project's environments need.
  tox: table(
    'network',
    '',
    '-h@alone --help@alone --version@alone -l@alone --listenvs@alone -a@alone --listenvs-all@alone -e=text -f=text -r -p?text -q -v -c=run --recreate --parallel?text --skip-missing-interpreters',
    { subcommands: { 'list l config c depends de': table('text', '', '-e=text -q -v --no-desc -d') } },
  ),
  nox: table(
    'network',
    '',
    '-h@alone --help@alone --version@alone -l@alone --list@alone --list-sessions@alone -s=text -e=text --session=text --sessions=text -t=text -k=text -p=text -r -R -q -v -x -f=run --noxfile=run --reuse-existing-virtualenvs --no-install',
  ),
  'pip pip3': table('text', '', '-V --version -q -v', { subcommands: pipCommands() }),
  uv: table('text', '', '--version -V -q --quiet -v --offline --no-progress', {
    subcommands: {
      tree: table('text', 'text', '--depth=text --frozen --locked'),
      'sync lock add remove venv pip tool python build init export': network,
    },
  }),
  'poetry pdm hatch pipenv rye': table('text', '', '--version -V -q -v -n --no-interaction', {
    subcommands: {
      'check show env version about graph': table(
        'text',
        'text',
        '--tree --latest@network --info --path --list --short -s -l -p -i',
      ),
      'install add remove update lock sync build self shell': network,
    },
  }),
  'pre-commit': table('text', '', help, { always: 'ask' }),
  'django-admin': table('text', '', help, { always: 'ask' }),
});
