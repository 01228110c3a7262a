/** Secrets by where they stand: each shape in which a person or a program writes one down. */

const test = 'test/gates/secrets/findSecrets.test.ts';
const scanner = 'src/gates/secrets/assignmentScanner.ts';
const places = 'src/gates/secrets/assignmentPlaces.ts';
const passwords = 'src/gates/secrets/passwords.ts';
const commands = 'src/gates/secrets/commandScanner.ts';
const keys = 'src/gates/secrets/jsonWebKeys.ts';
const tables = 'src/gates/secrets/tableScanner.ts';
const names = 'src/gates/secrets/secretNames.ts';

/** @type {readonly (readonly [name: string, shape: string, file: string, search: string, replacement: string])[]} */
const shapes = [
  ['type', 'behind the type of a variable', scanner, '(type ?? conversion.exec(piece))', 'conversion.exec(piece)'],
  ['conversion', 'in what makes a string', scanner, '(type ?? conversion.exec(piece))', 'type'],
  ['array', 'in an array of C', scanner, "if (separator === '=' && text.startsWith('[]', end - 2)) end -= 2;", ''],
  [
    'declaration',
    'behind the keyword of a declaration',
    places,
    ' || isInDockerfile(text, at) || isBehindDeclaration(text, at)',
    ' || isInDockerfile(text, at)',
  ],
  ['letters', 'as letters behind its name', passwords, "return place === 'named' || isChosen(text);", 'return false;'],
  ['unquoted', 'as letters without quotes', passwords, "return place === 'named' ||", "return place === 'named' &&"],
  ['given', 'as letters in a place for passwords', passwords, "if (place === 'given') return true;", ''],
  [
    'variable',
    'in a variable of a program',
    places,
    "if (kind === 'variable' && separator === '=') return 'given';",
    '',
  ],
  [
    'element',
    'in an element of XML',
    places,
    "if (separator === '>' && text.startsWith('</', end)) return 'given';",
    '',
  ],
  [
    'connection',
    'in a connection string',
    places,
    "if (separator === '=' && isInConnection(text, name.start, end)) return 'given';",
    '',
  ],
  ['netrc', 'in an entry of netrc', places, ' || isNetrcEntry(before);', ';'],
  ['flow', 'in a mapping of one line', scanner, '=== undefined ? isRandom(text)', '=== undefined ? false'],
  ['joined', 'joined to an option', commands, "form === 'joined' ? gap !== ''", "form === 'joined' ? true"],
  ['combined', 'behind options that share a dash', commands, ' || isLastOf(one, word)', ''],
  ['pair', 'behind the name of its user', commands, 'const sign = value.indexOf(form);', 'const sign = -1;'],
  [
    'lines',
    'in a command of several lines',
    commands,
    "while (end > 0 && text[end - 1] === '\\\\')",
    'while (end < -1)',
  ],
  [
    'data',
    'in character data of XML',
    scanner,
    "place.separator === '>' && text.startsWith(characterData, index)",
    'false',
  ],
  ['quoted-cell', 'in a cell with quotes', tables, `line[from] === '"' ?`, "line[from] === '' ?"],
  ['suffix', 'behind a name that ends in “password”', names, '(?:passwor[dt]|passwd', '^(?:passwor[dt]|passwd'],
];

/** @type {readonly (readonly [name: string, text: string, file: string, search: string, replacement: string])[]} */
const others = [
  [
    'description',
    'a word that says what goes there',
    passwords,
    ' || isDescription(text)) return false;',
    ') return false;',
  ],
  ['code', 'a name of a program', passwords, "return place === 'named' || isChosen(text);", 'return true;'],
  ['subcommand', 'the port of a container', commands, 'program.after === undefined', 'true'],
  ['pipe', 'an option of the next command', commands, 'else if (/^[;|&]/.test(word)) known = undefined;', ''],
  ['member', 'a member of another object', keys, ' && !/[{}]/.test(text.slice(from, to))', ''],
  ['typeless', 'a member of an object without a type', keys, 'if (!isKey || isMadeUp(value)) continue;', ''],
  ['cell', 'a word in a table of Markdown', tables, "kind === 'pass' || delimiter === '|'", "kind === 'pass'"],
  ['action', 'the text of a button', names, "actionWords.has(before) ? 'pass' : 'password'", "'password'"],
];

/** @type {readonly import('./rules.mjs').Rule[]} */
export const secretRules = [
  ...shapes.map(([name, shape, file, search, replacement]) => ({
    id: `secret-${name}`,
    rule: `A secret is found ${shape}.`,
    file,
    edits: /** @type {const} */ ([[search, replacement]]),
    test,
  })),
  ...others.map(([name, text, file, search, replacement]) => ({
    id: `no-secret-${name}`,
    rule: `No secret is ${text}.`,
    file,
    edits: /** @type {const} */ ([[search, replacement]]),
    test,
  })),
];
