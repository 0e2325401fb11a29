import type { Screen } from '#ui/screen.ts';

export const bookingScreens: readonly Screen[] = [
  {
    path: '/availability/links',
    title: 'booking.title',
    guard: 'user',
    search: (raw) => (raw.new === '1' || raw.new === 1 ? { new: '1' } : {}),
    load: async () => (await import('./booking-links-page.tsx')).BookingLinksPage,
  },
  {
    path: '/availability/links/$typeId',
    title: 'booking.editor.title',
    guard: 'user',
    load: async () => (await import('./type-editor-page.tsx')).TypeEditorPage,
  },
];

/** The dialog that makes an event type, which any screen opens (`useTypeDesk`); its words are those of `booking`. */
export const loadNewTypeDialog = async () => (await import('./new-type-dialog.tsx')).NewTypeDialog;
