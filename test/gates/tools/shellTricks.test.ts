import { expect, test } from 'vitest';
import { decisionOn, type Scene } from './toolRequest.ts';

const secrets: Scene = { secrets: ['.env', 'deploy/server.pem', 'keys/id_rsa'] };

/** Commands that would read `.env` or run something else than they seem to. */
const tricks: readonly (readonly [string, string])[] = [
  ['jobs runs a command', 'jobs -x cat .env'],
  ['jobs runs a command after another option', 'jobs -lx touch a'],
  ['jobs runs a command through builtin', 'builtin jobs -x cat .env'],
  ['jobs has an operand that is not known', 'jobs "$x"'],
  ['declare expands a quoted array', "declare -a 'x=($(cat .env >&2))'"],
  ['readonly expands a quoted array', "readonly -a 'x=($(cat .env >&2))'"],
  ['typeset expands a quoted array', "typeset -a 'x=($(cat .env >&2))'"],
  ['local expands a quoted array', "f() { local -a 'x=($(cat .env >&2))'; }; f"],
  ['declare expands the array in a value', `y='($(cat .env >&2))'; declare -a "x=$y"`],
  ['declare expands an array that is not known', 'declare -a "x=$(cat src/a)"'],
  ['declare expands the value of what is an array already', "x=(1); declare 'x=($(cat .env >&2))'"],
  ['declare expands a value for what was declared an array', 'declare -a x; declare "x=$(cat src/a)"'],
  ['typeset expands a value for what read made an array', 'read -ra x < src/a; typeset "x=$(cat src/a)"'],
  ['declare expands a value for what mapfile made an array', 'mapfile -t x < src/a; declare "x=$y"'],
  ['declare expands a value for what readonly made an array', 'export -a x; declare "x=$y"'],
  ['local expands a value for an array', 'f() { local -a x; local "x=$1"; }; f a'],
  ['declare expands a value for what becomes an array in a loop', 'while true; do declare "x=$y"; x=(1); done'],
  ['declare expands a value for an array of bash', 'declare "PIPESTATUS=$y"'],
  ['a name starts with what is not known', 'export "$(printf P)ATH=src/bin"; ls'],
  ['printf takes an option that is not known', 'printf "$(printf -)v" PATH src/bin'],
  ['printf takes the rest of an option that is not known', 'printf "-$(printf v)" PATH src/bin'],
  ['env sets a variable whose name starts unknown', 'env "$(printf P)ATH=src/bin" ls'],
  ['env sets what loads into every program', 'env "$(printf LD_)PRELOAD=src/x.so" ls'],
  ['env removes a variable that is not known', 'env -u "$x" ls'],
  ['env is given several words', 'env A=$x ls'],
  ['break outside a loop does nothing', 'x=src/a; if true; then x=.env; break; fi; cat $x'],
  ['return outside a function does nothing', 'x=src/a; if true; then x=.env; return; fi; cat $x'],
  ['return in a loop outside a function does nothing', 'for i in 1; do x=.env; return; x=src/a; done; cat $x'],
  ['break in a function leaves no loop around it', 'f() { break; cat $x; }; for x in .env; do f; done'],
  ['exit fails', 'x=.env; exit < missing; cat $x'],
  ['readonly keeps a value', 'readonly x=.env\nx=src/a\ncat $x'],
  ['declare -r keeps a value', 'declare -r x=.env\nx=src/a\ncat $x'],
  ['a variable that is locked skips the line', 'x=.env\nreadonly y=1\ny=2; x=src/a\ncat $x'],
  ['arithmetic that fails skips the line', 'x=.env\necho $((1/0)); x=src/a\ncat $x'],
  ['a length that is too great skips the line', 'x=.env\necho ${y:0:-5}; x=src/a\ncat $x'],
  ['a length that is too great skips the line in a value', 'x=.env\ny=${y:0:-5}; x=src/a\ncat $x'],
  ['an octal number that is none skips the line', 'x=.env; y=08\necho $((y+1)); x=src/a\ncat $x'],
  ['an octal number that is none skips the line in a part', 'x=.env\necho ${y:08}; x=src/a\ncat $x'],
  ['a default for what is locked skips the line', 'x=.env\nreadonly y; : ${y:=1}; x=src/a\ncat $x'],
  ['a redirection that fails skips a group', 'x=.env; { x=src/a; } < missing; cat $x'],
];

test.each(tricks)('%s', (_name, command) => expect(decisionOn(command, secrets)).not.toBe('allow'));

test.each<[string, string]>([
  ['a bracket with a negation', 'cat .en[^A-Z]'],
  ['a bracket with a range over cases', 'cat .en[Z-w]'],
  ['a bracket with a quoted dash', 'cat .en[v"-"a]'],
  ['a bracket with a quoted mark of negation', 'cat .en["!"v]'],
  ['a bracket with a quoted end', 'cat .en[x"]"v]'],
  ['a bracket with a quote and an escape', 'cat .en[x\\]v]'],
  ['a bracket in the name of a folder', 'cat k[^A-Z]y*/id_[^A-Z]sa'],
  ['the plans', 'rm -rf ./[^A-Z]avel'],
  ['the session log', 'cat ravel/project-root/session-lo[^A-Z].yaml'],
])('a pattern reaches every path that it can name: %s', (_name, command) =>
  expect(decisionOn(command, secrets)).toBe('deny'),
);

test.each([
  'ZIPOPT="-T -TT src/a.sh" zip x.zip f',
  'UNZIP=-o unzip -l x.zip',
  'VITEST_ARGS=x npm test',
  'ANT_ARGS=-logger ls',
  'TS_NODE_COMPILER=src/x ls',
  'ESBUILD_BINARY_PATH=src/x ls',
  'BIOME_BINARY=src/x ls',
  'CORECLR_PROFILER_PATH=src/x.so ls',
  'MAGIC=.env file f',
  'DEPENDENCIES_OUTPUT=src/a.c gcc -c b.c',
  'SUNPRO_DEPENDENCIES=src/a.c gcc -c b.c',
  'NODE_V8_COVERAGE=out node src/a.js',
  'NODE_REDIRECT_WARNINGS=out node src/a.js',
  'NODE_COMPILE_CACHE=out node src/a.js',
  'GCOV_PREFIX=out src/a',
  'LLVM_PROFILE_FILE=out src/a',
  'MYPY_CACHE_DIR=out mypy src',
  'RUFF_CACHE_DIR=out ruff check src',
  'GOCACHE=out go test ./...',
])('a person is asked about a variable that decides what a program loads or writes: %s', (command) =>
  expect(decisionOn(command)).toBe('ask'),
);

test.each([
  'jobs -l',
  'export PORT="$x"',
  'local_name=1; declare -a names',
  'f() { local x="$1"; }; f a',
  'printf "%s\\n" "$x"',
  'printf "$x\\n"',
  'env PORT="$x" ls',
  'env -u NAME ls',
  'cat src/[a-z]*.ts',
  'opts=-l; ls',
])('what only looks like a trick is allowed: %s', (command) => expect(decisionOn(command, secrets)).toBe('allow'));
