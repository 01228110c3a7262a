export function buildHostSuite(name: string): Promise<string>;
