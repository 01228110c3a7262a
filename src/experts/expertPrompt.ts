import { inlined } from '../base/fence.ts';
import { plural } from '../base/text.ts';
import type { ConsultationPrompt } from '../harness/consultation.ts';
import type { Expert } from '../model/expert.ts';
import { foreign, ownName, ownWords, type PromptText } from '../model/promptText.ts';
import type { DialogueTurn } from '../model/receipt.ts';
import type { RetrievedEntry } from './retrieveEntries.ts';

/** Files below `prompts/`. */
export const expertPrompts = { system: 'consultation.md', prompt: 'expert.md' } as const;

export interface AskedOfExpert {
  readonly entries: readonly RetrievedEntry[];
  readonly dialogue: readonly DialogueTurn[];
  /** How often it can still ask back. */
  readonly questionsLeft: number;
  readonly question: string;
}

/** All that a session of an expert is given: what it knows, what it is asked, and who it is. */
export function expertPrompt(
  expert: Expert,
  { entries, dialogue, questionsLeft, question }: AskedOfExpert,
): ConsultationPrompt {
  return {
    file: expertPrompts.prompt,
    values: {
      EXPERT: ownName(expert['expert-id']),
      DIALOGUE: dialogueText(dialogue, questionsLeft),
      PERSONA: foreign('persona', expert.persona),
      ENTRIES: entries.flatMap(entryText),
      QUESTION: foreign('question', question),
    },
  };
}

/** An entry as sessions of experts are given it. */
export function entryText({ id, title, path, hash, text }: RetrievedEntry): PromptText {
  const about = `“${inlined(title)}”, \`${inlined(path)}\`, SHA-256 ${hash.slice(0, 16)}`;
  return [
    ...ownWords(`## \`${inlined(id)}\`\n\n${about}`),
    ...foreign('entry', text, '(the entry has a title and no text)'),
  ];
}

function dialogueText(dialogue: readonly DialogueTurn[], questionsLeft: number): PromptText {
  const can =
    questionsLeft > 0
      ? `You can ask back ${plural(questionsLeft, 'more time')}.`
      : 'You have asked back as often as you can: answer now, or decline.';
  const turns = dialogue.flatMap(({ asked, reply }, at) => [
    ...ownWords(`You asked back (${at + 1}):`),
    ...foreign('asked', asked),
    ...ownWords('The reply:'),
    ...foreign('reply', reply),
  ]);
  return [...ownWords(can), ...turns];
}
