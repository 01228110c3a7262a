import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface AskedQuestion {
  readonly id: string;
  readonly expert: string;
  readonly question: string;
  /** Ids of the entries that answer it; none if no entry does. */
  readonly entries: readonly string[];
}

/** The questions that were written first, and those that were added later. */
export async function readQuestions(): Promise<readonly AskedQuestion[]> {
  const files = ['questions.yaml', 'floorQuestions.yaml'].map((name) =>
    readFile(join(process.cwd(), 'test/fixtures/experts', name), 'utf8'),
  );
  return (await Promise.all(files)).flatMap((text): AskedQuestion[] => parse(text));
}
