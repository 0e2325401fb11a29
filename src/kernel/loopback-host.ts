/**
 * Whether a host, as `URL` writes it, is the machine itself by its very name: what DNS says of it does not count.
 *
 * *Source*: RFC 6761 6.3, RFC 1122 3.2.1.3.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
