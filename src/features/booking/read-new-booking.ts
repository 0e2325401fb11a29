import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import type { PublicType } from './find-public-type.ts';
import type { NewBooking } from './rules/booking-endpoints.ts';
import { checkAnswers, isPhone, listAsked, plainSigns } from './rules/check-answers.ts';
import type { Filling } from './store/new-seat.ts';

export type Guest = Pick<
  Filling,
  'guestName' | 'guestEmail' | 'guestPhone' | 'guestZone' | 'language' | 'answers' | 'asked' | 'cancellation' | 'guests'
>;

/**
 * Reads a guest's form by the fields of this event type, and nothing else. A host takes part already, and is no guest.
 * *Errors*: AppError invalid with the fields.
 */
export function readNewBooking({ host, team, type }: PublicType, input: NewBooking): Guest {
  const fields: Record<string, string> = {};
  const { settings } = type;
  const hosts = new Set((team?.hosts ?? [host]).map((one) => canonicalEmail(one.email)));
  const email = canonicalEmail(input.email);
  if (email === null) fields.email = 'Enter a valid email address.';
  else if (hosts.has(email)) fields.email = "This is a host's address. Enter the address of the guest.";
  const guests = new Set<string>();
  (input.guests ?? []).forEach((written, n) => {
    const guest = canonicalEmail(written);
    if (guest === null) fields[`guests.${n}`] = 'Enter a valid email address.';
    else if (guest !== email) guests.add(guest);
  });
  const attending = [...guests].filter((guest) => hosts.has(guest)).join(', ');
  if (guests.size > settings.guests_allowed)
    fields.guests =
      settings.guests_allowed === 0
        ? "This event type doesn't allow additional guests."
        : `The limit is ${settings.guests_allowed}.`;
  else if (settings.seats > 1 && guests.size >= settings.seats) fields.guests = `The limit is ${settings.seats - 1}.`;
  else if (attending !== '')
    fields.guests = `These people are hosts of this meeting already: ${attending}. Book without them.`;
  const guestName = withoutUnseen(input.name).trim().normalize('NFC');
  if (guestName === '') fields.name = 'A name is needed';
  const phone = plainSigns(withoutUnseen(input.phone ?? '')).trim();
  const isCalled = settings.location.kind === 'phone' && settings.location.who_calls === 'host';
  if (isCalled && phone === '') fields.phone = 'Enter a phone number.';
  else if (phone !== '' && !isPhone(phone)) fields.phone = 'Enter a valid phone number.';
  const checked = checkAnswers(settings.questions, input.answers ?? {}, input.times);
  if (!checked.ok) Object.assign(fields, checked.fields);
  const [wrong] = Object.entries(fields);
  if (wrong !== undefined || email === null || !checked.ok)
    throw new AppError('invalid', 'INVALID_INPUT', wrong?.join(': ') ?? '', { fields });
  return {
    guestName,
    guestEmail: email,
    guestPhone: phone === '' ? null : phone,
    guestZone: input.zone,
    language: input.language ?? settings.language,
    answers: checked.answers,
    asked: listAsked(settings.questions, checked.answers),
    cancellation: settings.cancellation,
    guests: [...guests],
  };
}
