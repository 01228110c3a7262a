export const mebibyte = 1024 * 1024;

/** 24 hours, which a day of the calendar is not where clocks change. */
export const dayMs = 24 * 60 * 60_000;
