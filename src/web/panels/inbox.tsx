import { lazy } from 'react';
import { loadInvitations } from '#features/calendar/web/screens.ts';
import { loadInboxPanel } from '#features/inbox/web/screens.ts';

const InboxPanel = lazy(async () => ({ default: await loadInboxPanel() }));
const InvitationList = lazy(loadInvitations);

/** Invitations and notices behind the bell. */
export function Inbox({ onClose }: { onClose: () => void }) {
  return <InboxPanel invitations={<InvitationList onOpen={onClose} />} onClose={onClose} />;
}
