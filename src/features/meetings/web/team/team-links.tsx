import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { teamEndpoints } from '#features/teams/contract.ts';
import { may } from '#features/teams/rules.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Button } from '#ui/button.tsx';
import { ActionMenu, MenuItem } from '#ui/menu.tsx';
import { LinkButton } from '../link-button.ts';

const api = createClient({ listTeams: teamEndpoints.listTeams });

/** The way to what is booked with each team of which one may see that. */
export function TeamLinks() {
  const { t } = useTranslation();
  const found = useQuery({ queryKey: ['teams'], queryFn: ({ signal }) => api.listTeams({}, { signal }) });
  const teams = found.data?.teams.filter(({ role }) => may(role, 'see-bookings')) ?? [];
  const [only] = teams;
  if (only === undefined) return null;
  if (teams.length === 1) {
    return (
      <LinkButton to="/meetings/team/$teamId" params={{ teamId: only.id }} variant="default">
        {t('meetings.team.title')}
      </LinkButton>
    );
  }
  return (
    <ActionMenu trigger={<Button variant="default">{t('meetings.team.title')}</Button>}>
      {teams.map(({ id, name }) => (
        <MenuItem key={id} component={Link} to={`/meetings/team/${id}`}>
          {name}
        </MenuItem>
      ))}
    </ActionMenu>
  );
}
