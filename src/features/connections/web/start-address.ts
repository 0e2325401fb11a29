/** Where the browser goes to sign in at a provider, and comes back to this page from. */
export function startAddress(path: string): string {
  const address = new URL(path, window.location.origin);
  address.searchParams.set('returnUrl', new URL('/integrations', window.location.origin).href);
  return `${address.pathname}${address.search}`;
}
