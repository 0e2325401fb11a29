import { readMails } from './read-mails.ts';
import type { TestApp } from './test-app.ts';

/** The address and the code that the newest mail to somebody leads to. */
export async function readLink(server: TestApp, to: string): Promise<{ path: string; email: string; code: string }> {
  const link = (await readMails(server, to)).at(-1)?.links[0];
  if (link === undefined) throw new Error(`no mail with a link for ${to}`);
  const { pathname, searchParams } = new URL(link);
  return { path: pathname, email: searchParams.get('email') ?? '', code: searchParams.get('code') ?? '' };
}
