import { type Diagnostic, type Range, RavelError, type Severity } from '../base/errors.ts';

/**
 * What a failure means to a script: the exit code of the command line, the same in every version.
 * `internal` 1 · `invalid` 2 · `notFound` 3 · `refused` 4 (a gate said no) · `conflict` 5.
 */
export type Kind = 'internal' | 'invalid' | 'notFound' | 'refused' | 'conflict';

export const exitCodes: Readonly<Record<Kind, number>> = {
  internal: 1,
  invalid: 2,
  notFound: 3,
  refused: 4,
  conflict: 5,
};

interface CodeRow {
  readonly kind: Kind;
  /** Whether the same attempt can succeed later, without a change to what was asked. */
  readonly retryable: boolean;
  /** What to do; shown wherever the diagnostic is shown. */
  readonly help: string;
}

function row(kind: Kind, retryable: boolean, help: string): CodeRow {
  return { kind, retryable, help };
}

/** Every error code there is. A code is `room/reason`; the help is a whole sentence. */
export const codes = {
  'base/internal': row('internal', false, 'This is a defect in Ravel; please report it with the log.'),
  'disk/full': row('internal', true, 'Free some space and run the command again; no file was left half written.'),
  'disk/denied': row('internal', true, 'Give yourself access to the file and its folder, then try again.'),
  'disk/failed': row('internal', true, 'Fix the cause that the operating system gives, then try again.'),
  'disk/noLinks': row('invalid', false, 'Move the vault to a file system with hard links, such as ext4, APFS or NTFS.'),
  'disk/tooLarge': row('invalid', false, 'Split the file, or move old records to an archive file.'),
  'disk/damaged': row(
    'internal',
    false,
    'Restore the file from a backup, or repeat the step that wrote it, for example with `ravel retry PLAN`.',
  ),
  'journal/corrupt': row(
    'internal',
    false,
    'Make a copy of the file, fix the named line by hand, then start Ravel again.',
  ),

  'vault/none': row(
    'notFound',
    false,
    'Name a vault with --vault or RAVEL_VAULT, or create one with `ravel init DIR`.',
  ),
  'vault/unreadable': row('invalid', false, 'Fix ravel.toml by hand; it must have one [vault] table.'),
  'vault/newerSchema': row('invalid', false, 'Update Ravel; this vault was written by a newer version.'),
  'vault/linkOut': row(
    'refused',
    false,
    'Check where the link points, then replace it with a file or folder inside the vault.',
  ),
  'vault/exists': row('conflict', false, 'Choose a folder that does not exist yet.'),
  'vault/badSettings': row('invalid', false, 'Correct the named key in daemon.toml.'),
  'notify/badSettings': row(
    'invalid',
    false,
    'Correct the table [notify] in ~/.config/ravel/config.toml; docs/settings.md describes it.',
  ),
  'secrets/badSettings': row(
    'invalid',
    false,
    'Correct the table [secrets] in ~/.config/ravel/config.toml; docs/settings.md describes it.',
  ),
  'secrets/unreadable': row(
    'internal',
    true,
    'Unlock the store, or correct the entry in [secrets] of ~/.config/ravel/config.toml, then try again; `ravel secrets list` tries each.',
  ),
  'secrets/badName': row(
    'invalid',
    false,
    'A name is a letter and then letters, digits, `_`, `.` or `-`, at most 64 in all.',
  ),
  'secrets/badValue': row(
    'invalid',
    false,
    'Give a text that is not empty and has at most 64 KiB; nothing was changed.',
  ),
  'secrets/elsewhere': row(
    'invalid',
    false,
    'Change it where it is kept. To keep it in another store, first take its entry out of [secrets] in ~/.config/ravel/config.toml; what the editor keeps is set and removed in its window.',
  ),
  'secrets/notKept': row('internal', true, 'Unlock the store or correct what the message names, then try again.'),
  'secrets/unknown': row('notFound', false, 'Take one of those that `ravel secrets list` names.'),
  'notify/off': row(
    'invalid',
    false,
    'Set desktop = true or command = "PROGRAM" under [notify] in ~/.config/ravel/config.toml; docs/settings.md describes both.',
  ),
  'notify/failed': row('internal', true, 'Start the program by hand to see what is wrong with it.'),
  'vault/settingsWait': row(
    'conflict',
    true,
    'Restart the owner of the vault: “Ravel: Restart Owner” in the editor, or `ravel shutdown`, then start the program that owned it again.',
  ),
  'vault/unknownSetting': row('invalid', false, 'Correct or remove the key; it has no effect.'),
  'vault/removedSetting': row(
    'invalid',
    false,
    'Run `ravel policy import`, which writes it as rules, and remove the key.',
  ),
  'vault/owned': row(
    'conflict',
    true,
    'Use the vault through the process that owns it, or stop that process first with `ravel shutdown`.',
  ),
  'vault/lost': row(
    'conflict',
    true,
    'Use the vault through the process that owns it now; check what this one was doing before you continue.',
  ),
  'vault/brokenLink': row('notFound', false, 'Correct the link, or create the note that it points to.'),
  'vault/gone': row('notFound', true, 'Move the folder back, or stop Ravel and open the vault in its new location.'),
  'vault/watchLimit': row(
    'internal',
    true,
    'Raise the system limit (on Linux, fs.inotify.max_user_watches), then start Ravel again.',
  ),
  'vault/locked': row(
    'conflict',
    true,
    'Try again in a moment; another process is changing this plan. If that process is suspended, resume it or end it.',
  ),

  'project/exists': row(
    'conflict',
    false,
    'See `ravel projects`; if this is another project, adopt it under another name with --name.',
  ),
  'project/inVault': row('invalid', false, 'Adopt a project outside the vault.'),
  'project/badPlace': row('invalid', false, 'Name the folder that holds the source of the project.'),
  'project/missing': row('notFound', false, 'Name a folder that exists.'),
  'project/badLink': row('invalid', false, 'Remove the entry under projects/ or adopt the project again.'),
  'project/linkOut': row(
    'invalid',
    false,
    'Replace the symlink with the file itself; nothing in ravel/ can point outside.',
  ),
  'project/linkLoop': row('invalid', false, 'Remove the symlink; it leads back to itself.'),
  'project/noRootPlan': row('invalid', false, 'Create ravel/project-root/plan-state.md, or adopt the project again.'),
  'project/nestedRoot': row('invalid', false, 'Rename the folder: project-root is allowed only directly under ravel/.'),
  'project/planInKnowledge': row('invalid', false, 'Move the plan out of knowledge/.'),
  'project/unknown': row('notFound', false, 'See `ravel projects list` for the projects of this vault.'),
  'project/notHere': row('notFound', false, 'Clone its repository, then adopt the folder under the same name.'),
  'project/unregistered': row('invalid', false, 'Adopt the folder under the same name, so that it is registered.'),

  'entry/unknown': row('notFound', false, 'See `ravel knowledge list` for the entries of this vault and its projects.'),
  'entry/ambiguous': row('invalid', false, 'Name the entry by its id or by the path of its file.'),
  'entry/exists': row('conflict', false, 'Choose another title, or change the entry that is there.'),
  'entry/badFolder': row('invalid', false, 'Correct the title or the folder, then try again.'),
  'entry/archived': row('conflict', false, 'Restore it first with `ravel knowledge restore ENTRY`.'),
  'entry/notArchived': row('conflict', false, 'See `ravel knowledge list --status archived` for what can be restored.'),
  'entry/unknownSection': row('notFound', false, 'Name one of its sections with --section.'),
  'entry/weakerEvidence': row(
    'refused',
    false,
    'Link the two with `ravel knowledge contradict ENTRY OTHER --reason TEXT`: both stand until one of them is proven better.',
  ),
  'entry/alreadyLinked': row('conflict', false, 'Nothing is to be done; see `ravel knowledge show ENTRY`.'),
  'entry/deletionStale': row(
    'conflict',
    false,
    'Reject the question, look at the entry, and ask for its deletion again.',
  ),
  'write/badForm': row('refused', true, 'Correct what is named, then try again.'),
  'write/secret': row(
    'refused',
    true,
    'Take the secret out, and say where it is kept instead. If it is none, a person can add its id to gates.allowed-secrets in daemon.toml.',
  ),
  'write/private': row('refused', true, 'Take out everything from `<private>` to `</private>`, the marks included.'),
  'write/echo': row('refused', true, 'Say only what is new; name an entry with a link instead of repeating it.'),
  'entry/changedSince': row(
    'conflict',
    false,
    'Read the entry as it is now. Reject the question; it is asked again with the next proof.',
  ),
  'write/tooMany': row('refused', true, 'Wait a minute, and propose only what will help others later.'),
  'entry/plainNote': row(
    'invalid',
    false,
    'Give the note a frontmatter with a title: two lines `---` with `title: ...` between them, at the start of the file.',
  ),
  'entry/badKey': row('invalid', false, 'Correct the named key in the frontmatter of the file.'),
  'entry/binary': row('invalid', false, 'Move the file out of knowledge/, or give it another ending than .md.'),
  'entry/byteOrderMark': row('invalid', false, 'Save the file as UTF-8 without a byte order mark.'),
  'entry/duplicateId': row(
    'invalid',
    false,
    'Remove the line `id` from the copy; Ravel gives it a new one with its next change.',
  ),
  'entry/duplicateTitle': row('invalid', false, 'Rename one of the two, or merge them.'),
  'entry/caseTwins': row('invalid', false, 'Rename one of the two files; some systems cannot hold both.'),
  'entry/brokenLink': row('notFound', false, 'Correct the link, or add the entry that it names.'),
  'entry/oneSidedLink': row('invalid', false, 'Add the link back, or remove this one.'),
  'entry/supersessionCycle': row('invalid', false, 'Remove one of the links `supersedes` in the circle.'),
  'plan/badId': row('invalid', false, 'Name it <project>/project-root, or <project>/project-root/<child>.'),
  'plan/unknown': row('notFound', false, 'See `ravel status` for the plans of this vault.'),
  'plan/exists': row('conflict', false, 'Choose another name for the plan.'),
  'plan/badDescription': row(
    'invalid',
    false,
    'Describe the permanent scope of the plan in one sentence of at most 120 characters.',
  ),
  'plan/isRoot': row('invalid', false, 'Rename or remove its project instead; see `ravel projects --help`.'),
  'plan/hasChildren': row(
    'refused',
    false,
    'Remove its child plans first, or all of them at once with `--with-children`.',
  ),
  'plan/otherProject': row(
    'invalid',
    false,
    'Create a plan in the other project and copy what it needs; a plan cannot leave its project.',
  ),
  'plan/dangling': row(
    'conflict',
    false,
    'Change the reference if it matters; messages that were sent stay as they are.',
  ),
  'plan/badState': row('invalid', false, 'Correct the frontmatter of plan-state.md.'),
  'plan/badPhase': row('invalid', false, 'Write one of the nine phase words into phase.md.'),
  'plan/missingFile': row('invalid', false, 'Restore the file from git, or write an empty list into it.'),
  'view/edited': row('conflict', false, 'Move your change into the source of the view, then delete the view.'),
  'plan/gone': row(
    'conflict',
    false,
    'Look under interrupted/ for the proposal of the session; the plan was deleted or renamed while it ran.',
  ),
  'plan/busy': row('conflict', true, 'Watch it with `ravel attach PLAN`, or end it with `ravel stop PLAN`.'),
  'plan/waiting': row('conflict', false, 'See `ravel status PLAN` for the question that you need to answer.'),
  'plan/notInterrupted': row('invalid', false, 'This plan has no unfinished phase; continue with `ravel run PLAN`.'),
  'plan/unfinished': row(
    'conflict',
    false,
    'End the phase first, with `ravel retry PLAN` or `ravel dismiss PLAN`, then repeat the command.',
  ),
  'plan/preWorkFailed': row('internal', true, 'Fix what pre-work.sh reports, then run `ravel retry PLAN`.'),
  'plan/nothingReady': row('invalid', false, 'Add a task, or finish what the blocked tasks depend on.'),

  'snapshot/unknown': row('notFound', false, 'See `ravel snapshots PLAN` for the states of the plan.'),
  'snapshot/refused': row(
    'refused',
    false,
    'Choose another snapshot, or correct the files by hand; nothing was changed.',
  ),
  'source/notRecorded': row(
    'invalid',
    false,
    'Compare with `ravel changes PLAN --patch`, and undo what you do not want with git.',
  ),
  'move/unfinished': row('internal', true, 'Fix the named problem, then start Ravel again; it finishes the move.'),
  'archive/unknown': row('notFound', false, 'See `ravel archive list` for what can be restored.'),
  'archive/unreadable': row('invalid', false, 'Fix archive.yaml by hand; the files that it describes are beside it.'),

  'expert/badId': row('invalid', false, 'Name the file after its expert: experts/<expert-id>.md.'),
  'expert/badDeclaration': row('invalid', false, 'Correct the frontmatter; see docs/vault.md for its fields.'),
  'expert/unknownScope': row('invalid', false, 'Create the folder under knowledge/, or correct the scope.'),
  'expert/unknown': row('notFound', false, 'See `ravel experts` for the experts of this vault.'),

  'policy/fileBroken': row('invalid', false, 'Correct the policy at the named line; it takes effect at once.'),
  'policy/badRule': row(
    'invalid',
    false,
    'Correct the rule at the named line, or its example; it takes effect at once.',
  ),
  'policy/badSource': row('invalid', false, 'Correct the file and import again; nothing is written meanwhile.'),
  'policy/doubtful': row('invalid', false, 'Change or remove the rule, or leave it if that is what you want.'),
  'policy/widens': row('invalid', false, 'Move what is allowed to policy.yaml of the vault, or remove it.'),
  'rule/fileBroken': row('invalid', false, 'Correct routing.yaml at the named line; it takes effect at once.'),
  'rule/cannotPut': row('conflict', false, 'Fix routing.yaml and decide again, or write the rule into it yourself.'),
  'rule/contradicted': row(
    'refused',
    false,
    'See the objections with `ravel suggestions show`; `--override` accepts it anyway.',
  ),
  'rule/targetGone': row('refused', false, 'Reject the suggestion, or edit it so that its target exists.'),
  'rule/tooManySuggested': row('invalid', true, 'Accept or reject some of them: `ravel suggestions`.'),
  'rule/duplicateId': row(
    'invalid',
    false,
    'Give one of the two rules another id; suggestions and records refer to rules by id.',
  ),
  'rule/contradictory': row('invalid', false, 'Distinguish the two with `none`, or remove one of them.'),
  'rule/shadowed': row('invalid', false, 'Remove it; the other rule already covers it.'),
  'rule/unreachable': row('invalid', false, 'Correct its conditions, or remove the rule.'),
  'rule/emptyFact': row(
    'invalid',
    false,
    'Name the thing itself in one or two words; words such as “the” and “out” are ignored.',
  ),
  'rule/catchesAll': row(
    'invalid',
    false,
    'Give it a fact in `all` or `any`; a message that no rule matches moves to the next step anyway.',
  ),
  'rule/neverFired': row('invalid', false, 'Use `ravel route --explain` to see why it does not match, or remove it.'),
  'rule/unknownTarget': row(
    'invalid',
    false,
    'Name a plan, a project or an expert of this vault, or switch the rule off.',
  ),

  'yaml/syntax': row('invalid', false, 'Correct the file at the named line.'),
  'yaml/encoding': row('invalid', false, 'Save the file as UTF-8.'),
  'yaml/bomb': row('invalid', false, 'Remove anchors and aliases; state files need none.'),
  'yaml/schema': row('invalid', false, 'Correct the named field.'),
  'yaml/unknownKey': row('invalid', false, 'Correct the key; its value is ignored.'),
  'yaml/duplicateId': row('invalid', false, 'Give one of the two records another id.'),
  'yaml/editRefused': row('invalid', false, 'Edit the file by hand: Ravel cannot safely rewrite a file in this form.'),
  'yaml/changedMeanwhile': row(
    'conflict',
    true,
    'Run the command again; another process saved the file at the same moment.',
  ),
  'import/notAPlan': row('invalid', false, 'Name the folder that holds the phase.md and backlog of one plan.'),
  'import/badSource': row('invalid', false, 'Fix the named file in that folder, or import a copy without it.'),
  'import/unclear': row('invalid', false, 'Compare with the original under imported/ and correct the result.'),

  'goal/badGoal': row(
    'invalid',
    false,
    'Say in a sentence or a few what is to be true in the end; put longer texts into a file of the project and name it.',
  ),
  'goal/badText': row(
    'invalid',
    false,
    'Give a Markdown list, a proposal as YAML, or issues as JSON; see docs/plans.md.',
  ),
  'goal/noProposal': row(
    'refused',
    true,
    'Try again, with a goal that says more, or write the plan yourself: `ravel plan --empty`.',
  ),

  'frontmatter/badFence': row('invalid', false, 'Start the file with a line that is exactly ---.'),
  'frontmatter/unclosed': row('invalid', false, 'Close the frontmatter with a line that is exactly ---.'),

  'state/unknownVerb': row('invalid', false, 'See `ravel state --help` for all nouns and verbs.'),
  'state/badArguments': row('invalid', false, 'See `ravel state <noun> <verb> --help`.'),
  'state/unknownRecord': row(
    'notFound',
    false,
    'List the records with `ravel state backlog list PLAN`, or with `memory` or `session` in place of `backlog`; messages with `ravel received PLAN`.',
  ),
  'state/unknownDependency': row('invalid', false, 'Name ids of tasks in this backlog.'),
  'state/dependencyCycle': row('invalid', false, 'Remove one of the dependencies on the cycle.'),
  'state/hasDependents': row('refused', false, 'Change the tasks that depend on it first, or delete it with `force`.'),
  'state/staleStatus': row(
    'invalid',
    false,
    'Run `ravel state backlog repair-stale-statuses PLAN`, or set the status that fits the rest of the task.',
  ),
  'state/reasonMissing': row('invalid', false, 'Give a reason: a blocked task must have one.'),
  'state/notEmpty': row('conflict', false, 'Add the records one by one; only an empty file can be filled at once.'),
  'state/notAllowed': row('refused', false, 'Use one of the tools that this phase has.'),

  'gate/refused': row('refused', true, 'Fix the findings, then finish again.'),
  'gate/secretInCommit': row(
    'refused',
    true,
    'Remove the secret, or add its id to gates.allowed-secrets if it is not one; then retry the phase.',
  ),
  'gate/threw': row('refused', false, 'Report this defect in Ravel; the proposal was refused to be safe.'),
  'gate/uncovered': row(
    'refused',
    false,
    'Install a version of the program that asks before it uses a tool and runs commands where it is told to; docs/harnesses.md names the tested one.',
  ),

  'session/badToken': row('refused', false, 'Use the token of a session that is running.'),
  'session/personOnly': row('refused', false, 'Use the session tools; only a person can do anything else.'),
  'session/finished': row('refused', false, 'Stop here: the phase is finished and takes no more changes.'),
  'session/callsFull': row(
    'refused',
    false,
    'End the phase with finish_phase; it is the only call that is still taken.',
  ),
  'session/unknown': row(
    'notFound',
    false,
    'See `ravel status PLAN`; the sessions of this vault are in runtime/sessions.',
  ),

  'terminal/unavailable': row(
    'notFound',
    false,
    'Install Ravel for this kind of machine. Everything but terminals works without it: a work phase can run headless.',
  ),
  'session/unreadable': row(
    'internal',
    false,
    'Read the rest of the transcript, which is whole, or the output of the program in `spool` beside it. A power cut or a bad disk damaged the file.',
  ),
  'terminal/unknown': row('notFound', false, 'List the open terminals; this one may have closed.'),
  'terminal/gone': row('notFound', false, 'Open another terminal.'),
  'terminal/notInteractive': row('invalid', false, 'Run the phase without a terminal, or choose claude-code for it.'),
  'harness/missing': row('notFound', false, 'Install the program, or set its path in daemon.toml.'),
  'harness/notExecutable': row(
    'invalid',
    false,
    'Make the file executable (`chmod +x`), or set another program in daemon.toml.',
  ),
  'harness/exitedBeforeReady': row('internal', true, 'Run the program by hand to see what it prints.'),
  'harness/failed': row('internal', true, 'Read the end of its standard error, and the transcript.'),
  'harness/noTools': row('internal', true, 'Read the transcript to see why the session tools did not connect.'),
  'harness/unrecorded': row(
    'refused',
    false,
    'Look at `git diff`: the changes are still in the project. Claude Code keeps its records under `projects/` in `~/.claude`, or in `CLAUDE_CONFIG_DIR`. Check that it can write there, that the disk is not full, and that nothing removes the records while the session runs. Then retry the phase; without a terminal it needs no record.',
  ),
  'sandbox/unavailable': row(
    'refused',
    true,
    'Fix what `ravel doctor` reports under sandbox, or set sandbox.commands to "preferred" in daemon.toml.',
  ),
  'harness/noScenario': row(
    'invalid',
    false,
    'Name a scenario file with --scenario, or set harnesses.scripted.scenario in daemon.toml; docs/scenarios.md explains how to write one.',
  ),
  'harness/badScenario': row('invalid', false, 'Correct the scenario file; see docs/scenarios.md.'),

  'git/missing': row('notFound', false, 'Install git and make sure that it is on PATH.'),
  'git/notARepository': row('invalid', false, 'Run `git init` in the project, or adopt a folder inside a repository.'),
  'git/noIdentity': row(
    'invalid',
    false,
    'Run `git config --global user.name NAME` and `git config --global user.email ADDRESS`.',
  ),
  'git/hookRefused': row('refused', true, 'Read the output of the hook, fix the problem, then retry.'),
  'git/unaccepted': row('refused', true, 'Look at what changed in the repository, then accept or undo it.'),
  'git/indexLocked': row(
    'conflict',
    true,
    'Wait for the other git process to end; if there is none, remove index.lock yourself.',
  ),
  'git/detachedHead': row('invalid', false, 'Check out a branch; commits on a detached HEAD are easily lost.'),
  'git/operationInProgress': row('invalid', false, 'Finish or abort the rebase or merge first.'),
  'git/headMoved': row(
    'conflict',
    false,
    'Look at the last two commits; another program committed at the same moment.',
  ),
  'git/badPathspec': row('invalid', false, 'Name paths inside the project, relative to it.'),
  'git/unknownCommit': row('notFound', false, 'Name a commit that `git log` shows in the project.'),
  'git/leftOut': row('conflict', false, 'Commit the changes yourself when you are ready; Ravel leaves them alone.'),
  'git/failed': row('internal', true, 'Fix what git reports, then try again.'),
  'git/timedOut': row('internal', true, 'Look for a prompt or a slow hook that keeps git waiting.'),

  'mailbox/corrupt': row('internal', false, 'Make a copy of the file, fix the named line, then revive the actor.'),
  'mailbox/tornTail': row(
    'internal',
    false,
    'Nothing to do. The message was never acknowledged, so its sender knows that it failed or sends it again.',
  ),
  'mailbox/cursorRepaired': row(
    'internal',
    false,
    'Nothing to do. If the cursor was lost, messages that were already handled can arrive again.',
  ),
  'mailbox/full': row('refused', true, 'Wait until some of its messages are handled, or find out why none is.'),
  'message/unknown': row('notFound', false, 'See `ravel route` for the messages that were routed.'),
  'message/tooLong': row(
    'invalid',
    false,
    'Put a longer text into a file and name the file; a message can have at most 1 MiB.',
  ),
  'message/tooDeep': row('refused', false, 'Answer one of the messages yourself; they are being passed in a circle.'),
  'message/unreadable': row(
    'internal',
    false,
    'Update Ravel, or discard the message; another version of Ravel wrote it.',
  ),
  'message/crashed': row('internal', false, 'Fix the cause, then deliver the message again.'),
  'actor/faulted': row('conflict', false, 'Find out what crashed, fix it, then revive the actor.'),
  'actor/stopping': row('internal', true, 'Send it again to the next owner of the vault; this one is stopping.'),
  'actor/busy': row('conflict', true, 'Wait until it is idle.'),
  'actor/exists': row('conflict', false, 'Another actor has messages under that name; choose another.'),
  'message/noDeadLetter': row('notFound', false, 'See `ravel dead-letters` for the dead letters of this vault.'),

  'message/refused': row('refused', false, 'See `ravel actors` for what the receiver is waiting for.'),
  'message/idTaken': row('refused', false, 'Send it under an id of its own, or without one.'),
  'message/toSelf': row('refused', false, 'Add a task to the backlog instead.'),
  'message/otherProject': row(
    'refused',
    false,
    'Name that project with target-project, and the plan with suggested-target-plan.',
  ),
  'message/ownProject': row('refused', false, 'Name the plan itself with target-plan.'),
  'message/unknownProject': row('refused', false, 'See `ravel status` for the projects of this vault.'),
  'message/projectGone': row(
    'refused',
    false,
    'Restore its folder, or adopt the project again with `ravel adopt DIR`.',
  ),
  'message/faultyExpert': row('refused', false, 'Correct its declaration; `ravel experts` says what is wrong.'),
  'message/unknownExpert': row('refused', false, 'See `ravel experts` for the experts of this vault.'),
  'message/suggestedElsewhere': row('refused', false, 'Suggest a plan of the project that target-project names.'),
  'message/unknownPlan': row('refused', false, 'See `ravel status` for the plans of this vault.'),
  'message/unrouted': row('refused', false, 'Name the plan itself with target-plan, or add a rule to routing.yaml.'),
  'message/noTarget': row(
    'refused',
    false,
    'Name one with target-plan, target-project or target-expert, or `target: auto`.',
  ),
  'message/twoTargets': row('refused', false, 'Name one target; send one message to each.'),
  'message/notYetImplemented': row('refused', false, 'Send it to a plan instead; the sender still has the text.'),
  'memory/failed': row('internal', true, 'Nothing is lost: the next tool call of the session tries again.'),
  'search/failed': row('internal', true, 'Search again; the index is rebuilt from the files of the vault.'),
  'search/embeddings': row(
    'invalid',
    true,
    'Check `search.embeddings` in daemon.toml and the server; searches rank by words until it answers.',
  ),
  'search/full': row(
    'invalid',
    false,
    'Move finished plans to the archive with `ravel remove PLAN`, or split the vault.',
  ),
  'search/unread': row('invalid', false, 'See `ravel verify` for what is wrong with them.'),
  'expert/questionsOnly': row(
    'refused',
    false,
    'Ask it with `ravel ask expert:ID QUESTION`, or send the task to a plan or to auto.',
  ),
  'expert/asksExpert': row('refused', false, 'Ask the other expert yourself.'),
  'expert/badQuestion': row(
    'refused',
    false,
    'Ask one thing in a few sentences; name a long text instead of quoting it.',
  ),
  'expert/exists': row('conflict', false, 'Choose another id, or change the declaration that is there.'),
  'expert/removed': row('notFound', false, 'See `ravel experts` for the experts of this vault, and ask another one.'),
  'expert/earlierVersion': row('invalid', false, 'Correct the declaration; see `ravel experts ID` for its faults.'),
  'expert/renamed': row('invalid', false, 'Name the new id in routing.yaml and in messages.'),
  'expert/emptyScope': row('invalid', false, 'Add entries below the folders of its scope, or correct the scope.'),
  'expert/overlappingScope': row('invalid', false, 'Give each expert a folder of its own, or merge the two experts.'),
  'question/notWaiting': row('conflict', false, 'See `ravel answer ID` for what became of the question.'),
  'question/expired': row('conflict', false, 'Ask again, with what the expert wanted to know.'),
  'question/foreign': row('refused', false, 'Leave the reply to the plan that asked, or to a person.'),
  'receipt/unreadable': row('internal', false, 'Remove the file; the question is then answered by a session again.'),
  'receipt/unknown': row('notFound', false, 'See `ravel receipts list` for the receipts of this vault.'),
  'knowledge/unreadableUse': row('internal', false, 'Remove the file; one opening of an entry is then not counted.'),
  'knowledge/unreadableGap': row('internal', false, 'Remove the file; the gap is noted again when it is asked about.'),
  'knowledge/unreadableIngestion': row(
    'internal',
    false,
    'Remove the file; `ravel ingest run PLAN` looks again what the latest cycle proved.',
  ),
  'knowledge/unknownIngestion': row('notFound', false, 'See `ravel ingest status` for what there is.'),
  'routing/historyLate': row(
    'internal',
    true,
    'Check that the disk of the vault responds; if it does, restart the owner of the vault.',
  ),
  'routing/unknownSubject': row('notFound', false, 'See `ravel why --help` for the subjects you can ask about.'),
  'plan/wrongPhase': row(
    'invalid',
    false,
    'Choose the next one with `ravel state phase set PLAN PHASE`, or run without --phase.',
  ),

  'approval/unknown': row(
    'notFound',
    false,
    'See `ravel approvals` for open questions; an answered question is in decisions/.',
  ),
  'approval/notDeferrable': row('refused', false, 'Answer it, or stop the plan.'),
  'approval/decided': row('conflict', false, 'See decisions/ in the vault for the decision; it is final.'),
  'approval/changed': row('conflict', false, 'Look at it again with `ravel approvals`, then decide.'),
  'approval/badDecision': row('invalid', false, 'See `ravel approvals show ID` for the answers that it takes.'),
  'approval/notEdited': row('conflict', false, 'Edit again, or accept or reject; see `ravel approvals show ID`.'),
  'approval/unreadable': row('invalid', false, 'Restore the file, or retry or dismiss its phase.'),

  'budget/exceeded': row('refused', true, 'Continue tomorrow, or raise the limit in daemon.toml.'),
  'budget/overshot': row(
    'refused',
    false,
    'Nothing to do. The cost is counted while a session runs, so it can end a little over its limit.',
  ),

  'prompt/badToken': row('invalid', false, 'Correct the token in the prompt file.'),

  'server/unknownRequest': row('invalid', false, 'See docs/protocol.md for the list of requests.'),
  'server/sessionsOnly': row(
    'refused',
    false,
    'Use the session tools; people and scripts connect to the other socket, which the lock file names.',
  ),
  'server/badParams': row('invalid', false, 'See docs/protocol.md for the parameters of each request.'),
  'server/lineTooLong': row('invalid', false, 'Send lines of at most 8 MiB.'),
  'server/busy': row('conflict', true, 'Wait for some of the answers, then ask again.'),
  'server/gone': row(
    'internal',
    true,
    'Check the current state with `ravel status`, then try again; the owner of the vault ended.',
  ),
  'server/protocol': row(
    'conflict',
    false,
    'Update the client or the server, whichever is older; their versions differ.',
  ),
  'cli/usage': row('invalid', false, 'See `ravel COMMAND --help`.'),
  'cli/noFile': row('notFound', false, 'Name a file that exists, or `-` for standard input.'),
  'cli/noEditor': row('notFound', false, 'Name your editor in the environment, in VISUAL or EDITOR.'),
  'cli/noOwner': row('notFound', false, 'Start a run with `ravel run PLAN`, or serve the vault with `ravel daemon`.'),
  'run/nothingChanged': row(
    'refused',
    false,
    'Edit the files, or confirm with `--unchanged` that the phase is done as it is.',
  ),
  'run/notPaused': row('notFound', false, 'Start a run with `ravel run PLAN`.'),
  'run/notManual': row('notFound', false, 'Open the phase with `ravel run PLAN --by-hand`.'),
  'run/treeShared': row('conflict', false, 'Finish the cycle of the other plan first, to keep their work apart.'),

  'ui/noVault': row('notFound', false, 'Run “Ravel: Create Vault…” or “Ravel: Open Vault…”.'),
  'ui/outside': row('refused', false, 'Open it yourself, if you know what it is.'),
  'ui/noPlan': row('notFound', false, 'Run “Ravel: Adopt Project…”: a project gets its first plan with that.'),
  'ui/untrusted': row(
    'refused',
    false,
    'Trust this folder first: run “Workspaces: Manage Workspace Trust” from the command palette.',
  ),
  'ui/dismissed': row('conflict', true, 'Run “Ravel: Connect Again” to open the vault in this window again.'),

  'run/stopped': row('conflict', true, 'Start it again when you want to continue.'),

  'rehearsal/tooLarge': row(
    'refused',
    false,
    'Raise the limit with --copy-limit, or let git ignore what the plan does not need.',
  ),
  'rehearsal/changed': row('conflict', true, 'Wait until no other program works in the repository, then try again.'),
} as const satisfies Readonly<Record<string, CodeRow>>;

export type Code = keyof typeof codes;

export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text);
}

/** Where a diagnostic points, and help that is better than the table's. */
export interface DiagnosticPlace {
  readonly file?: string;
  readonly range?: Range;
  readonly help?: string;
  readonly severity?: Severity;
}

export function diagnostic(code: Code, subject: string, message: string, place: DiagnosticPlace = {}): Diagnostic {
  const { severity = 'error', help = codes[code].help, ...where } = place;
  return { code, severity, message, subject, help, ...where };
}

/** The error to throw for a failed operation. */
export function failure(
  code: Code,
  subject: string,
  message: string,
  options: DiagnosticPlace & { readonly cause?: unknown } = {},
): RavelError {
  const { cause, ...place } = options;
  return new RavelError(diagnostic(code, subject, message, place), cause === undefined ? undefined : { cause });
}

export function kindOf(error: RavelError): Kind {
  return isCode(error.code) ? codes[error.code].kind : 'internal';
}
