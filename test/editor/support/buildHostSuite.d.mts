export function buildHostSuite(): Promise<string>;
