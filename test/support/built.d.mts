export function buildIfChanged(): Promise<void>;
