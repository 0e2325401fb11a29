/** Attributes of a field that uses Escape itself, such as an open list: the dialog around it stays open. */
export const keepsEscape = { 'data-mantine-stop-propagation': 'true' } as const;
