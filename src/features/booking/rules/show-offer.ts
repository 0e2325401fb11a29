import type { TypeKind, TypeSettings } from './type-settings.ts';
import type { ShownLocation, ShownType } from './visit-data.ts';

/** Returns the public part of an event type: neither the place of a call nor the number to call. */
export function showOffer(type: {
  title: string;
  description: string;
  kind: TypeKind;
  settings: TypeSettings;
}): ShownType {
  const { settings } = type;
  return {
    title: type.title,
    description: type.description,
    durations: settings.durations_minutes,
    location: showLocation(settings.location),
    questions: settings.questions,
    guestsAllowed: settings.guests_allowed,
    confirmation: settings.confirmation,
    recurring: settings.recurring,
    seats: settings.seats,
    cancellation: settings.cancellation.text,
    changeUntilMinutes: settings.cancellation.until_minutes,
  };
}

export function showLocation(location: TypeSettings['location']): ShownLocation {
  switch (location.kind) {
    case 'in-person':
      return { kind: 'in-person', address: location.address };
    case 'phone':
      return { kind: 'phone', who_calls: location.who_calls };
    default:
      return { kind: location.kind };
  }
}
