import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { foldText } from '#kernel/text/fold-text.ts';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { PageTabs } from '#ui/page-tabs.tsx';
import { PlainField } from '#ui/plain-field.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './booking-links-page.module.css';
import { HandlePanel } from './handle/handle-panel.tsx';
import {
  type EventType,
  useDeleteType,
  useHandle,
  useLinks,
  useOrderTypes,
  useRestoreType,
  useTypes,
} from './queries.ts';
import type { ShareDialogProps } from './share/share-dialog.tsx';
import { TabLink } from './tab-link.ts';
import { TypeRow } from './type-row.tsx';

const CreateTypeDialog = lazy(async () => ({ default: (await import('./create-type-dialog.tsx')).CreateTypeDialog }));
const TeamPanel = lazy(async () => ({ default: (await import('./team-panel.tsx')).TeamPanel }));
const BlockedDialog = lazy(async () => ({ default: (await import('./blocked-dialog.tsx')).BlockedDialog }));
const LinkList = lazy(async () => ({ default: (await import('./share/link-list.tsx')).LinkList }));
const ShareDialog = lazy(async () => ({ default: (await import('./share/share-dialog.tsx')).ShareDialog }));

type Shared = Pick<ShareDialogProps, 'type' | 'isNew' | 'isCopied' | 'isEmbed' | 'mayChange'>;
const exactly = { exact: true, includeSearch: true };

/** Event types with their links, private links, and shared times. */
export function BookingLinksPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const search: { new?: string; tab?: 'private' | 'times' } = useSearch({ strict: false });
  const handle = useHandle();
  const found = useTypes();
  const order = useOrderTypes();
  const remove = useDeleteType();
  const restore = useRestoreType();
  const links = useLinks().data?.links ?? [];
  const [sharing, setSharing] = useState<Shared | null>(null);
  const [sought, setSought] = useState('');
  const [blocking, setBlocking] = useState(false);
  const creating = search.new === '1';
  const create = () => void navigate({ to: '/booking-links', search: { new: '1' } });
  const closeCreating = () => void navigate({ to: '/booking-links', search: {}, replace: true });
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

  const wanted = foldText(sought);
  const matching = <One extends { title: string; label?: string }>(list: readonly One[]) =>
    list.filter(({ title, label = '' }) => foldText(`${title} ${label}`).includes(wanted));
  // Its link changes with the address that was chosen meanwhile.
  const current = (type: EventType) =>
    [...(types ?? []), ...teams.flatMap((team) => team.event_types)].find(({ id }) => id === type.id) ?? type;

  const rowsOf = (list: readonly EventType[], mayChange: boolean) => (
    <ol className={styles.list}>
      {list.map((type, index) => (
        <TypeRow
          key={type.id}
          type={type}
          mayChange={mayChange}
          isFirst={index === 0 || wanted !== ''}
          isLast={index === list.length - 1 || wanted !== ''}
          onShare={(isEmbed) => setSharing({ type, isEmbed, mayChange })}
          onMove={(by) => move(type, by, list)}
          onDelete={() => deleteType(type)}
        />
      ))}
    </ol>
  );

  return (
    <Page
      title={t('booking.title')}
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
          <div className={styles.bar}>
            <HandlePanel handle={handle.data} />
            {types.length > 0 || links.length > 0 ? (
              <PlainField
                type="search"
                className={styles.find}
                aria-label={t('booking.find')}
                placeholder={t('booking.find')}
                value={sought}
                onChange={(event) => setSought(event.currentTarget.value)}
              />
            ) : null}
          </div>
          <PageTabs label={t('booking.title')}>
            <TabLink to="/booking-links" search={{}} activeOptions={exactly}>
              {t('booking.list')} <Tag>{types.length + teams.flatMap((team) => team.event_types).length}</Tag>
            </TabLink>
            <TabLink to="/booking-links" search={{ tab: 'private' }} activeOptions={exactly}>
              {t('booking.private.title')} <Tag>{links.filter(({ kind }) => kind !== 'times').length}</Tag>
            </TabLink>
            <TabLink to="/booking-links" search={{ tab: 'times' }} activeOptions={exactly}>
              {t('booking.times.title')} <Tag>{links.filter(({ kind }) => kind === 'times').length}</Tag>
            </TabLink>
          </PageTabs>
          {search.tab === undefined ? (
            <>
              {types.length === 0 ? (
                <Panel>
                  <EmptyState
                    art="meetings"
                    title={t('booking.empty.title')}
                    text={t('booking.empty.text')}
                    action={<Button onClick={create}>{t('booking.create.open')}</Button>}
                  />
                </Panel>
              ) : matching(types).length === 0 ? null : (
                <Panel flush>
                  <h2 className="hf-sr-only">{t('booking.list')}</h2>
                  {rowsOf(matching(types), true)}
                </Panel>
              )}
              {teams.map((team) => (
                <Suspense key={team.team_id} fallback={<SkeletonRows rows={1} label={t('booking.loading')} />}>
                  <TeamPanel team={team}>{rowsOf(matching(team.event_types), team.may_change)}</TeamPanel>
                </Suspense>
              ))}
            </>
          ) : (
            <Suspense fallback={<SkeletonRows rows={3} label={t('booking.loading')} />}>
              <LinkList tab={search.tab} links={matching(links)} isSought={sought.trim() !== ''} />
            </Suspense>
          )}
        </>
      ) : null}
      <Suspense>
        {creating && found.data ? (
          <CreateTypeDialog
            teams={teams.filter((team) => team.may_change)}
            onClose={closeCreating}
            onCreated={(type, isCopied) => {
              closeCreating();
              setSharing({ type, isCopied, isNew: true });
            }}
          />
        ) : null}
        {blocking ? <BlockedDialog onClose={() => setBlocking(false)} /> : null}
        {sharing ? <ShareDialog {...sharing} type={current(sharing.type)} onClose={() => setSharing(null)} /> : null}
      </Suspense>
    </Page>
  );
}
