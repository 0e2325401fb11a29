import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserId } from '#kernel/ids.ts';
import { Button, ButtonAnchor } from '#ui/button.tsx';
import { providerName } from '#ui/provider-mark.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SidePanel } from '#ui/side-panel.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { SectionState } from '../section-state.tsx';
import { EntryList } from './entry-list.tsx';
import {
  exportAddress,
  type Person,
  type PersonAct,
  useActOnPerson,
  usePerson,
  usePersonExport,
} from './people-queries.ts';
import styles from './user-panel.module.css';

/** The actions on a user in the current state. */
function actsFor({ status, hasMfa, role }: Person): PersonAct[] {
  if (status === 'leaving') return [];
  return [
    ...(status === 'active' && role !== 'admin' ? (['impersonate'] as const) : []),
    ...(status === 'unverified' ? (['verify'] as const) : []),
    ...(hasMfa ? (['resetMfa'] as const) : []),
    'export',
    status === 'suspended' ? 'resume' : 'suspend',
    'delete',
  ];
}

const destructive: readonly PersonAct[] = ['suspend', 'delete'];

/** A person with their connections, history, and possible actions. */
export function UserPanel({ userId, onClose }: { userId: UserId; onClose: () => void }) {
  const { t } = useTranslation();
  const query = usePerson(userId);
  const [act, setAct] = useState<PersonAct | null>(null);
  return (
    <SidePanel title={query.data?.person.email ?? t('adminUsers.person')} onClose={onClose}>
      <SectionState query={query} failed={t('adminUsers.personFailed')}>
        {({ person, sessions, connections, audit, isYou }) => (
          <div className={styles.panel}>
            <dl className={styles.facts}>
              <dt>{t('adminUsers.name')}</dt>
              <dd>{person.name ?? t('adminUsers.none')}</dd>
              <dt>{t('adminUsers.column.status')}</dt>
              <dd>{t(`adminUsers.status.${person.status}`)}</dd>
              <dt>{t('adminUsers.secondFactor')}</dt>
              <dd>{t(person.hasMfa ? 'adminUsers.on' : 'adminUsers.off')}</dd>
              <dt>{t('adminUsers.since')}</dt>
              <dd>
                <RelativeTime at={person.createdAt} />
              </dd>
              <dt>{t('adminUsers.column.lastActive')}</dt>
              <dd>{person.lastActive === null ? t('adminUsers.never') : <RelativeTime at={person.lastActive} />}</dd>
              <dt>{t('adminUsers.sessions')}</dt>
              <dd className="hf-num">{sessions}</dd>
            </dl>
            <section>
              <h3>{t('adminUsers.connections')}</h3>
              {connections.length === 0 ? <p className={styles.quiet}>{t('adminUsers.none')}</p> : null}
              <ul className={styles.list}>
                {connections.map(({ id, provider, label, status }) => (
                  <li key={id}>
                    {providerName(provider)} · {label} ·{' '}
                    {t(`adminUsers.connection.${status}`, { defaultValue: status })}
                  </li>
                ))}
              </ul>
            </section>
            {isYou ? (
              <p className={styles.quiet}>{t('adminUsers.you')}</p>
            ) : (
              <div className={styles.acts}>
                {actsFor(person).map((one) => (
                  <Button
                    key={one}
                    variant="default"
                    color={destructive.includes(one) ? 'bad' : 'brand'}
                    onClick={() => setAct(one)}
                  >
                    {t(`adminUsers.act.${one}`)}
                  </Button>
                ))}
              </div>
            )}
            {isYou ? null : <ExportLine userId={userId} />}
            <section>
              <h3>{t('adminUsers.audit')}</h3>
              {audit.length === 0 ? (
                <p className={styles.quiet}>{t('adminUsers.noAudit')}</p>
              ) : (
                <EntryList entries={audit} />
              )}
            </section>
            {act === null ? null : (
              <ActDialog person={person} act={act} onClose={() => setAct(null)} onGone={onClose} />
            )}
          </div>
        )}
      </SectionState>
    </SidePanel>
  );
}

function ExportLine({ userId }: { userId: UserId }) {
  const { t } = useTranslation();
  const made = usePersonExport(userId).data?.export;
  if (!made) return null;
  if (made.state !== 'ready') return <p role="status">{t(`adminUsers.export.${made.state}`)}</p>;
  return (
    <p>
      <ButtonAnchor variant="default" size="xs" href={exportAddress(userId, made.id)} download>
        {t('adminUsers.export.download')}
      </ButtonAnchor>
    </p>
  );
}

function ActDialog({
  person,
  act,
  onClose,
  onGone,
}: {
  person: Person;
  act: PersonAct;
  onClose: () => void;
  onGone: () => void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const change = useActOnPerson(person.id as UserId);
  const [email, setEmail] = useState('');
  const done = () => {
    if (act === 'impersonate') {
      // everything that was read is the administrator's
      queryClient.clear();
      window.location.assign('/dashboard');
      return;
    }
    showToast({ subject: `person ${person.id}`, state: 'ok', message: t(`adminUsers.done.${act}`) });
    onClose();
    if (act === 'delete') onGone();
  };
  return (
    <ReasonDialog
      opened
      title={t(`adminUsers.question.${act}`, { email: person.email })}
      confirmLabel={t(`adminUsers.act.${act}`)}
      destructive={destructive.includes(act)}
      pending={change.isPending}
      error={change.error}
      onClose={onClose}
      onConfirm={(reason) => change.mutate({ act, reason, email }, { onSuccess: done })}
    >
      <p>{t(`adminUsers.means.${act}`)}</p>
      {act === 'delete' ? (
        <TextField
          label={t('adminUsers.typeEmail', { email: person.email })}
          autoComplete="off"
          inputMode="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      ) : null}
    </ReasonDialog>
  );
}
