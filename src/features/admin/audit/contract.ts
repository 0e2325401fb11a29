import * as z from 'zod/mini';
import { auditActions } from '#features/accounts/rules/audit.ts';
import { fileAnswer, instantMs, line, queryInt } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { entryShape } from '../users/contract.ts';

/** Rows of a page of the log. */
export const entriesPerPage = 50;

const filters = z.strictObject({
  /** Part of an address or a name. */
  actor: z.optional(line(100)),
  actorType: z.optional(z.enum(['Admin', 'System'])),
  action: z.optional(z.enum(auditActions)),
  /** Words of a reason and of what goes with it, in any order: each as it begins there (`spam` finds `spammer`, `org` `a@b.org`). */
  text: z.optional(line(100).check(z.minLength(3, { error: 'Three characters at least' }))),
  from: z.optional(instantMs),
  /** Not included. */
  to: z.optional(instantMs),
});

export const auditEndpoints = {
  listAudit: endpoint({
    method: 'GET',
    path: '/api/admin/audit',
    auth: 'admin',
    summary: 'Actions of administrators and of the installation, newest first',
    query: z.extend(filters, { before: z.optional(queryInt(1, Number.MAX_SAFE_INTEGER)) }),
    /** `next` is what to ask `before` for more; null at the end. */
    output: z.object({ entries: z.array(entryShape), next: z.nullable(z.int()) }),
  }),
  exportAuditCsv: endpoint({
    method: 'GET',
    path: '/api/admin/audit/export.csv',
    auth: 'admin',
    summary: 'Matching entries as CSV, newest first. The export itself is audited',
    query: filters,
    sendsFile: 'text/csv; charset=utf-8',
    output: fileAnswer,
  }),
  exportAuditJson: endpoint({
    method: 'GET',
    path: '/api/admin/audit/export.json',
    auth: 'admin',
    summary: 'Matching entries as JSON, newest first',
    query: filters,
    sendsFile: 'application/json',
    fileShape: z.array(entryShape),
    output: fileAnswer,
  }),
  verifyAudit: endpoint({
    method: 'POST',
    path: '/api/admin/audit/verification',
    auth: 'admin',
    summary: 'Check the chain of the audit log, and find where it is damaged',
    requestsPerMinute: 10,
    output: z.object({
      /** Entries that were found whole, from the first. */
      entries: z.int(),
      /** The newest entry. An operator who notes it can tell later whether earlier entries were rewritten. */
      head: z.nullable(z.object({ position: z.int(), hash: z.string() })),
      broken: z.nullable(z.object({ position: z.int(), kind: z.enum(['missing', 'changed']) })),
    }),
  }),
};
