import { lazy, Suspense, useState } from 'react';
import { AvatarButton } from './avatar-button.tsx';
import type { SessionUser } from './session.ts';

// Opened by a press, and a first visit does not pay for it.
const loadAccountMenu = async () => ({ default: (await import('./account-menu.tsx')).AccountMenu });
const AccountMenu = lazy(loadAccountMenu);

export function AccountCorner({ user }: { user: SessionUser }) {
  const [wanted, setWanted] = useState(false);
  const preload = () => void loadAccountMenu();
  const avatar = (
    <AvatarButton user={user} onPointerEnter={preload} onFocus={preload} onClick={() => setWanted(true)} />
  );
  if (!wanted) return avatar;
  return (
    <Suspense fallback={avatar}>
      <AccountMenu user={user} />
    </Suspense>
  );
}
