import type { EventDraft } from './event-draft.ts';

/**
 * Converts content that another app shared (`share_target` of the manifest) to an event. Many apps put the link into
 * the text.
 */
export function readShared({
  title = '',
  link = '',
  notes = '',
}: {
  title?: string | undefined;
  link?: string | undefined;
  notes?: string | undefined;
}): Pick<EventDraft, 'title' | 'meetingLink' | 'description'> {
  const url = URL.parse(link === '' ? (/https?:\/\/\S+/.exec(notes)?.[0] ?? '') : link);
  return { title, meetingLink: url !== null && /^https?:$/.test(url.protocol) ? url.href : '', description: notes };
}
