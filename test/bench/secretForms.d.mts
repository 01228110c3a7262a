/** The form in which a text holds a secret, in words, or `undefined`. Both are Latin-1: one character for each byte. */
export function secretFormIn(text: string, secret: string): string | undefined;
