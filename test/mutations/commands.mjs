/** What the gate on tools says of commands. */

const tools = 'src/gates/tools';
/** Where a shell text is read and followed. */
const shell = `${tools}/shell`;
const tests = 'test/gates/tools';

/** @type {readonly import('./rules.mjs').Rule[]} */
export const commandRules = [
  {
    id: 'command-unknown-program',
    rule: 'A program without a table is a question.',
    file: `${tools}/commandGate.ts`,
    edits: [
      [
        'return strictest([paths, doubt(place, `${name} is not on',
        'return strictest([paths, name !== "" ? undefined : doubt(place, `${name} is not on',
      ],
    ],
    test: `${tests}/commandLine.test.ts`,
  },
  {
    id: 'command-denied-program',
    rule: 'Programs that leave the machine or gain rights are denied.',
    file: `${tools}/commandGate.ts`,
    edits: [
      [
        'if (denied !== undefined && !isLocalRequest(name, rest)) return refuse',
        'if (denied === "" && !isLocalRequest(name, rest)) return refuse',
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'command-publishing',
    rule: 'Nothing is published.',
    file: `${tools}/commandGate.ts`,
    edits: [
      ['if (published !== undefined && publishers.has(name)', 'if (published !== undefined && publishers.has("")'],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'command-hidden-program',
    rule: 'A program that cannot be known does not run.',
    file: `${tools}/commandLine.ts`,
    edits: [["  if (isUnknown(program)) return refuse('Which program would run cannot be known.');\n", '']],
    test: `${tests}/commandLine.test.ts`,
  },
  {
    id: 'command-program-outside',
    rule: 'A program outside the project does not run.',
    file: `${tools}/commandGate.ts`,
    edits: [
      [
        'return { name, objection: refuse(`The program ${text} may not run: ${problem.clause}.`) };',
        'return { name, objection: undefined };',
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'command-arguments',
    rule: 'A command with more arguments than can be judged is a question.',
    file: `${tools}/commandGate.ts`,
    edits: [['if (words.length > wordsMax)', 'if (words.length > wordsMax * 1000)']],
    test: `${tests}/commandArguments.test.ts`,
  },
  {
    id: 'command-git',
    rule: 'Git is judged by all of its arguments.',
    file: `${tools}/commandGate.ts`,
    edits: [['  git: judgeGit,\n', '  git: () => undefined,\n']],
    test: `${tests}/gitGate.test.ts`,
  },
  {
    id: 'command-ravel',
    rule: "Ravel's own commands are judged.",
    file: `${tools}/commandGate.ts`,
    edits: [['  ravel: judgeRavel,\n', '  ravel: () => undefined,\n']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'git-writers',
    rule: 'What writes with git is denied.',
    file: `${tools}/gitGate.ts`,
    edits: [['if (gitWriters.has(name)) return refuseToWrite(name);', '']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'git-elsewhere',
    rule: 'Git does not work elsewhere, or with settings of the command.',
    file: `${tools}/gitGate.ts`,
    edits: [["if (name.startsWith('-')) return refuse", "if (name === '') return refuse"]],
    test: `${tests}/gitGate.test.ts`,
  },
  {
    id: 'git-writing-forms',
    rule: 'A subcommand that reads in one form is denied in those that write.',
    file: `${tools}/gitGate.ts`,
    edits: [['if (isWriting) return refuseToWrite(name);', '']],
    test: `${tests}/gitGate.test.ts`,
  },
  {
    id: 'git-options',
    rule: 'Options of git that write a file or start a program are denied.',
    file: `${tools}/gitGate.ts`,
    edits: [['if (refused !== undefined)\n', 'if (refused !== undefined && name === "")\n']],
    test: `${tests}/gitGate.test.ts`,
  },
  {
    id: 'git-secrets',
    rule: 'Git does not show a file that may hold secrets.',
    file: `${tools}/gitGate.ts`,
    edits: [['if (mayLeadToSecret(parts) &&', 'if (parts.length < 0 &&']],
    test: `${tests}/gitGate.test.ts`,
  },
  {
    id: 'git-addresses',
    rule: 'What shows addresses of servers is a question.',
    file: `${tools}/gitGate.ts`,
    edits: [['    judgeAddresses(name, given),\n', '']],
    test: `${tests}/secretReads.test.ts`,
  },
  {
    id: 'git-unknown',
    rule: 'A subcommand of git that is not known is a question.',
    file: `${tools}/gitGate.ts`,
    edits: [
      [
        'if (table === undefined) return ask(',
        'if (table === undefined) return undefined; if (name === "") return ask(',
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'table-options',
    rule: 'What a table does not know is a question.',
    file: `${tools}/commandArguments.ts`,
    edits: [
      [
        'objections.push(judgeLikelyPaths(words, place), doubt(place, reason));',
        'objections.push(judgeLikelyPaths(words, place), name === reason ? doubt(place, reason) : undefined);',
      ],
    ],
    test: `${tests}/commandArguments.test.ts`,
  },
  {
    id: 'redirection-unknown',
    rule: 'A redirection to a file that cannot be known is refused.',
    file: `${tools}/commandLine.ts`,
    edits: [['if (target.isDynamic || target.isGlob) return refuse', "if (target.text === '\\0') return refuse"]],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'redirection-judged',
    rule: 'The file of a redirection is judged.',
    file: `${tools}/commandLine.ts`,
    edits: [["return judgeWord(target, writes ? 'write' : 'read', place);", 'return undefined;']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'assignment-judged',
    rule: 'A variable that decides what runs is not set before a command.',
    file: `${tools}/commandLine.ts`,
    edits: [
      ['exported === undefined ? judgeVariable(name, place) : judgeExported(name, exported, place)', 'undefined'],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'variable-read',
    rule: 'Reading a variable that is named as a secret is a question.',
    file: `${tools}/commandLine.ts`,
    edits: [['if (!set.has(name)) objections.push(judgeRead(name));', '']],
    test: `${tests}/secretReads.test.ts`,
  },
  {
    id: 'function-name',
    rule: 'A function does not take the name of a command of the shell.',
    file: `${tools}/commandLine.ts`,
    edits: [["if (builtinJudge(name) !== undefined || name === 'command_not_found_handle')", "if (name === '')"]],
    test: `${tests}/commandLine.test.ts`,
  },
  {
    id: 'command-where',
    rule: 'A program does not run in a folder outside the project, of the plans or of git.',
    file: `${tools}/commandLine.ts`,
    edits: [['judgeWhere(program.text, place), ', '']],
    test: `${tests}/commandLine.test.ts`,
  },
  {
    id: 'expansion-split',
    rule: 'An unknown value without quotes is a question.',
    file: `${tools}/commandLine.ts`,
    edits: [[', judgeSplitting(rest)]', ']']],
    test: `${tests}/commandLine.test.ts`,
  },
  {
    id: 'pattern-listed',
    rule: 'A pattern that lists names is judged, whatever the command does with them.',
    file: `${tools}/commandLine.ts`,
    edits: [["      ...listed.map((word) => judgeWord(word, 'read', place)),\n", '']],
    test: `${tests}/commandLine.test.ts`,
  },
  {
    id: 'shells-nested',
    rule: 'Shells that are nested too deeply are refused.',
    file: `${tools}/commandLine.ts`,
    edits: [['if (place.depth > depthMax) return', 'if (place.depth > depthMax * 1000) return']],
    test: `${tests}/commandLine.test.ts`,
  },
  {
    id: 'shell-cd',
    rule: 'The gate follows a change of folder.',
    file: `${tools}/shellEffects.ts`,
    edits: [['      return folderAfter(rest, state, resolvePath);', '      return undefined;']],
    test: `${tests}/shellFolders.test.ts`,
  },
  {
    id: 'shell-cd-fails',
    rule: 'The gate follows the way on which a change of folder fails.',
    file: `${shell}/shellWalk.ts`,
    edits: [
      [
        '          failed: outside,\n        };',
        '          failed: { ...outside, folders: inFolders(effect.folders) },\n        };',
      ],
    ],
    test: `${tests}/shellFolders.test.ts`,
  },
  {
    id: 'shell-cd-links',
    rule: 'After a change of folder both its name and where its links lead count.',
    file: `${tools}/shellEffects.ts`,
    edits: [['[...named, ...named.map(resolvePath)]', 'named']],
    test: `${tests}/commandLine.test.ts`,
  },
  {
    id: 'shell-folders-max',
    rule: 'More than 16 possible folders are refused.',
    file: `${shell}/shellState.ts`,
    edits: [['if (all.length > foldersMax)', 'if (all.length > foldersMax * 1000)']],
    test: `${tests}/shellFolders.test.ts`,
  },
  {
    id: 'shell-length-max',
    rule: 'A text of more than 128 KiB is refused.',
    file: `${shell}/shellReader.ts`,
    edits: [['if (text.length > lengthMax) throw', 'if (text.length > lengthMax * 1000) throw']],
    test: `${tests}/shell/shellBounds.test.ts`,
  },
  {
    id: 'shell-commands-max',
    rule: 'A text with more than 1,000 commands is refused.',
    file: `${shell}/shellLimits.ts`,
    edits: [['const commandsMax = 1_000;', 'const commandsMax = 1_000_000;']],
    test: `${tests}/shell/shellBounds.test.ts`,
  },
  {
    id: 'shell-controls',
    rule: 'A control character in a command is refused.',
    file: `${shell}/shellReader.ts`,
    edits: [["throw new UnparsableShell('it holds a control character');", ';']],
    test: `${tests}/shell/shellWalk.test.ts`,
  },
  {
    id: 'shell-unicode',
    rule: 'A command that is not valid Unicode is refused.',
    file: `${shell}/shellReader.ts`,
    edits: [["if (/\\p{Surrogate}/u.test(text)) throw new UnparsableShell('it is not valid Unicode');", '']],
    test: `${tests}/shell/shellWalk.test.ts`,
  },
  {
    id: 'shell-unset',
    rule: 'A name in unset that cannot be known is refused.',
    file: `${tools}/shellBuiltins.ts`,
    edits: [
      [
        'rest.slice(1) : rest;\n  return strictest(names.map(judgeName));',
        'rest.slice(1) : rest;\n  return strictest(names.filter((word) => !isUnknown(word)).map(judgeName));',
      ],
    ],
    test: `${tests}/shell/shellWalk.test.ts`,
  },
  {
    id: 'shell-declared',
    rule: 'A name in export or declare that cannot be known is refused.',
    file: `${tools}/shellBuiltins.ts`,
    edits: [
      [
        'if (head === undefined || variable === undefined) return judgeName(word);',
        'if (head === undefined || variable === undefined) return isUnknown(word) ? undefined : judgeName(word);',
      ],
      ["rest.some(splitsName) ? refuse('Which variable is set cannot be known.') : undefined", 'undefined'],
    ],
    test: `${tests}/shellTricks.test.ts`,
  },
  {
    id: 'shell-eval',
    rule: 'A text for eval that cannot be known is refused.',
    file: `${tools}/shellBuiltins.ts`,
    edits: [["if (rest.some(isUnknown)) return refuse('What eval would run cannot be known.');", '']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'shell-nested-text',
    rule: 'The text of a shell that a command starts is judged.',
    file: `${tools}/shellBuiltins.ts`,
    edits: [
      [
        'return place.judgeText(operand.text, { ...place, depth: place.depth + 1 }, dialect);',
        'return dialect === undefined ? refuse("") : undefined;',
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
];
