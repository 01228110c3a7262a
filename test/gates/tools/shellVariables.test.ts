import { describe, expect, test } from 'vitest';
import { decisionOn, judgeIn } from './toolRequest.ts';

type Row = readonly [command: string, decision: 'allow' | 'ask' | 'deny'];

function check(command: string, expected: Row[1]) {
  expect(decisionOn(command)).toBe(expected);
}

describe('a variable that a program is given is asked about unless it is known to be harmless', () => {
  test.each<Row>([
    ['HARNESS_PERL=./x prove t', 'ask'],
    ['HARNESS_PERL_SWITCHES=-Mx prove t', 'ask'],
    ['RUSTFMT=./x cargo fmt', 'ask'],
    ['GOCACHEPROG=./x go build ./...', 'ask'],
    ['GOTOOLDIR=x go build ./...', 'ask'],
    ['PKG_CONFIG=./x go build ./...', 'ask'],
    ['SWIFT_EXEC=./x swift build', 'ask'],
    ['BAZEL_SH=./x bazel build //x', 'ask'],
    ['CHROME_BIN=./x npm test', 'ask'],
    ['PUPPETEER_EXECUTABLE_PATH=./x npm test', 'ask'],
    ['MIX_EXS=x mix test', 'ask'],
    ['JAVACMD=./x ./mvnw test', 'ask'],
    ['MAKE=./x make', 'ask'],
    ['CCACHE_PREFIX=./x make', 'ask'],
    ['PYLINTRC=x pylint src', 'ask'],
    ['XZ_DEFAULTS=--files=.env xz a', 'ask'],
    ['TURBO_API=http://example.org turbo run build', 'ask'],
    ['NX_CLOUD_API=http://example.org nx run a:test', 'ask'],
    ['COREPACK_NPM_REGISTRY=http://example.org pnpm test', 'ask'],
    ['env RUSTFMT=./x cargo fmt', 'ask'],
    ['export RUSTFMT=./x; cargo fmt', 'ask'],
    ['RUSTFMT=./x; export RUSTFMT; cargo fmt', 'ask'],
    ['declare -x RUSTFMT=./x; cargo fmt', 'ask'],
    ['RUSTFMT=./x command cargo fmt', 'ask'],
    ['f() { cargo fmt; }; RUSTFMT=./x f', 'ask'],
    ["bash -c 'RUSTFMT=./x cargo fmt'", 'ask'],
    ['RUSTFMT=$(pwd)/x cargo fmt', 'ask'],
    ['RUSTFMT+=1 cargo fmt', 'ask'],
    ['PATH=. ls', 'deny'],
    ['env GIT_DIR=x ls', 'deny'],
    ['TZ=:/elsewhere/x date', 'deny'],
  ])('%s: %s', check);
});

describe('a switch says on or off, and programs are given its next value too', () => {
  test.each<Row>([
    ['UPDATE_GOLDEN=1 npm test', 'allow'],
    ['env RUN_SLOW=true pytest', 'allow'],
    ['RUSTFMT=1; RUSTFMT=./x; echo $RUSTFMT', 'allow'],
    ['export RUSTFMT=1; RUSTFMT=./x; cargo fmt', 'ask'],
    ['f() { RUSTFMT=./x; cargo fmt; }; RUSTFMT=1 f', 'ask'],
    ["RUSTFMT=1 eval 'RUSTFMT=./x; cargo fmt'", 'ask'],
    ["RUSTFMT=1 bash -c 'RUSTFMT=./x; cargo fmt'", 'ask'],
    ["env RUSTFMT=1 bash -c 'read RUSTFMT < a; cargo fmt'", 'ask'],
    ['HOST=0 npm start', 'ask'],
    ['NODE_TLS_REJECT_UNAUTHORIZED=0 npm test', 'ask'],
    ['PUBLISH=1 npm run build', 'ask'],
  ])('%s: %s', check);
});

describe('everyday variables of programs are allowed, and so are those that a script keeps for itself', () => {
  test.each<Row>([
    ['CI=1 npm test', 'allow'],
    ['NODE_ENV=test node --test', 'allow'],
    ["DEBUG='app:*' npm test", 'allow'],
    ['RUST_LOG=debug,hyper=info RUST_BACKTRACE=full cargo test', 'allow'],
    ['LC_ALL=C sort a', 'allow'],
    ['TZ=Europe/Berlin date', 'allow'],
    ['GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go build ./...', 'allow'],
    ['PORT="$port" npm start', 'allow'],
    ['export FORCE_COLOR=1 LANG=en_US.UTF-8; npm test', 'allow'],
    ['x=1; echo $x', 'allow'],
    ['ROOT=src; cat "$ROOT/a.txt"', 'allow'],
    ['for f in src/*.ts; do wc -l "$f"; done', 'allow'],
  ])('%s: %s', check);
});

test('in a sandbox no program that a variable names does harm', () => {
  const command = 'RUSTFMT=./x cargo fmt';
  expect(judgeIn({ confinement: 'confined' }, 'Bash', { command }).decision).toBe('allow');
});

describe('a variable that `environment.pass` brings in is one that programs are given', () => {
  const passedVariables = ['RUSTFMT', 'APP_*'];
  test.each<Row>([
    ['RUSTFMT=./x; cargo fmt', 'ask'],
    ['APP_TOOL=./x; npm test', 'ask'],
    ['read RUSTFMT < a; cargo fmt', 'ask'],
    ['for RUSTFMT in ./x; do cargo fmt; done', 'ask'],
    ['RUSTFMT=1 cargo fmt', 'allow'],
    ['RUSTFMTS=./x; cargo fmt', 'allow'],
    ['app_tool=./x; npm test', 'allow'],
    ['APP_ENV=test; npm test', 'allow'],
  ])('%s: %s', (command, expected) => expect(decisionOn(command, { passedVariables })).toBe(expected));
});
