import type { MemoryEntry } from '../../model/memory.ts';
import type { Settings } from '../../model/settings.ts';
import { type CallMemory, chooseForCall } from './memoryForCall.ts';
import { NamedEntries } from './namedEntries.ts';
import { type MemoryReader, type PromptMemory, promptMemory, rememberedIn } from './promptMemory.ts';
import type { TaskTexts } from './rankMemory.ts';
import type { Touched } from './touched.ts';

/** A memory that a prompt is given a part of. */
export interface PromptOrder {
  readonly text: string;
  readonly task: TaskTexts | undefined;
  readonly settings: Settings['memory'];
  readonly reader: MemoryReader;
}

/** A memory whose entries come with the answers to tool calls. */
export interface OpenOrder {
  /** A number of its own. */
  readonly memory: number;
  readonly text: string;
  readonly directory: string;
  /** Paths of the project's files, each ended by a NUL: one text passes to a thread in a moment, a list does not. */
  readonly files: string;
}

export interface RecallOrder {
  readonly memory: number;
  readonly touched: Touched;
  /** Ids of entries that the session has been shown. */
  readonly shown: readonly string[];
  readonly bytesMax: number;
}

/** All that takes long for a large memory, as calls: in a thread for large ones (`memoryService.ts`), else right here. */
export class OpenMemories {
  readonly #open = new Map<number, NamedEntries<MemoryEntry>>();

  prompt({ text, task, settings, reader }: PromptOrder): PromptMemory {
    return promptMemory(text, task, settings, reader);
  }

  open({ memory, text, directory, files }: OpenOrder): void {
    const project = { directory, files: files.split('\0') };
    this.#open.set(memory, new NamedEntries(rememberedIn(text).entries ?? [], project));
  }

  /** Undefined if the memory has nothing new about what was touched. */
  recall({ memory, touched, shown, bytesMax }: RecallOrder): CallMemory | undefined {
    const known = new Set(shown);
    const named = this.#open.get(memory)?.find(touched) ?? [];
    return chooseForCall(
      named.filter(({ entry }) => !known.has(entry.id)),
      bytesMax,
    );
  }

  close({ memory }: Pick<OpenOrder, 'memory'>): void {
    this.#open.delete(memory);
  }
}
