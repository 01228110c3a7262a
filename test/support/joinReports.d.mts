export function joinReports(from: readonly string[], to: string): void;
