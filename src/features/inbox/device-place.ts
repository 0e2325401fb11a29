/** Where the sealed subscription of a device stands. */
export const devicePlace = (row: string) => ({ table: 'inbox.devices', row, column: 'subscription' });
