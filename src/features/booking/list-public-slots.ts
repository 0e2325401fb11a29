import { AppError } from '#kernel/errors.ts';
import type { AppointmentId, BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Reading } from '#platform/reading.ts';
import { findOffer } from './find-offer.ts';
import { type PublicType, recallPublicType } from './find-public-type.ts';
import { listSlots, type Offer } from './list-slots.ts';
import { type ShownSlots, showSlots, spanOf } from './rules/shown-slots.ts';

interface Asked {
  from: number;
  to: number;
  duration?: number | undefined;
  /** The reservation of the browser that asks. */
  without?: AppointmentId | null;
  withoutHold?: BookingId;
}

/**
 * Lists the bookable times at an address, for guests' browsers. *Errors*: AppError not-found, invalid (RANGE,
 * DURATION).
 */
export async function listPublicSlots(
  app: Pick<App, 'db' | 'clock'>,
  address: { handle: string; slug: string },
  asked: Asked,
): Promise<ShownSlots> {
  const offer = (await listRecalled(app, address, asked)) ?? (await listOf(app, await findOffer(app, address), asked));
  return showSlots(offer);
}

/** The answer by what was at the address last time; null unless it still is, or where it has nothing but an error to give. */
async function listRecalled(
  app: Pick<App, 'db' | 'clock'>,
  address: { handle: string; slug: string },
  asked: Asked,
): Promise<Offer | null> {
  const recalled = recallPublicType(address);
  if (recalled === null) return null;
  try {
    const offer = await listOf(app, recalled.found, asked, recalled.stands);
    return offer.stands ? offer : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function listOf(
  app: Pick<App, 'db' | 'clock'>,
  found: Pick<PublicType, 'type' | 'link'>,
  { from, to, duration, without = null, withoutHold }: Asked,
  stands?: Reading<boolean>,
): Promise<Offer> {
  const durationMinutes = duration ?? found.link?.durationMinutes ?? found.type.settings.durations_minutes[0] ?? 0;
  return listSlots(app, { found, range: spanOf({ from, to }), durationMinutes, stands, without, withoutHold });
}
