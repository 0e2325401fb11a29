import type { ServerResponse } from 'node:http';

/**
 * Ends a connection that takes nothing of its answer for so long: the rest of it would be kept in memory. An answer that is
 * still being made, and a stream without news, go on.
 */
export function endUnread(response: ServerResponse, unreadMs: number): void {
  response.setTimeout(unreadMs);
  response.on('timeout', () => {
    if (response.socket !== null && response.socket.writableLength > 0) response.socket.destroy();
  });
}
