/** Something that any good plan for a goal must contain, and where the project says it. */
export interface Need {
  readonly need: string;
  /** Texts of the project without which a planner cannot know it; each has to be given or within reach. */
  readonly facts: readonly string[];
}

/** A small repository with a goal. The lists were written from the repository and its goal alone. */
export interface PlanCase {
  readonly name: string;
  readonly goal: string;
  readonly files: Readonly<Record<string, string>>;
  readonly commits?: readonly string[];
  /** Plans that are there already, with their open tasks. */
  readonly plans?: readonly {
    readonly below: string;
    readonly description: string;
    readonly tasks: readonly string[];
  }[];
  readonly needs: readonly Need[];
}

const need = (text: string, ...facts: readonly string[]): Need => ({ need: text, facts });

export const planCases: readonly PlanCase[] = [
  {
    name: 'duration',
    goal: 'parseDuration understands durations of several parts, such as 1h30m',
    files: {
      'README.md': '# duration\n\nReads `2h` and `45s`. Runs in browsers, so it has no dependencies.\n',
      'package.json': '{ "name": "duration", "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/duration.js': 'export function parseDuration(text) {\n  const match = /^(\\d+)([hms])$/.exec(text);\n}\n',
      'test/duration.test.js': "test.todo('several parts');\ntest('a unit twice is refused', () => {});\n",
    },
    needs: [
      need('a task that changes parseDuration in src/duration.js', 'src/duration.js', '/^(\\d+)([hms])$/'),
      need(
        'the pending test "several parts" becomes the proof, run by npm test',
        "test.todo('several parts')",
        'node --test',
      ),
      need('no new dependency', 'it has no dependencies'),
      need('a unit that stands twice is still refused', 'a unit twice is refused'),
      need('the README shows the new form', 'Reads `2h` and `45s`'),
    ],
  },
  {
    name: 'shop-search',
    goal: 'Customers can filter the search by colour and by size',
    files: {
      'README.rst': 'Shop\n====\n\nTests: ``pytest -q``. The catalogue is ``data/catalog.csv``.\n',
      'pyproject.toml': '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
      'shop/routes.py': 'def search(request):\n    return render("results.html", find(request.args["q"]))\n',
      'shop/templates/results.html': '<form action="/search"><input name="q"></form>\n',
      'data/catalog.csv': 'sku,title,color_code,sizes\n17,Coat,0x3,S|M|L\n',
      'data/colors.csv': 'color_code,name\n0x3,navy\n',
      'docs/roadmap.md': '# Roadmap\n\n- [ ] Filters must work without JavaScript\n- [x] Search by words\n',
      'tests/test_search.py': 'def test_search_by_words(client): ...\n',
    },
    needs: [
      need('search in shop/routes.py takes the filters', 'def search(request)', 'shop/routes.py'),
      need('colours are codes, whose names are in data/colors.csv', 'color_code,name', 'data/colors.csv'),
      need('several sizes stand in one field, parted by a bar', 'S|M|L'),
      need(
        'the form in results.html gets fields that work without JavaScript',
        'Filters must work without JavaScript',
        'results.html',
      ),
      need('tests beside test_search.py, run by pytest', 'pytest -q', 'tests/test_search.py'),
    ],
  },
  {
    name: 'rate-limit',
    goal: 'No client can send more than 60 requests a minute',
    files: {
      'README.md': '# relay\n\nA small HTTP relay. `make check` runs vet and the tests.\n',
      'go.mod': 'module example.org/relay\n\ngo 1.23\n',
      Makefile: 'check:\n\tgo vet ./...\n\tgo test -race ./...\n',
      'main.go': 'package main\n\nfunc main() { http.ListenAndServe(addr, logged(handler())) }\n',
      'clientkey.go':
        '// clientKey is the X-Relay-Client header behind our proxy, never the remote address.\nfunc clientKey(r *http.Request) string\n',
      'deploy/config.yaml': 'replicas: 3\nenv:\n  LIMIT_PER_MINUTE: "0"\n',
      'docs/decisions/0003-dependencies.md':
        '# No third-party packages\n\nAccepted. The relay uses the standard library alone.\n',
    },
    needs: [
      need('the limit wraps the handler in main.go, as logged does', 'logged(handler())'),
      need('a client is known by clientKey, not by its address', 'never the remote address'),
      need('LIMIT_PER_MINUTE of deploy/config.yaml is used and set to 60', 'LIMIT_PER_MINUTE'),
      need('three replicas count together, or the plan says how the limit is shared', 'replicas: 3'),
      need('no third-party package', 'standard library alone'),
      need('make check proves it', 'go test -race'),
    ],
  },
  {
    name: 'json-output',
    goal: 'Every command of tally can print JSON for scripts',
    files: {
      'README.md': '# tally\n\n`tally count FILE` and `tally top FILE` print tables.\n',
      'Cargo.toml': '[package]\nname = "tally"\n\n[dependencies]\nclap = "4"\nserde = "1"\n',
      'src/main.rs': 'enum Command {\n    Count { file: PathBuf },\n    Top { file: PathBuf, n: usize },\n}\n',
      'src/report.rs': 'pub fn print_table(rows: &[Row]) {}\n',
      'tests/cli.rs': '// Snapshots: TALLY_BLESS=1 cargo test writes them anew.\n',
      'CONTRIBUTING.md':
        '# Contributing\n\nEvery change of the output has a line in CHANGELOG.md. Output for scripts is stable from its first release.\n',
      'CHANGELOG.md': '# Changelog\n\n## Unreleased\n',
    },
    needs: [
      need('both commands, count and top, get the option', 'Count { file: PathBuf }', 'Top { file: PathBuf'),
      need('rows are printed in src/report.rs', 'print_table'),
      need('serde is there already, serde_json is not', 'serde = "1"'),
      need('snapshots in tests/cli.rs, written with TALLY_BLESS', 'TALLY_BLESS=1'),
      need('the shape is settled first, since it is stable afterwards', 'stable from its first release'),
      need('a line in CHANGELOG.md', 'has a line in CHANGELOG.md'),
    ],
  },
  {
    name: 'german-docs',
    goal: 'The whole documentation can be read in German',
    files: {
      'README.md': '# docs\n\n`npm run build` fails on a missing translation once a language is listed in i18n.toml.\n',
      'package.json': '{ "scripts": { "build": "node build.mjs --strict" } }\n',
      'i18n.toml': 'default = "en"\nlanguages = ["en"]\n',
      'content/en/install.md': '# Install\n',
      'content/en/first-steps.md': '# First steps\n',
      'content/en/reference/options.md': '# Options\n\n<!-- generated by build.mjs, do not edit -->\n',
      'glossary.md':
        '# Glossary\n\n| English | Deutsch |\n|---|---|\n| vault | Tresor |\n| worker | Arbeiter (not Worker) |\n',
      'build.mjs': '// Options are generated from options.json, one text for each language.\n',
      'options.json': '{ "depth": { "en": "How deep to look" } }\n',
    },
    needs: [
      need(
        'each page below content/en gets its page below content/de',
        'content/en/first-steps.md',
        'content/en/install.md',
      ),
      need('options.md is generated, so its German goes into options.json', 'do not edit', 'options.json'),
      need('terms follow glossary.md', 'Arbeiter (not Worker)'),
      need(
        'the language is listed in i18n.toml last, when all is translated',
        'languages = ["en"]',
        'fails on a missing translation',
      ),
      need('npm run build proves it', 'build.mjs --strict'),
    ],
  },
  {
    name: 'migration',
    goal: 'Prices are stored in cents instead of floating-point euros',
    files: {
      Makefile: 'migrate:\n\t./migrate.sh up\nrollback:\n\t./migrate.sh down\ntest:\n\t./test.sh\n',
      'schema.sql': 'CREATE TABLE item (id INTEGER, price_eur REAL NOT NULL);\n',
      'migrations/0006_names.up.sql': 'ALTER TABLE item ADD COLUMN name TEXT;\n',
      'migrations/0006_names.down.sql': 'ALTER TABLE item DROP COLUMN name;\n',
      'reports/monthly.sql': 'SELECT sum(price_eur) FROM item;\n',
      'reports/tax.sql': 'SELECT price_eur * 0.19 FROM item; -- rounded half up by law\n',
      'importer/feed.py': 'row["price_eur"] = float(cells[3].replace(",", "."))\n',
      'docs/operations.md':
        '# Operations\n\nThe old and the new version run side by side for a day, so a column is dropped one release later.\n',
    },
    needs: [
      need('a migration 0007 with an up and a down file', '0006_names.up.sql', '0006_names.down.sql'),
      need('both reports change', 'reports/monthly.sql', 'reports/tax.sql'),
      need('tax is rounded half up', 'rounded half up by law'),
      need('the importer reads a decimal comma, and must not go through float', 'float(cells[3]'),
      need('the old column stays for a release', 'dropped one release later'),
      need('schema.sql follows', 'price_eur REAL NOT NULL'),
    ],
  },
  {
    name: 'node-22',
    goal: 'Everything runs on Node 22, and nothing on Node 18 any more',
    files: {
      'README.md': '# tools\n\nTwo packages in one repository.\n',
      '.nvmrc': '18.19\n',
      '.github/workflows/ci.yml': 'strategy:\n  matrix:\n    node: [18, 20]\n',
      'packages/a/package.json':
        '{ "name": "a", "engines": { "node": ">=18" }, "scripts": { "test": "node --test" } }\n',
      'packages/b/package.json': '{ "name": "b", "engines": { "node": ">=18" }, "scripts": { "test": "mocha" } }\n',
      'packages/b/src/load.js': "import data from './data.json' assert { type: 'json' };\n",
      'deploy/Dockerfile': 'FROM node:18-alpine\n',
      'docs/support.md': '# Support\n\nA dropped version of Node is a major release of both packages.\n',
    },
    needs: [
      need('.nvmrc', '18.19'),
      need('the matrix of the workflow', 'node: [18, 20]'),
      need('engines of both packages', 'packages/a/package.json', 'packages/b/package.json', '">=18"'),
      need('the image of deploy/Dockerfile', 'FROM node:18-alpine'),
      need('import assertions are gone in Node 22', "assert { type: 'json' }"),
      need('a major release of both packages', 'a major release of both packages'),
    ],
  },
  {
    name: 'flaky-test',
    goal: 'The tests no longer fail now and then',
    files: {
      'README.md': '# ticker\n\n`./gradlew test` runs everything.\n',
      'build.gradle.kts': 'tasks.test { useJUnitPlatform(); maxParallelForks = 4 }\n',
      'src/main/java/org/example/Clock.java': 'public interface Clock { long millis(); }\n',
      'src/main/java/org/example/Ticker.java': 'public class Ticker { long last = System.currentTimeMillis(); }\n',
      'src/test/java/org/example/TickerTest.java':
        'class TickerTest { void ticks() throws Exception { Thread.sleep(50); assertEquals(5, ticks); } }\n',
      'src/test/java/org/example/StoreTest.java': 'class StoreTest { File file = new File("/tmp/store.bin"); }\n',
      'ISSUES.md':
        '# Open\n\n- #12 TickerTest fails about once in twenty runs on CI\n- #14 StoreTest fails when two forks run at once\n',
    },
    needs: [
      need('TickerTest no longer sleeps', 'Thread.sleep(50)'),
      need('Ticker takes the Clock that is there', 'interface Clock', 'System.currentTimeMillis()'),
      need('StoreTest gets a file of its own', '/tmp/store.bin', 'maxParallelForks = 4'),
      need('both open issues are named', '#12 TickerTest', '#14 StoreTest'),
      need('many runs in a row prove it', 'once in twenty runs'),
    ],
  },
  {
    name: 'half-done',
    goal: 'Readers can subscribe to the blog by mail',
    files: {
      'README.md': '# blog\n\n`npm test` runs the tests. Mail goes through the queue, never straight to SMTP.\n',
      'package.json': '{ "scripts": { "test": "vitest run" } }\n',
      'src/queue.ts': 'export function enqueue(job: Job): void {}\n',
      'src/subscribe.ts':
        "import { appendFile } from 'node:fs/promises';\n\nexport function subscribe(address: string): Promise<void> {\n  return appendFile('subscribers.txt', address + '\\n');\n}\n// TODO: confirm the address before the first mail (double opt-in)\n",
      'test/subscribe.test.ts': "test('an address is stored', () => {});\n",
    },
    commits: ['Store the addresses of subscribers', 'Add the queue'],
    plans: [
      { below: '', description: 'The blog and its tests', tasks: ['Send the weekly mail'] },
      { below: '/mail', description: 'What the blog sends by mail', tasks: ['Bounce handling'] },
    ],
    needs: [
      need(
        'addresses are stored already, so that is not planned again',
        'Store the addresses of subscribers',
        'an address is stored',
      ),
      need('the address is confirmed first', 'double opt-in'),
      need('mail goes through enqueue', 'never straight to SMTP', 'export function enqueue'),
      need('the plan for mail is there, so no second one is made', 'What the blog sends by mail'),
      need('"Send the weekly mail" is in the backlog already', 'Send the weekly mail'),
      need('npm test proves it', 'vitest run'),
    ],
  },
  {
    name: 'analyseur',
    goal: "L'analyseur accepte les commentaires",
    files: {
      'NOTES.txt':
        'Ne jamais allouer de mémoire : tourne sur un microcontrôleur.\nLa grammaire est dans grammaire.txt, à tenir à jour.\n',
      'grammaire.txt': 'ligne = mot { " " mot } ;\n',
      Makefile: 'test: essai\n\t./essai\n\nessai: src/parse.c test/essai.c\n\tcc -Wall -Werror -o $@ $^\n',
      'src/parse.c': 'int parse_line(const char *text, struct word *out, int max);\n',
      'test/essai.c': 'int main(void) { assert(parse_line("a b", words, 8) == 2); }\n',
      'exemples/usine.cfg': 'vitesse 12 # tours par minute\nnom #3\n',
    },
    needs: [
      need('parse_line in src/parse.c skips comments', 'int parse_line'),
      need('no allocation', 'Ne jamais allouer'),
      need('grammaire.txt follows', 'à tenir à jour', 'ligne = mot'),
      need('a # at the beginning of a word is no comment, as in exemples/usine.cfg, or a question is asked', 'nom #3'),
      need('a case in test/essai.c, run by make test', 'test/essai.c', '-Werror'),
    ],
  },
];
