import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Avatar, initialsOf } from '#ui/avatar.tsx';
import { Tag } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { DataTable, TwoLines } from '#ui/data-table.tsx';
import { formatDay, msOfInstant } from '#ui/format.ts';
import { ActionMenu, MenuDivider, MenuItem } from '#ui/menu.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import styles from './contact-table.module.css';
import type { Contact } from './queries.ts';

const shownTags = 3;

export const nameOf = ({ name, addresses }: Contact) => name ?? addresses[0]?.address ?? '';

/** A row opens the profile wherever it is pressed. */
export function ContactTable({
  contacts,
  onView,
  onEdit,
  onDelete,
}: {
  contacts: readonly Contact[];
  onView: (contact: Contact) => void;
  onEdit: (contact: Contact) => void;
  onDelete: (contact: Contact) => void;
}) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const dayOf = (instant: string) => formatDay(msOfInstant(instant), preferences, nowMs);
  return (
    <div className={styles.rows}>
      <DataTable
        caption={t('contacts.title')}
        rows={contacts}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'contact',
            header: t('contacts.column.contact'),
            phone: 'title',
            cell: (contact) => (
              <span className={styles.contact}>
                <Avatar initials={initialsOf(contact.name, contact.addresses[0]?.address)} />
                <button type="button" className={styles.open} onClick={() => onView(contact)}>
                  <TwoLines
                    first={nameOf(contact)}
                    second={[contact.name === null ? '' : contact.addresses[0]?.address, contact.company]
                      .filter(Boolean)
                      .join(' · ')}
                  />
                </button>
              </span>
            ),
          },
          {
            key: 'last',
            header: t('contacts.column.last'),
            phone: 'aside',
            cell: ({ last_meeting: last, next_meeting: next }) => (
              <TwoLines
                first={last === null ? t('contacts.never') : dayOf(last)}
                second={next === null ? null : t('contacts.next', { day: dayOf(next) })}
              />
            ),
          },
          {
            key: 'total',
            header: t('contacts.column.total'),
            phone: 'start',
            cell: ({ total_bookings: total }) => (
              <span className={styles.total}>
                <span className="hf-num">{total}</span>{' '}
                <span className={styles.unit}>{t('contacts.bookings', { count: total })}</span>
              </span>
            ),
          },
          {
            key: 'tags',
            header: t('contacts.column.tags'),
            phone: 'end',
            cell: ({ tags }) => (
              <span className={styles.tags}>
                {tags.slice(0, shownTags).map((tag) => (
                  <Tag key={tag}>{tag}</Tag>
                ))}
                {tags.length > shownTags ? <span className={styles.unit}>+{tags.length - shownTags}</span> : null}
              </span>
            ),
          },
          {
            key: 'actions',
            header: t('contacts.column.actions'),
            phone: 'actions',
            fit: true,
            cell: (contact) => (
              <span className={styles.actions}>
                <span className={styles.wide}>
                  <Button variant="subtle" size="xs" onClick={() => onView(contact)}>
                    {t('contacts.view')}
                    <span className="hf-sr-only"> {nameOf(contact)}</span>
                  </Button>
                  <Button variant="subtle" size="xs" onClick={() => onEdit(contact)}>
                    {t('contacts.edit')}
                    <span className="hf-sr-only"> {nameOf(contact)}</span>
                  </Button>
                </span>
                <ActionMenu
                  trigger={
                    <IconButton label={t('contacts.moreOf', { name: nameOf(contact) })}>
                      <IconDots size={17} aria-hidden />
                    </IconButton>
                  }
                >
                  <MenuItem onClick={() => onView(contact)}>{t('contacts.view')}</MenuItem>
                  <MenuItem onClick={() => onEdit(contact)}>{t('contacts.edit')}</MenuItem>
                  <MenuDivider />
                  <MenuItem color="bad" onClick={() => onDelete(contact)}>
                    {t('contacts.delete')}
                  </MenuItem>
                </ActionMenu>
              </span>
            ),
          },
        ]}
      />
    </div>
  );
}
