import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { may, type TeamRole, teamPermissions, teamRoles } from '#features/teams/rules.ts';
import { Panel } from '#ui/page.tsx';
import styles from '../teams.module.css';

/** The one table of what each role may, as the server has it. */
export function RolesPanel({ own }: { own: TeamRole }) {
  const { t } = useTranslation();
  return (
    <Panel flush title={t('teams.roles.title')} text={t('teams.roles.text')}>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">
                <span className="hf-sr-only">{t('teams.roles.right')}</span>
              </th>
              {teamRoles.map((role) => (
                <th key={role} scope="col" data-own={role === own || undefined}>
                  {t(`teams.role.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {teamPermissions.map((permission) => (
              <tr key={permission}>
                <th scope="row">{t(`teams.permission.${permission}`)}</th>
                {teamRoles.map((role) => (
                  <td key={role} data-own={role === own || undefined}>
                    {may(role, permission) ? (
                      <>
                        <IconCheck size={16} aria-hidden />
                        <span className="hf-sr-only">{t('teams.roles.yes')}</span>
                      </>
                    ) : (
                      <span className="hf-sr-only">{t('teams.roles.no')}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
