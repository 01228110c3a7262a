/** What an owner and its clients must both speak; it changes when an old client could misunderstand a new owner. */
export const protocolVersion = 1;
