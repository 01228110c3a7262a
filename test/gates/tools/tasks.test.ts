import { describe, expect, test } from 'vitest';
import { decisionOn } from './toolRequest.ts';

type Row = readonly [command: string, decision: 'allow' | 'ask' | 'deny'];

function check(command: string, expected: Row[1]) {
  expect(decisionOn(command)).toBe(expected);
}

describe('what publishes is denied, and a task of the project that is called so is asked about', () => {
  test.each<Row>([
    ['mvn deploy', 'deny'],
    ['mvn -q clean deploy', 'deny'],
    ['./mvnw deploy:deploy-file', 'deny'],
    ['mvn release:perform', 'deny'],
    ['gradle publish', 'deny'],
    ['gradle :lib:publishPlugins', 'deny'],
    ['./gradlew uploadArchives', 'deny'],
    ['gradle dockerPush', 'deny'],
    ['gradle jib', 'deny'],
    ['sbt +publishSigned', 'deny'],
    ["sbt 'clean; lib/publish'", 'deny'],
    ['lein deploy clojars', 'deny'],
    ['cargo publish', 'deny'],
    ['twine upload dist/a', 'deny'],
    ['.venv/bin/twine upload dist/a', 'deny'],
    ['gem push a.gem', 'deny'],
    ['docker push a', 'deny'],
    ['dotnet nuget push a.nupkg', 'deny'],
    ['mix hex.publish', 'deny'],
    ['cabal upload a', 'deny'],
    ['dart pub publish', 'deny'],
    ['npx vsce publish', 'ask'],
    ['make docker-push', 'ask'],
    ['just deploy', 'ask'],
    ['ant publish', 'ask'],
    ['rake release', 'ask'],
    ['bundle exec rake release', 'ask'],
    ['npm run deploy', 'ask'],
    ['deno task deploy', 'ask'],
    ['deno task --quiet publish-docs', 'ask'],
    ['turbo run publish', 'ask'],
    ['nx run app:deploy', 'ask'],
    ['make install', 'ask'],
    ['cmake --build build --target install', 'ask'],
    ['gradle assembleRelease', 'allow'],
    ['./gradlew :app:test --tests x', 'allow'],
    ['mvn -q clean install', 'allow'],
    ['./mvnw verify', 'allow'],
    ['mvn checkstyle:check dependency:tree', 'allow'],
    ['make -j4 lint test', 'allow'],
    ['npm run build:release', 'allow'],
    ['deno task build', 'allow'],
    ['cargo build --release', 'allow'],
    ['turbo run build --filter=web', 'allow'],
  ])('%s: %s', check);
});

describe('tasks that run what they are told, or show what a person keeps, are asked about', () => {
  test.each<Row>([
    ["sbt 'eval 1'", 'ask'],
    ['sbt console', 'ask'],
    ["sbt 'set name := 1'", 'ask'],
    ['lein repl', 'ask'],
    ['mvn exec:java', 'ask'],
    ['mvn org.codehaus.mojo:exec-maven-plugin:3.0.0:exec', 'ask'],
    ['mvn dependency:get', 'ask'],
    ['mvn help:effective-settings', 'ask'],
    ['gradle properties', 'ask'],
    ['gradle wrapper', 'ask'],
    ['gradle "$TASK"', 'ask'],
    ["crystal eval 'puts 1'", 'ask'],
    ['crystal i', 'ask'],
    ['crystal run /elsewhere/a.cr', 'deny'],
    ['elm repl', 'ask'],
    ['gleam shell', 'ask'],
    ['nimble install x', 'ask'],
    ['tox', 'ask'],
    ['tox exec -- ls', 'ask'],
    ['tox -e py -- ls', 'ask'],
    ['nox -s tests', 'ask'],
    ['bazel info client-env', 'ask'],
    ['bazel run //x', 'ask'],
    ['stack exec x', 'ask'],
    ['php artisan tinker', 'ask'],
    ['python manage.py shell', 'ask'],
    ['./manage.py dbshell', 'ask'],
    ['bin/rails console', 'ask'],
    ["sbt clean test 'testOnly *Foo'", 'allow'],
    ['sbt Test/compile', 'allow'],
    ['lein test', 'allow'],
    ['crystal spec', 'allow'],
    ['gleam test', 'allow'],
    ['tox list', 'allow'],
    ['nox -l', 'allow'],
    ['bazel info bazel-bin', 'allow'],
    ['php artisan migrate', 'allow'],
    ['python manage.py test', 'allow'],
    ['bin/rails test', 'allow'],
  ])('%s: %s', check);
});

describe('a variable that may name a program of a build is asked about', () => {
  test.each<Row>([
    ['cmake -D CMAKE_CXX_COMPILER_LAUNCHER=x .', 'ask'],
    ['cmake -DCMAKE_C_COMPILER_LAUNCHER=/bin/sh .', 'deny'],
    ['cmake -DCMAKE_C_COMPILER=./evil .', 'ask'],
    ['cmake -DCMAKE_TOOLCHAIN_FILE:FILEPATH=x.cmake .', 'ask'],
    ['cmake -DCMAKE_PROJECT_INCLUDE=1 .', 'ask'],
    ['cmake -DPython3_EXECUTABLE=src/x .', 'ask'],
    ['cmake --build build -- -f other.mk', 'ask'],
    ['cmake --build build -- SHELL=src/x', 'ask'],
    ['meson setup build -Dprog=src/x', 'ask'],
    ['cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=ON', 'allow'],
    ['cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=1 -B build', 'allow'],
    ['cmake --build build -j4 -- -k', 'allow'],
    ['meson setup build -Dbuildtype=debug -Dtests=true', 'allow'],
  ])('%s: %s', check);
});

describe('a program of a package is judged by its name, wherever it lies', () => {
  test.each<Row>([
    ['node_modules/.bin/cowsay x', 'ask'],
    ['packages/a/node_modules/.bin/cowsay x', 'ask'],
    ['.venv/bin/ansible x', 'ask'],
    ['.tox/py/bin/x', 'ask'],
    ['vendor/bin/x', 'ask'],
    ['node_modules/.bin/prettier --write .github', 'ask'],
    ['./node_modules/.bin/tsc --outDir ../x', 'deny'],
    ['node_modules/.bin/curl x', 'deny'],
    ['./find . -delete', 'deny'],
    ['node_modules/.bin/tsc -p .', 'allow'],
    ['.venv/bin/pytest -q', 'allow'],
    ['vendor/bin/phpunit tests', 'allow'],
    ['./scripts/check.sh --fast', 'allow'],
    ['./configure --prefix=out', 'allow'],
  ])('%s: %s', check);
});
