import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { draftOf, firstDraft, mainCalendars, refilled } from './group-draft.ts';
import { GroupEditor } from './group-editor.tsx';
import { LinkButton } from './link-button.ts';
import { type Group, type NamedCalendar, useGroups, useNamedCalendars } from './queries.ts';

export function MirrorsPage() {
  const { t } = useTranslation();
  const groups = useGroups();
  const calendars = useNamedCalendars();
  const error = groups.error ?? calendars.error;
  return (
    <Page
      title={t('sync.title')}
      subtitle={t('sync.subtitle')}
      actions={
        <LinkButton to="/integrations" variant="default">
          {t('sync.back')}
        </LinkButton>
      }
    >
      {groups.data && calendars.data ? (
        <Groups groups={groups.data.groups} calendars={calendars.data} />
      ) : error ? (
        <Panel>
          <ErrorState
            title={t('sync.loadFailed')}
            error={error}
            onRetry={() => {
              void groups.refetch();
              void calendars.refetch();
            }}
          />
        </Panel>
      ) : (
        <Panel flush>
          <SkeletonRows rows={5} label={t('sync.loading')} />
        </Panel>
      )}
    </Page>
  );
}

function Groups({ groups, calendars }: { groups: Group[]; calendars: NamedCalendar[] }) {
  const { t } = useTranslation();
  // the router looks for the place before the groups are there
  const { hash } = useLocation();
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash]);
  const taken = new Set(groups.flatMap((group) => group.members.map((member) => member.calendarId)));
  const free = calendars.filter((calendar) => !calendar.removed && !taken.has(calendar.calendarId));
  const possible = free.length >= 2 && free.some((calendar) => calendar.writable);
  // With two accounts the first group is proposed at once.
  const [adding, setAdding] = useState(
    groups.length === 0 && possible && (hash === 'new' || hash === 'review' || mainCalendars(free).length >= 2),
  );
  const allowed = (group: Group) =>
    calendars.filter((calendar) => !taken.has(calendar.calendarId) || isMember(group, calendar.calendarId));
  const leftBehind = groups.find((group) => refilled(draftOf(group), allowed(group)) !== null);
  const nameOfNew = groups.length === 0 ? t('sync.firstName') : t('sync.nextName', { number: groups.length + 1 });

  if (groups.length === 0 && !adding) {
    return (
      <Panel>
        <EmptyState
          art="mirrors"
          title={t('sync.empty.title')}
          text={possible ? t('sync.empty.text') : t('sync.empty.tooFew')}
          action={
            possible ? (
              <Button onClick={() => setAdding(true)}>{t('sync.empty.action')}</Button>
            ) : (
              <LinkButton to="/integrations" hash="connect">
                {t('sync.empty.connect')}
              </LinkButton>
            )
          }
        />
      </Panel>
    );
  }
  return (
    <>
      {groups.map((group) => (
        <GroupEditor
          key={`${group.groupId} ${group.revision} ${group === leftBehind}`}
          group={group}
          initial={group === leftBehind ? refilled(draftOf(group), allowed(group)) : null}
          reviewAtOnce={hash === 'review' && group === leftBehind}
          calendars={allowed(group)}
        />
      ))}
      {adding ? (
        <GroupEditor
          group={null}
          initial={firstDraft(nameOfNew, free)}
          calendars={free}
          reviewAtOnce={hash === 'review' && groups.length === 0}
          onDone={() => setAdding(false)}
        />
      ) : null}
      {!adding && leftBehind === undefined && free.length >= 2 ? (
        <div>
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('sync.addGroup')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function isMember(group: Group, calendarId: string): boolean {
  return group.members.some((member) => member.calendarId === calendarId);
}
