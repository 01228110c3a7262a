/** A program and what to start it with; absolute paths. */
export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  /** What it needs beside its inherited environment: the program of an editor is a Node only if it is told to be. */
  readonly environment?: Readonly<Record<string, string>>;
}
