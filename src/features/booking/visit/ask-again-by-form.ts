import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { askAgain } from '../ask-again.ts';
import { askedAgain } from '../rules/booking-load.ts';

/** A guest whose mail has not come has it sent once more. */
export async function askAgainByForm(app: App, { params }: PageCall): Promise<PageAnswer | null> {
  const { token = '' } = params;
  const path = `/booked/${encodeURIComponent(token)}`;
  try {
    await askAgain(app, token);
    return { kind: 'go', to: `${path}?mail=sent` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.kind !== 'limited') return { kind: 'go', to: path };
    const isFull = (error.retryAfterMs ?? 0) > askedAgain.periodSeconds * 1_000;
    return { kind: 'go', to: `${path}?mail=${isFull ? 'full' : 'later'}` };
  }
}
