import { join } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import { readText, sha256 } from '../base/files.ts';
import { describeTool } from '../harness/toolAnswers.ts';
import type { Expert } from '../model/expert.ts';
import { expertPrompt, expertPrompts } from './expertPrompt.ts';
import { expertTools } from './expertTools.ts';
import type { RetrievedEntry } from './retrieveEntries.ts';

/** Hashes of all words that every session of an expert is given, besides what it is asked about. */
export class PromptHashes {
  readonly #ports: { readonly disk: ReadingDisk; readonly promptsDirectory: string };
  /** What stands in the code, by how often an expert can ask back. */
  readonly #words = new Map<number, string>();

  constructor(ports: { readonly disk: ReadingDisk; readonly promptsDirectory: string }) {
    this.#ports = ports;
  }

  /** As the prompts are now: their files can be replaced while an owner runs. */
  async of(expert: Expert): Promise<string> {
    const { disk, promptsDirectory } = this.#ports;
    const files = Object.values(expertPrompts).map((file) => readText(disk, join(promptsDirectory, file)));
    return sha256(JSON.stringify([...(await Promise.all(files)), this.#wordsOf(expert)]));
  }

  #wordsOf(expert: Expert): string {
    const questionsLeft = expert.dialogue['max-questions'];
    const known = this.#words.get(questionsLeft);
    if (known !== undefined) return known;
    const tools = expertTools({ entries: [], questionsLeft, take: () => Promise.resolve() }).map(describeTool);
    const around = { entries: [sampleEntry], dialogue: [{ asked: '', reply: '' }], questionsLeft, question: '' };
    const words = JSON.stringify([tools, expertPrompt({ ...expert, persona: '', 'expert-id': '' }, around)]);
    this.#words.set(questionsLeft, words);
    return words;
  }
}

/** For the words that stand around an entry. */
const sampleEntry: RetrievedEntry = { id: '', title: '', path: '', hash: '', text: '', bytes: 0 };
