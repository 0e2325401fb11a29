import { lazy, Suspense } from 'react';
import { loadWords } from './i18n.ts';

/** Panels that open over any screen, one at a time. */
export type ShellPanel = 'more' | 'keyboard' | 'palette' | 'inbox';

// Opened by a press, and a first visit does not pay for them.
const MoreSheet = lazy(async () => ({ default: (await import('./more-sheet.tsx')).MoreSheet }));
const KeyboardSheet = lazy(async () => {
  const [sheet] = await Promise.all([import('./keyboard-sheet.tsx'), loadWords('keyboard')]);
  return { default: sheet.KeyboardSheet };
});

/** Asked for when a hand comes near, so that it is there when it is pressed. */
export async function loadPalette() {
  const [palette] = await Promise.all([import('./palette/palette.tsx'), loadWords('search')]);
  return { default: palette.Palette };
}
const Palette = lazy(loadPalette);

export async function loadInbox() {
  const [inbox] = await Promise.all([import('./panels/inbox.tsx'), loadWords('inbox')]);
  return { default: inbox.Inbox };
}
const Inbox = lazy(loadInbox);

export interface ShellPanelsProps {
  opened: ShellPanel | null;
  userId: string;
  onOpen: (panel: ShellPanel | null) => void;
}

export function ShellPanels({ opened, userId, onOpen }: ShellPanelsProps) {
  const close = () => onOpen(null);
  if (opened === null) return null;
  return (
    <Suspense>
      {opened === 'more' ? <MoreSheet onClose={close} /> : null}
      {opened === 'keyboard' ? <KeyboardSheet onClose={close} /> : null}
      {opened === 'inbox' ? <Inbox onClose={close} /> : null}
      {opened === 'palette' ? (
        <Palette userId={userId} onClose={close} onKeyboardSheet={() => onOpen('keyboard')} />
      ) : null}
    </Suspense>
  );
}
