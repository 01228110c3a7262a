export const parts: readonly string[];
export function stageExtension(directory: string, options?: { readonly built?: string }): Promise<void>;
export function stageTerminals(directory: string, native: string): Promise<void>;
export function listFiles(directory: string): Promise<string[]>;
