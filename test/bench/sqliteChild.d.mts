/** Absolute path of the script. */
export const sqliteChild: string;
