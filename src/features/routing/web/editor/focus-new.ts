/** Ref of a field that was just added, which focuses it. */
export const focusNew = (field: HTMLElement | null): void => field?.focus();
