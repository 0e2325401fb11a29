import { loadWords } from '#ui/load-words.ts';

/** The list with its words, which no screen but the calendar has. */
export async function loadInvitations() {
  const [list] = await Promise.all([import('./invitation-list.tsx'), loadWords('editor'), loadWords('calendar')]);
  return { default: list.InvitationList };
}
