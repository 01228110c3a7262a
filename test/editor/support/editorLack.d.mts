/** What the tests of the editor need and this machine lacks, in words that follow “needs”; undefined if all is there. */
export function editorLack(): string | undefined;
