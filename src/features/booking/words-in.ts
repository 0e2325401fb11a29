import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';

/** The words for bookings outside of pages: in mails, in calendars, in messages. By BCP 47. */
export const wordsIn = mailWords<typeof en>(import.meta.dirname);
