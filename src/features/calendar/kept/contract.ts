import * as z from 'zod/mini';
import { fileAnswer, uuid as id } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

const params = z.strictObject({ calendarId: id });

export const keptContract = {
  countKept: endpoint({
    method: 'GET',
    path: '/api/calendars/{calendarId}/kept',
    auth: 'user',
    summary: 'How many events of a calendar Holdfast stores, without its blocks',
    params,
    output: z.strictObject({ events: z.int() }), // a series counts once
  }),
  downloadKept: endpoint({
    method: 'GET',
    path: '/api/calendars/{calendarId}/file',
    auth: 'user',
    summary: 'The events of a calendar as an iCalendar file, without its blocks',
    params,
    sendsFile: 'text/calendar; charset=utf-8',
    output: fileAnswer,
  }),
};
