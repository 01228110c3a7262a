/** Finds values that are known exactly, in the forms in which text carries them. */
export interface StoredValues {
  /** Whether there is nothing to find. */
  readonly isEmpty: boolean;
  /**
   * By place, without overlaps: the offset in the text, what the text has there, and which secret it is (“stored secret
   * NPM_TOKEN”).
   */
  find(text: string): readonly { readonly index: number; readonly value: string; readonly service: string }[];
}
