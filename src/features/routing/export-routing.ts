import type { SubmissionId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart, listPart } from '#platform/export-part.ts';
import { listForms } from './store/form-rows.ts';
import { listDeedsOf, listOwnSubmissions } from './store/submission-rows.ts';

/** A person's own forms, what came in by them, and what they decided otherwise in any. */
export function exportRouting({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('routing-forms.json', () => listForms(db, userId, [], 0)),
    listPart<SubmissionId, { id: SubmissionId }>('routing-submissions.json', (page) =>
      listOwnSubmissions(db, userId, page),
    ),
    jsonPart('routing-decisions.json', () => listDeedsOf(db, userId)),
  ];
}
