/** The dialog of holds, which any screen opens (`useHoldDesk`); its words are those of `holds`. */
export const loadHoldDialog = async () => (await import('./hold-dialog.tsx')).HoldDialog;
