import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { confirmMail } from '../confirm-mail.ts';

/** A guest says that the mail with this address reached them. Asked for with a button: programs that look through mails follow links. */
export async function confirmByForm(app: App, { params, form }: PageCall): Promise<PageAnswer | null> {
  const { token = '' } = params;
  try {
    await confirmMail(app, token, { proof: form.get('proof') ?? '', also: form.getAll('also') });
  } catch (error) {
    // that it is too late, or that there is none, is what the page itself says
    if (!(error instanceof AppError)) throw error;
  }
  return { kind: 'go', to: `/booked/${encodeURIComponent(token)}` };
}
