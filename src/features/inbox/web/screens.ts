/** The panel that lists notices, when the bell is pressed. */
export const loadInboxPanel = async () => (await import('./inbox-panel.tsx')).InboxPanel;

/** How many of them are unread, for the bell; asked for once the page stands. */
export const loadUnreadCount = async () => (await import('./unread-count.tsx')).UnreadCount;
