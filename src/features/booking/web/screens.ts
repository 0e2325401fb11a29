import type { Screen } from '#ui/screen.ts';

const loadMoved = async () => (await import('./moved-page.tsx')).MovedPage;

export const bookingScreens: readonly Screen[] = [
  {
    path: '/booking-links',
    title: 'booking.title',
    guard: 'user',
    search: (raw) => ({
      ...(raw.new === '1' || raw.new === 1 ? { new: '1' } : {}),
      ...(raw.tab === 'private' || raw.tab === 'times' ? { tab: raw.tab } : {}),
    }),
    load: async () => (await import('./booking-links-page.tsx')).BookingLinksPage,
  },
  {
    path: '/booking-links/$typeId',
    title: 'booking.editor.title',
    guard: 'user',
    load: async () => (await import('./type-editor-page.tsx')).TypeEditorPage,
  },
  // Bookmarks and mails of earlier versions lead to these.
  { path: '/availability/links', title: 'booking.title', guard: 'user', load: loadMoved },
  { path: '/availability/links/$typeId', title: 'booking.editor.title', guard: 'user', load: loadMoved },
];

/** The dialog that makes an event type, which any screen opens (`useTypeDesk`); its words are those of `booking`. */
export const loadNewTypeDialog = async () => (await import('./new-type-dialog.tsx')).NewTypeDialog;
