/**
 * Owns: exports of all of a person's data, for a day.
 * Announces: nothing.
 * Never: puts a secret into an export, or anything of anybody else.
 */
import * as z from 'zod/mini';
import { fileAnswer, id, instantMs, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

export const exportShape = z.object({
  id: uuid,
  state: z.enum(['making', 'ready', 'failed']),
  /** Parts that are in it, of how many. */
  done: z.int(),
  total: z.int(),
  sizeBytes: z.int(),
  /** It is removed then. */
  expiresAt: instantMs,
});

const output = z.object({ export: z.nullable(exportShape) });

export const takeoutContract = {
  readExport: endpoint({
    method: 'GET',
    path: '/api/account/export',
    auth: 'user',
    summary: 'Progress of the caller’s data export, if there is one',
    output,
  }),
  startExport: endpoint({
    method: 'POST',
    path: '/api/account/export',
    auth: 'user',
    summary: 'Prepare an export of all of your data. It replaces an existing one',
    output,
    errors: ['REAUTHENTICATE'],
    status: 202,
  }),
  downloadExport: endpoint({
    method: 'GET',
    path: '/api/account/export/{exportId}/file',
    auth: 'user',
    summary: 'The export as a zip file: calendars as iCalendar, everything else as JSON',
    params: z.strictObject({ exportId: id<'Export'>() }),
    sendsFile: 'application/zip',
    output: fileAnswer,
  }),
};
