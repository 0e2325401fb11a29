import { expect, test } from 'vitest';
import { editsContract } from './contract.ts';

const { body } = editsContract.createEvent;
const event = {
  calendar_id: '0197a1b2-0000-7000-8000-000000000001',
  title: 'Review',
  when: { kind: 'timed', start: '2027-03-08T09:00', end: '2027-03-08T10:00', zone: 'Europe/Berlin' },
  recurrence: null,
  description: '',
  location: '',
  meeting_link: null,
  attendees: [],
  busy: 'busy',
  private: false,
  reminders: null,
  tell_guests: false,
};
const accepts = (change: object) => body?.safeParse({ ...event, ...change }).success;

test('a new event with common values is accepted', () => {
  expect(accepts({})).toBe(true);
  expect(accepts({ when: { kind: 'all-day', start: '2028-02-29', end: '2028-03-01' } })).toBe(true);
  expect(accepts({ attendees: [{ email: 'ana@example.org', name: null }], reminders: [0, 40_320] })).toBe(true);
  expect(accepts({ meeting_link: 'https://meet.example/x' })).toBe(true);
});

test.each([
  ['a day that does not exist', { when: { ...event.when, start: '2027-02-29T09:00' } }],
  ['a time that does not exist', { when: { ...event.when, start: '2027-03-08T24:00' } }],
  ['a zone that does not exist', { when: { ...event.when, zone: 'Europe/Atlantis' } }],
  ['a title with a line break', { title: 'a\r\nATTENDEE:mailto:x@example.org' }],
  ['an address that is none', { attendees: [{ email: 'a@b@c', name: null }] }],
  ['a line break in an address', { attendees: [{ email: 'a@b.c\r\nBcc: all@x.org', name: null }] }],
  ['a link that is not https', { meeting_link: 'javascript:alert(1)' }],
  ['too many reminders', { reminders: [1, 2, 3, 4, 5, 6] }],
  ['unknown keys', { user_id: 'x' }],
])('a new event with %s is refused', (_what, change) => {
  expect(accepts(change)).toBe(false);
});
