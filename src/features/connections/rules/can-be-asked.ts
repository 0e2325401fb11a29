const resting: readonly string[] = ['disconnecting', 'needs-reconnect', 'suspended'];

/** Whether an account may be read, as far as we know: it stays, it lets us in, and its person is not suspended. */
export const canBeAsked = ({ status }: { status: string }): boolean => !resting.includes(status);
