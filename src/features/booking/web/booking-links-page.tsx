import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { AvailabilityTabs } from './availability-tabs.tsx';
import styles from './booking-links-page.module.css';
import { HandlePanel } from './handle/handle-panel.tsx';
import { type EventType, useDeleteType, useHandle, useOrderTypes, useRestoreType, useTypes } from './queries.ts';
import { TypeRow } from './type-row.tsx';

const CreateTypeDialog = lazy(async () => ({ default: (await import('./create-type-dialog.tsx')).CreateTypeDialog }));
const TeamPanel = lazy(async () => ({ default: (await import('./team-panel.tsx')).TeamPanel }));
const BlockedDialog = lazy(async () => ({ default: (await import('./blocked-dialog.tsx')).BlockedDialog }));
const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

/** Event types of a person and their teams, with their addresses and ways to share them. */
export function BookingLinksPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const search: { new?: string } = useSearch({ strict: false });
  const handle = useHandle();
  const found = useTypes();
  const order = useOrderTypes();
  const remove = useDeleteType();
  const restore = useRestoreType();
  const [sharing, setSharing] = useState<{ type: EventType; isNew: boolean } | null>(null);
  const [blocking, setBlocking] = useState(false);
  const creating = search.new === '1';
  const create = () => void navigate({ to: '/availability/links', search: { new: '1' } });
  const closeCreating = () => void navigate({ to: '/availability/links', search: {}, replace: true });
  const failed = handle.error ?? found.error;
  const types = found.data?.event_types;
  const teams = found.data?.teams ?? [];

  const refused = (subject: string) => (error: unknown) =>
    showToast({ subject, state: 'bad', message: errorText(error) });
  const deleteType = (type: EventType) =>
    remove.mutate(type.id, {
      onSuccess: () =>
        showToast({
          subject: `type ${type.id}`,
          state: 'idle',
          message: t('booking.deleted', { title: type.title }),
          staysMs: 10_000,
          action: {
            label: t('booking.undo'),
            run: () => restore.mutate(type.id, { onError: refused(`type ${type.id}`) }),
          },
        }),
      onError: refused(`type ${type.id}`),
    });
  const move = (type: EventType, by: -1 | 1, among: readonly EventType[]) => {
    const ids = among.map(({ id }) => id);
    const at = ids.indexOf(type.id);
    const moved = ids.toSpliced(at, 1).toSpliced(at + by, 0, type.id);
    order.mutate(
      { ids: moved, ...(type.team_id === null ? {} : { team_id: type.team_id }) },
      {
        onSuccess: () =>
          showToast({ subject: 'order', state: 'ok', message: t('booking.orderChanged', { title: type.title }) }),
        onError: refused('order'),
      },
    );
  };

  const rowsOf = (list: readonly EventType[], mayChange: boolean) => (
    <ol className={styles.list}>
      {list.map((type, index) => (
        <TypeRow
          key={type.id}
          type={type}
          mayChange={mayChange}
          isFirst={index === 0}
          isLast={index === list.length - 1}
          onShare={() => setSharing({ type, isNew: false })}
          onMove={(by) => move(type, by, list)}
          onDelete={() => deleteType(type)}
        />
      ))}
    </ol>
  );

  return (
    <Page
      title={t('shell.section.availability')}
      subtitle={t('booking.subtitle')}
      actions={
        types && types.length > 0 ? (
          <>
            <Button variant="default" onClick={() => setBlocking(true)}>
              {t('booking.blocked.open')}
            </Button>
            <Button onClick={create}>{t('booking.create.open')}</Button>
          </>
        ) : null
      }
    >
      <AvailabilityTabs />
      {failed && !(handle.data && types) ? (
        <Panel>
          <ErrorState
            title={t('booking.loadFailed')}
            error={failed}
            onRetry={() => {
              void handle.refetch();
              void found.refetch();
            }}
          />
        </Panel>
      ) : null}
      {!failed && !(handle.data && types) ? (
        <Panel flush>
          <SkeletonRows rows={4} label={t('booking.loading')} />
        </Panel>
      ) : null}
      {handle.data && types ? (
        <>
          <HandlePanel handle={handle.data} />
          {types.length === 0 ? (
            <Panel>
              <EmptyState
                art="meetings"
                title={t('booking.empty.title')}
                text={t('booking.empty.text')}
                action={<Button onClick={create}>{t('booking.create.open')}</Button>}
              />
            </Panel>
          ) : (
            <Panel flush>
              <h2 className="hf-sr-only">{t('booking.list')}</h2>
              {rowsOf(types, true)}
            </Panel>
          )}
          {teams.map((team) => (
            <Suspense key={team.team_id} fallback={<SkeletonRows rows={1} label={t('booking.loading')} />}>
              <TeamPanel team={team}>{rowsOf(team.event_types, team.may_change)}</TeamPanel>
            </Suspense>
          ))}
        </>
      ) : null}
      <Suspense>
        {creating && found.data ? (
          <CreateTypeDialog
            teams={teams.filter((team) => team.may_change)}
            onClose={closeCreating}
            onCreated={(type) => {
              closeCreating();
              setSharing({ type, isNew: true });
            }}
          />
        ) : null}
        {blocking ? <BlockedDialog onClose={() => setBlocking(false)} /> : null}
        {sharing ? <ShareDialog {...sharing} onClose={() => setSharing(null)} /> : null}
      </Suspense>
    </Page>
  );
}
