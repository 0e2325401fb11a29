/** The ref of a field whose thing was added by a press: who added it goes on there. */
export const focusNew = (field: HTMLElement | null): void => field?.focus();
