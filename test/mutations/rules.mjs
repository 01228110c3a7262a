/**
 * The durability rules. Each has the edits that take it out of a source file, and the cheapest test file that fails then.
 * The text that an edit searches must occur exactly once in the file.
 *
 * @typedef {{
 *   id: string, rule: string, file: string, edits: readonly (readonly [search: string, replacement: string])[],
 *   test: string
 * }} Rule
 */

/** @type {readonly Rule[]} */
export const rules = [
  {
    id: 'file-sync',
    rule: 'An atomic write syncs the new file before the rename.',
    file: 'src/base/files.ts',
    edits: [['    await file.sync();\n    await replacement.beforeRename', '    await replacement.beforeRename']],
    test: 'test/base/files.test.ts',
  },
  {
    id: 'folder-sync',
    rule: 'An atomic write syncs the folder after the rename.',
    file: 'src/base/files.ts',
    edits: [['replacement);\n    await disk.syncDirectory(dirname(path));', 'replacement);']],
    test: 'test/base/files.test.ts',
  },
  {
    id: 'new-folder-sync',
    rule: 'Making a folder syncs the folder above it.',
    file: 'src/base/files.ts',
    edits: [['    await disk.syncDirectory(parent);\n', '']],
    test: 'test/base/folders.test.ts',
  },
  {
    id: 'removal-sync',
    rule: 'Removing a file syncs its folder.',
    file: 'src/base/files.ts',
    edits: [
      ['    await disk.unlink(path);\n    await disk.syncDirectory(dirname(path));', '    await disk.unlink(path);'],
    ],
    test: 'test/base/files.test.ts',
  },
  {
    id: 'short-write',
    rule: 'A write goes on until the disk has taken every byte.',
    file: 'src/base/files.ts',
    edits: [['    rest = rest.subarray(count);', '    rest = rest.subarray(rest.byteLength);']],
    test: 'test/base/files.test.ts',
  },
  {
    id: 'exclusive-file-sync',
    rule: 'A file that exactly one process creates is synced before it takes its name.',
    file: 'src/base/exclusiveFile.ts',
    edits: [['      await file.sync();\n', '']],
    test: 'test/base/exclusiveFile.test.ts',
  },
  {
    id: 'exclusive-folder-sync',
    rule: 'The name of a file that exactly one process creates is synced before the process hears that it won.',
    file: 'src/base/exclusiveFile.ts',
    edits: [['  await disk.syncDirectory(dirname(path));\n', '']],
    test: 'test/base/exclusiveFile.test.ts',
  },
  {
    id: 'replacement-file-sync',
    rule: 'The new content of a replacement is synced before the replacement counts as prepared.',
    file: 'src/base/replacement.ts',
    edits: [['      await file.sync();\n', '']],
    test: 'test/base/replacement.test.ts',
  },
  {
    id: 'replacement-folder-sync',
    rule: 'The rename of a replacement is synced before the replacement counts as carried out.',
    file: 'src/base/replacement.ts',
    edits: [['  await settleReplacement(disk, replacement);\n', '']],
    test: 'test/base/replacement.test.ts',
  },
  {
    id: 'line-sync',
    rule: 'A journal syncs a record before it acknowledges it.',
    file: 'src/base/lineWriter.ts',
    edits: [["    if (this.#durability === 'bySync') await this.#file.sync();\n", '']],
    test: 'test/base/lineWriter.test.ts',
  },
  {
    id: 'failed-sync',
    rule: 'A record is not acknowledged when its sync fails.',
    file: 'src/base/lineWriter.ts',
    edits: [['await this.#file.sync();', 'await this.#file.sync().catch(() => undefined);']],
    test: 'test/base/lineWriter.test.ts',
  },
  {
    id: 'refused-tail',
    rule: 'A record that was refused is cut off the file, so that it does not turn up later.',
    file: 'src/base/lineWriter.ts',
    edits: [['await this.#file.truncate(this.#length)', 'await Promise.resolve()']],
    test: 'test/base/lineWriter.test.ts',
  },
  {
    id: 'torn-tail',
    rule: 'Opening a journal cuts a torn last line.',
    file: 'src/base/journal.ts',
    edits: [['  if (length < size) await file.truncate(length);\n', '']],
    test: 'test/base/journal.test.ts',
  },
  {
    id: 'torn-tail-sync',
    rule: 'Opening a journal syncs the file after it has cut a torn last line.',
    file: 'src/base/journal.ts',
    edits: [['      if (cut > 0) await file.sync();\n', '']],
    test: 'test/base/journal.test.ts',
  },
  {
    id: 'new-journal-sync',
    rule: 'Opening a journal syncs its folder, so that a new file keeps its name.',
    file: 'src/base/journal.ts',
    edits: [['    await disk.syncDirectory(dirname(path));\n', '']],
    test: 'test/base/journal.test.ts',
  },
  {
    id: 'mailbox-torn-tail',
    rule: 'Opening a mailbox cuts a torn last line.',
    file: 'src/base/journal.ts',
    edits: [['  if (length < size) await file.truncate(length);\n', '']],
    test: 'test/actors/mailboxDamage.test.ts',
  },
  {
    id: 'new-mailbox-sync',
    rule: 'Opening a new mailbox syncs its folder.',
    file: 'src/actors/mailboxFile.ts',
    edits: [['    if (size === 0) await disk.syncDirectory(dirname(path));\n', '']],
    test: 'test/actors/mailbox.test.ts',
  },
  {
    id: 'durable-append',
    rule: 'A mailbox opens its file so that each write is durable.',
    file: 'src/base/nodeDisk.ts',
    edits: [['(writesAreDurable ? O_DSYNC : 0)', '0']],
    test: 'test/base/nodeDisk.test.ts',
  },
  {
    id: 'exactly-once',
    rule: 'A mailbox takes a message that is sent again only once.',
    file: 'src/actors/mailbox.ts',
    edits: [['      if (known !== undefined) return known;\n', '']],
    test: 'test/actors/mailbox.test.ts',
  },
  {
    id: 'attempt-count',
    rule: 'A delivery is counted on the disk before the message is handled.',
    file: 'src/actors/mailbox.ts',
    edits: [
      [
        '    await this.#save(cursor);\n    this.#taken = taken;',
        '    this.#cursor = cursor;\n    this.#taken = taken;',
      ],
    ],
    test: 'test/actors/mailbox.test.ts',
  },
  {
    id: 'effect-record',
    rule: 'The outcome of an effect is on the disk before the handler goes on.',
    file: 'src/actors/mailbox.ts',
    edits: [
      [
        '      await this.#write({ ...this.#cursor, effects });\n',
        '      this.#cursor = { ...this.#cursor, effects };\n',
      ],
    ],
    test: 'test/actors/mailbox.test.ts',
  },
  {
    id: 'compaction-hint',
    rule: 'The cursor forgets its place in the file before compaction replaces the file.',
    file: 'src/actors/mailbox.ts',
    edits: [['      await this.#save({ ...this.#cursor, offset: null });\n', '']],
    test: 'test/actors/mailbox.test.ts',
  },
  {
    id: 'compaction-sync',
    rule: 'Compaction syncs the new mailbox before the rename.',
    file: 'src/actors/compaction.ts',
    edits: [['    await file.sync();\n', '']],
    test: 'test/actors/mailbox.test.ts',
  },
  {
    id: 'compaction-folder-sync',
    rule: 'Compaction syncs the folder after the rename.',
    file: 'src/actors/compaction.ts',
    edits: [['  await disk.syncDirectory(dirname(open.path));\n', '']],
    test: 'test/actors/mailbox.test.ts',
  },
  {
    id: 'cursor-order',
    rule: 'The cursor on the disk passes a message only after the message was handled.',
    file: 'src/actors/mailbox.ts',
    edits: [
      [
        '    await this.#save(cursor);\n    this.#taken = taken;',
        '    await this.#save(cursor);\n    await saveCursor(this.#disk, this.#paths.cursor, freshCursor(this.#actor, record.seq + 1, record.end));\n    this.#taken = taken;',
      ],
    ],
    test: 'test/actors/supervisorCrash.test.ts',
  },
  {
    id: 'dead-letter-order',
    rule: 'A dead letter is on the disk before the cursor passes its message.',
    file: 'src/actors/messageHandler.ts',
    edits: [
      [
        '    await this.#parts.bury(letter);\n    return letter;',
        '    await mailbox.complete();\n    await this.#parts.bury(letter);\n    return letter;',
      ],
      [
        '      await mailbox.complete();\n      this.#parts.onPassed(mailbox);\n      if (letter',
        '      if (hopeless === undefined) await mailbox.complete();\n      this.#parts.onPassed(mailbox);\n      if (letter',
      ],
    ],
    test: 'test/actors/supervisorCrash.test.ts',
  },
  {
    id: 'index-refresh',
    rule: "After a commit of Ravel the person's git index shows the committed files.",
    file: 'src/git/commit.ts',
    edits: [['  await refreshAfter(place, commit, output);\n', '']],
    test: 'test/git/commit.test.ts',
  },
  {
    id: 'index-refresh-after-crash',
    rule: "After a crash between a commit and its index refresh, the next start refreshes the person's git index.",
    file: 'src/git/commitSpec.ts',
    edits: [['  await refreshIndex(git, directory, await pathsOfCommit(git, directory, commit.hash));\n', '']],
    test: 'test/git/commitSpec.test.ts',
  },
  {
    id: 'lock-generation',
    rule: 'A process that links an old generation of a lock sees the newer one and withdraws.',
    file: 'src/vault/lock.ts',
    edits: [['  if (Math.max(...seen) > generation) return false;\n', '']],
    test: 'test/vault/lock.test.ts',
  },
  {
    id: 'lock-highest',
    rule: 'The highest generation of a lock says who holds it.',
    file: 'src/vault/lock.ts',
    edits: [
      [
        'Math.max(0, ...(await listGenerations(options)))',
        '(await listGenerations(options)).sort((a, b) => a - b)[0] ?? 0',
      ],
    ],
    test: 'test/vault/lock.test.ts',
  },
  {
    id: 'copy-back-intent',
    rule: 'The intent of a copy-back is on the disk before the first file of the plan changes.',
    file: 'src/plans/proposals/applyPhase.ts',
    edits: [
      [
        '    await recordIntent(services, job.paths, planned.changes);\n    const copied = await copy(services, job, planned.changes);\n',
        '    const copied = await copy(services, job, planned.changes);\n    await recordIntent(services, job.paths, planned.changes);\n',
      ],
    ],
    test: 'test/plans/proposals/applyPhase.test.ts',
  },
  {
    id: 'copy-back-resume',
    rule: 'A copy-back that a crash cut short goes on from its intent.',
    file: 'src/plans/proposals/applyPhase.ts',
    edits: [
      [
        '  if (changes === undefined) return undefined;\n',
        '  if (changes !== undefined || changes === undefined) return undefined;\n',
      ],
    ],
    test: 'test/plans/proposals/applyPhase.test.ts',
  },
  {
    id: 'call-journal',
    rule: "A session's call is in the journal before it is answered.",
    file: 'src/plans/proposals/callJournal.ts',
    edits: [['      await journal.append(record);\n', '      void journal.append(record).catch(() => undefined);\n']],
    test: 'test/plans/proposals/callJournal.test.ts',
  },
  {
    id: 'call-redo',
    rule: "What a session's call changes is on the disk before the call counts.",
    file: 'src/plans/proposals/callJournal.ts',
    edits: [['      if (edits.size > 0) await writeAtomic(disk, paths.redo, formatRedo(record.call, edits));\n', '']],
    test: 'test/plans/proposals/callJournal.test.ts',
  },
  {
    id: 'recovery-ledger',
    rule: 'A recovery is in the ledger before it is told.',
    file: 'src/plans/ledger.ts',
    edits: [['  await services.ledger?.append(', '  void services.ledger?.append(']],
    test: 'test/plans/ledger.test.ts',
  },
  {
    id: 'inbox-mark',
    rule: 'That the text of a received message waits is noted before it takes its place.',
    file: 'src/plans/proposals/planWriter.ts',
    edits: [['  if (!wasPrepared) await change.notePrepared();\n', '']],
    test: 'test/plans/messages/planActor.test.ts',
  },
  {
    id: 'inbox-once',
    rule: 'A received message that took its place is not put there again.',
    file: 'src/plans/proposals/planWriter.ts',
    edits: [
      [
        '    if (change.wasPrepared && (await wasCarriedOut(ports.disk, replacement))) {',
        '    if (change.wasPrepared && (await wasCarriedOut(ports.disk, replacement)) && tries(0)) {',
      ],
      ['/** How long a verb waits', 'const tries = (n: number) => n > 0;\n\n/** How long a verb waits'],
    ],
    test: 'test/plans/messages/planActor.test.ts',
  },
  {
    id: 'decision-first',
    rule: 'A routing decision is on the disk before its message is handed over.',
    file: 'src/routing/steps/decisionWriter.ts',
    edits: [
      [
        '    await this.#parts.history.append(decision);\n',
        '    void this.#parts.history.append(decision).catch(() => undefined);\n',
      ],
    ],
    test: 'test/routing/steps/decisionWriter.test.ts',
  },
  {
    id: 'hand-over-mark',
    rule: 'The mark of routing says up to which message all reached their receivers.',
    file: 'src/routing/steps/handOvers.ts',
    edits: [['      this.#mark = message;\n', '']],
    test: 'test/routing/steps/handOvers.test.ts',
  },
  {
    id: 'hand-over-gap',
    rule: 'The mark of routing never passes a message that did not reach its receiver.',
    file: 'src/routing/steps/handOvers.ts',
    edits: [['      if (!isDone) break;\n', '']],
    test: 'test/routing/steps/handOvers.test.ts',
  },
  {
    id: 'hand-over-again',
    rule: 'The next owner hands over the messages behind the mark.',
    file: 'src/routing/steps/handOvers.ts',
    edits: [["        if (outcome.kind === 'routed') left.push(message);\n", '']],
    test: 'test/routing/steps/handOvers.test.ts',
  },
  {
    id: 'pending-route',
    rule: 'A waiting message is forgotten only after it was handed over.',
    file: 'src/routing/steps/routeAdvance.ts',
    edits: [
      [
        '    const decision = await decisions.handOver(decided);\n',
        '    await store.remove(pending.message.id);\n    const decision = await decisions.handOver(decided);\n',
      ],
    ],
    test: 'test/routing/steps/routerCrash.test.ts',
  },
  {
    id: 'move-intent',
    rule: 'The intent of a move is on the disk before its first step.',
    file: 'src/vault/moveJournal.ts',
    edits: [
      ['  await writeAtomic(ports.disk, ports.layout.moveIntent, `${JSON.stringify(move, undefined, 2)}\\n`);\n', ''],
    ],
    test: 'test/plans/housekeeping/relocations.test.ts',
  },
];
