export function locateNative(
  target: string,
  options?: { readonly cache?: string; readonly npm?: string },
): Promise<string>;
