/** Characters of the title of a commit: what git and its pages show in one line. */
export const commitTitleLengthMax = 72;
