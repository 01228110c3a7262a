/** Variables that a command gives to programs, and what holds the reader of the shell against bash. */

const tools = 'src/gates/tools';
const variables = { file: `${tools}/shellVariables.ts`, test: 'test/gates/tools/shellVariables.test.ts' };
const fuzz = 'test/gates/tools/shell/shellFuzz.test.ts';
const oracle = { file: 'test/support/shellOracle.ts', test: 'test/support/shellOracle.test.ts' };

/** @type {readonly import('./rules.mjs').Rule[]} */
export const shellRules = [
  {
    ...variables,
    id: 'variable-unknown',
    rule: 'A variable that is not known to be harmless is asked about.',
    edits: [['  if (!isSwitch && !isHarmless(name)) return unknownExport(name, place);\n', '']],
  },
  {
    ...variables,
    id: 'variable-list',
    rule: 'No variable that names a program is on the list of harmless ones.',
    edits: [['`CI DEBUG', '`CI RUSTFMT DEBUG']],
  },
  {
    ...variables,
    id: 'variable-value',
    rule: 'A path in a harmless variable is judged.',
    edits: [
      ['return place === undefined || !isKnown ? undefined : judgeLikelyPaths([value], place);', 'return undefined;'],
    ],
  },
  {
    ...variables,
    id: 'variable-refused',
    rule: 'A variable that decides how a shell reads is denied.',
    edits: [['  if (refused.test(name)) return refuse(reason);\n', '']],
  },
  {
    ...variables,
    id: 'variable-serious',
    rule: 'Where a server listens, and what is checked, is no mere switch.',
    edits: [['!serious.test(name) && ', '']],
  },
  {
    ...variables,
    id: 'variable-leaving',
    rule: 'A switch that publishes is asked about.',
    edits: [[' && !isLeaving(name);', ';']],
  },
  {
    ...variables,
    id: 'variable-next',
    rule: 'A program that was given a switch is given its next value too.',
    edits: [['place.exported.has(name) || ', '']],
  },
  {
    ...variables,
    id: 'variable-passed',
    rule: 'A variable that comes from outside is one that programs are given.',
    edits: [[' || isVariableOf(name, place.request.passedVariables ?? []);', ';']],
  },
  {
    id: 'variable-passed-known',
    rule: 'The gate knows the names of environment.pass.',
    file: 'src/plans/sessions/toolJudgement.ts',
    edits: [['    passedVariables: services.settings.environment.pass,\n', '']],
    test: 'test/plans/sessions/activeSession.test.ts',
  },
  {
    ...oracle,
    id: 'oracle-commands',
    rule: 'The oracle of the shell tells a command that the gate did not see.',
    edits: [['if (!found) return', "if (!found && folder === '') return"]],
  },
  {
    ...oracle,
    id: 'oracle-folders',
    rule: 'The oracle compares the folders of commands.',
    edits: [['each.folders.includes(folder) && ', '']],
  },
  {
    ...oracle,
    id: 'oracle-words',
    rule: 'The oracle compares each word.',
    edits: [[' || word.text === words[at])', ' || word.text !== "")']],
  },
  {
    ...oracle,
    id: 'oracle-all-words',
    rule: 'The oracle compares all words.',
    edits: [['return starts.has(words.length);', 'return starts.size > 0;']],
  },
  {
    ...oracle,
    id: 'oracle-files',
    rule: 'The oracle tells a file that no redirection accounts for.',
    edits: [['!existing.has(file) && !targets.has(file)', '!existing.has(file) && targets.size < 0']],
  },
  {
    ...oracle,
    id: 'oracle-reading',
    rule: 'A redirection that reads accounts for no file.',
    edits: [['        writes ? folders', '        writes || !writes ? folders']],
  },
  {
    ...oracle,
    id: 'oracle-functions',
    rule: 'What the shell runs itself is told by bash as well.',
    edits: [['for __n in : true false test [ read cd eval; do', 'for __n in : true false test [ read; do']],
  },
  ...[
    [
      'braces',
      'Braces before the name of a variable',
      'shell/shellBraces.ts',
      "  if (hasGroup && units.some((unit) => unit.kind === 'expansion' && !unit.isQuoted)) return undefined;\n",
      '',
    ],
    [
      'failed-redirection',
      'A compound command whose redirection fails',
      'shell/shellWalk.ts',
      'return { ok, failed: join(failed, state) };',
      'return { ok, failed };',
    ],
  ].map(([name, what, file, search, replacement]) => ({
    id: `fuzz-${name}`,
    rule: `${what} is read as bash reads it.`,
    file: `${tools}/${file}`,
    edits: [[search, replacement]],
    test: fuzz,
  })),
  {
    id: 'fuzz-refused',
    rule: 'A reader that refuses everything is not taken for one that agrees with bash.',
    file: `${tools}/shell/shellReader.ts`,
    edits: [['if (text.length > lengthMax) throw', "if (text !== '') throw"]],
    test: fuzz,
  },
];
