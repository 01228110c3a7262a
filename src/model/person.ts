/** Who sends a message that no actor sends: the person at the machine. Pages use it, so it is apart from the schemas. */
export const person = 'person';
