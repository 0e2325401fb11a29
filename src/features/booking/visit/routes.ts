import type { PageRoute } from '#platform/page-route.ts';
import { visitInvite } from '../brought/visits.ts';
import { askAgainByForm } from './ask-again-by-form.ts';
import { bookByForm } from './book-by-form.ts';
import { confirmByForm } from './confirm-by-form.ts';
import { sendCalendarFile } from './send-calendar-file.ts';
import { visitBooked } from './visit-booked.ts';
import { visitCancel } from './visit-cancel.ts';
import { visitMessage } from './visit-message.ts';
import { visitMove } from './visit-move.ts';
import { visitProfile } from './visit-profile.ts';
import { visitType } from './visit-type.ts';

/** The public pages: an address is the host's own name, after everything else that stands at one. */
export const pages: readonly PageRoute[] = [
  { method: 'GET', path: '/{handle}', handle: visitProfile },
  { method: 'GET', path: '/{handle}/{slug}', handle: visitType },
  { method: 'POST', path: '/{handle}/{slug}', handle: bookByForm },
  { method: 'GET', path: '/l/{token}', handle: visitType },
  { method: 'POST', path: '/l/{token}', handle: bookByForm },
  { method: 'GET', path: '/booked/{token}', handle: visitBooked },
  { method: 'GET', path: '/booked/{token}/calendar.ics', handle: sendCalendarFile },
  { method: 'GET', path: '/booked/{token}/cancel', handle: visitCancel },
  { method: 'POST', path: '/booked/{token}/cancel', handle: visitCancel },
  { method: 'GET', path: '/booked/{token}/reschedule', handle: visitMove },
  { method: 'POST', path: '/booked/{token}/reschedule', handle: visitMove },
  { method: 'POST', path: '/booked/{token}/confirm', handle: confirmByForm },
  { method: 'GET', path: '/booked/{token}/message', handle: visitMessage },
  { method: 'POST', path: '/booked/{token}/message', handle: visitMessage },
  { method: 'POST', path: '/booked/{token}/mail', handle: askAgainByForm },
  { method: 'GET', path: '/invite/{token}', handle: visitInvite },
  { method: 'POST', path: '/invite/{token}', handle: visitInvite },
];
