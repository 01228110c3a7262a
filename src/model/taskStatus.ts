/** How a task stands, in the order in which it goes through them. */
export const taskStatuses = ['not_started', 'in_progress', 'done', 'blocked'] as const;
