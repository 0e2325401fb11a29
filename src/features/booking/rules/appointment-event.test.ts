import { expect, test } from 'vitest';
import { sayAnswers } from '../say-answers.ts';
import { wordsIn } from '../words-in.ts';
import { appointmentEvent } from './appointment-event.ts';

const facts = {
  title: 'Intro',
  startMs: Date.UTC(2027, 2, 8, 14),
  endMs: Date.UTC(2027, 2, 8, 15),
  zone: 'Europe/Berlin',
  seats: 5,
  location: { kind: 'link' as const, url: 'https://meet.example.org/anna' },
  joinUrl: null,
  comersUrl: null,
  invitesGuests: false,
  hosts: ['Ben'],
};

test.each([
  ['en-US', 'Intro (2 of 5)', 'With bo@example.org\nTerms: Yes\n\nTogether with Ben', 'Attendees: https://x.example'],
  ['de-AT', 'Intro (2 von 5)', 'Mit bo@example.org\nTerms: Ja\n\nZusammen mit Ben', 'Teilnehmende: https://x.example'],
  [
    'fr-FR',
    'Intro (2 sur 5)',
    'Avec bo@example.org\nTerms: Oui\n\nAvec Ben (hôtes)',
    'Participants\u00a0: https://x.example',
  ],
  ['es-MX', 'Intro (2 de 5)', 'Con bo@example.org\nTerms: Sí\n\nJunto con Ben', 'Asistentes: https://x.example'],
  ['ja-JP', 'Intro（2/5）', '同席：bo@example.org\nTerms: はい\n\n共同主催：Ben', '参加者：https://x.example'],
])('the event of a booking is in the language of its host: %s', (locale, title, notes, linked) => {
  const answers = sayAnswers([{ label: 'Terms', answer: true }], locale);
  const comers = [{ name: 'Kei', email: 'kei@example.org', phone: null, answers, guests: ['bo@example.org'] }];
  const of = (comersUrl: string | null) =>
    appointmentEvent({ ...facts, comersUrl, comers, translate: wordsIn(locale) }).core;
  expect(of(null)).toMatchObject({ title, notes: `Kei, kei@example.org\n${notes}` });
  expect(of('https://x.example').notes).toBe(linked);
});

test.each([
  [{ kind: 'in-person', address: ' ' }, 'Vor Ort'],
  [{ kind: 'phone', who_calls: 'guest', number: '' }, 'Telefonat'],
  [{ kind: 'in-person', address: 'Main Street 1' }, 'Main Street 1'],
  [{ kind: 'google-meet' }, undefined],
] as const)('the event of a booking at %o has the place %s', (location, place) => {
  const event = appointmentEvent({ ...facts, location, comers: [], translate: wordsIn('de-DE') });
  expect(event.core.location).toBe(place);
});
