/** Rules of what is done to single files and folders. */

/** @type {readonly import('./rules.mjs').Rule[]} */
export const fileRules = [
  {
    id: 'last-look',
    rule: 'A file that somebody saves after it was read is not replaced.',
    file: 'src/base/seenFile.ts',
    edits: [['(now) => isSameFile(now, found?.stat)', '() => true']],
    test: 'test/base/seenFile.test.ts',
  },
  {
    id: 'replaced-comes-back',
    rule: 'What somebody writes into a file in the moment of its replacement is put back.',
    file: 'src/base/seenFile.ts',
    edits: [
      [
        '    if (kept === undefined || isSeen(await disk.readFile(kept))) return;',
        '    if (found?.stat.size !== -1) return;',
      ],
    ],
    test: 'test/base/seenFile.test.ts',
  },
  {
    id: 'dropped-intent-sync',
    rule: 'A copy-back that was undone does not come back after a power cut.',
    file: 'src/base/files.ts',
    edits: [['  await disk.syncDirectory(dirname(path)).catch(unlessAbsent);\n', '']],
    test: 'test/plans/proposals/copyBack.test.ts',
  },
  {
    id: 'copy-back-last-moment',
    rule: 'A save in the moment of a copy-back is merged.',
    file: 'src/plans/proposals/copyBack.ts',
    edits: [['tries === triesMax || ', 'tries > 0 || ']],
    test: 'test/plans/proposals/copyBack.test.ts',
  },
  {
    id: 'byte-names',
    rule: 'A file whose name is no UTF-8 is found again by the name that a listing gave.',
    file: 'src/base/nodeDisk.ts',
    edits: [['      if (entries.some(({ name }) => mayBeEscaped(name))) return await readByBytes(path);\n', '']],
    test: 'test/base/nodeDisk.test.ts',
  },
  {
    id: 'closed-folders',
    rule: 'A folder that its owner may not write in can be removed.',
    file: 'src/base/files.ts',
    edits: [['if ((stat.mode & 0o700) !== 0o700) await', 'if (stat.mode < 0) await']],
    test: 'test/base/folders.test.ts',
  },
  {
    id: 'tidying-warns',
    rule: 'What cannot be tidied up after a phase does not make it interrupted.',
    file: 'src/plans/bestEffort.ts',
    edits: [
      ["{ ...problem, severity: 'warning' } });\n", "{ ...problem, severity: 'warning' } });\n    throw error;\n"],
    ],
    test: 'test/scenarios/badDisk.test.ts',
  },
  {
    id: 'clean-goes-on',
    rule: 'What cannot be removed keeps nothing else from being cleaned.',
    file: 'src/housekeeping/sessionFolders.ts',
    edits: [['      unremoved.push({ path, reason: messageOf(error) });\n', '      throw error;\n']],
    test: 'test/housekeeping/sessionFolders.test.ts',
  },
];
