import { IconCreditCard, IconLogout, IconShieldCog, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { leaveApp } from '#ui/leave-app.ts';
import { ActionMenu, MenuDivider, MenuItem, MenuLabel } from '#ui/menu.tsx';
import { showToast } from '#ui/toasts.tsx';
import { AvatarButton } from './avatar-button.tsx';
import { type SessionUser, signOut } from './session.ts';
import { ThemeItem } from './theme-item.tsx';

/** Opens as soon as it is there: its code is fetched by the press on the avatar. */
export function AccountMenu({ user }: { user: SessionUser }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const leave = useMutation({
    mutationFn: () => signOut(queryClient),
    onSuccess: () => leaveApp('/login'),
    onError: (error) => showToast({ subject: 'session', state: 'bad', message: errorText(error) }),
  });
  return (
    <ActionMenu defaultOpened trigger={<AvatarButton user={user} />}>
      <MenuLabel>{user.email}</MenuLabel>
      <MenuItem component={Link} to="/profile" leftSection={<IconUser size={16} aria-hidden />}>
        {t('shell.profile')}
      </MenuItem>
      <MenuItem component={Link} to="/billing" leftSection={<IconCreditCard size={16} aria-hidden />}>
        {t('shell.billing')}
      </MenuItem>
      <MenuItem component={Link} to="/team" leftSection={<IconUsersGroup size={16} aria-hidden />}>
        {t('shell.team')}
      </MenuItem>
      {user.role === 'admin' ? (
        <>
          <MenuDivider />
          <MenuItem component={Link} to="/admin" leftSection={<IconShieldCog size={16} aria-hidden />}>
            {t('shell.admin.console')}
          </MenuItem>
        </>
      ) : null}
      <MenuDivider />
      <ThemeItem />
      <MenuDivider />
      <MenuItem leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leave.mutate()}>
        {t('shell.signOut')}
      </MenuItem>
    </ActionMenu>
  );
}
