/** Bytes of 1 MiB. */
export const mebibyte = 1024 * 1024;

/** 24 hours, which a day of the calendar is not if clocks change. */
export const dayMs = 24 * 60 * 60_000;

/** The byte that ends a line: LF. */
export const newline = 10;
