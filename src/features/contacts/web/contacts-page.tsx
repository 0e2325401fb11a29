import { IconChevronDown, IconDownload, IconPlus, IconUpload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { ActionMenu, MenuItem } from '#ui/menu.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { ContactFilters } from './contact-filters.tsx';
import { type ContactSearch, isFiltered } from './contact-search.ts';
import { ContactTable } from './contact-table.tsx';
import styles from './contacts-page.module.css';
import { DuplicatesPanel } from './duplicates-panel.tsx';
import { type Contact, type ContactId, exportAddresses, useContacts } from './queries.ts';
import { useRemove } from './use-remove.ts';

// Opened by a press: the table does not wait for them.
const ProfileDialog = lazy(async () => ({ default: (await import('./dialogs.ts')).ProfileDialog }));
const ContactForm = lazy(async () => ({ default: (await import('./dialogs.ts')).ContactForm }));
const ImportDialog = lazy(async () => ({ default: (await import('./dialogs.ts')).ImportDialog }));

type Opened = { dialog: 'add' } | { dialog: 'import' } | { dialog: 'edit'; contact: Contact };

export function ContactsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: ContactSearch = useSearch({ strict: false });
  const list = useContacts(search);
  const remove = useRemove();
  const [opened, setOpened] = useState<Opened | null>(null);
  const look = (contact: ContactId | undefined) => void navigate({ to: '.', search: { ...search, contact } });
  const close = () => setOpened(null);
  const [first] = list.data?.pages ?? [];
  const contacts = list.data?.pages.flatMap((page) => page.contacts) ?? [];
  const files = exportAddresses(search);

  return (
    <Page
      title={t('contacts.title')}
      subtitle={t('contacts.subtitle')}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
            onClick={() => setOpened({ dialog: 'import' })}
          >
            {t('contacts.import.open')}
          </Button>
          <ActionMenu
            trigger={
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                rightSection={<IconChevronDown size={14} aria-hidden />}
              >
                {t('contacts.export.open')}
              </Button>
            }
          >
            <MenuItem component="a" href={files.csv} download>
              {t('contacts.export.csv')}
            </MenuItem>
            <MenuItem component="a" href={files.vcard} download>
              {t('contacts.export.vcard')}
            </MenuItem>
            <MenuItem component="a" href={files.vcard3} download>
              {t('contacts.export.vcard3')}
            </MenuItem>
          </ActionMenu>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened({ dialog: 'add' })}>
            {t('contacts.add')}
          </Button>
        </>
      }
    >
      <DuplicatesPanel />
      <ContactFilters search={search} tags={first?.tags ?? []} />
      <Panel flush>
        {first === undefined ? (
          list.error ? (
            <ErrorState title={t('contacts.loadFailed')} error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <SkeletonRows rows={6} label={t('contacts.loading')} />
          )
        ) : contacts.length === 0 ? (
          <EmptyState
            art="meetings"
            title={isFiltered(search) ? t('contacts.empty.filtered') : t('contacts.empty.title')}
            text={isFiltered(search) ? t('contacts.empty.filteredText') : t('contacts.empty.text')}
            action={
              isFiltered(search) ? (
                <Button variant="default" onClick={() => void navigate({ to: '.', search: {} })}>
                  {t('contacts.filter.clear')}
                </Button>
              ) : (
                <Button onClick={() => setOpened({ dialog: 'add' })}>{t('contacts.add')}</Button>
              )
            }
          />
        ) : (
          <ContactTable
            contacts={contacts}
            onView={({ id }) => look(id)}
            onEdit={(contact) => setOpened({ dialog: 'edit', contact })}
            onDelete={remove}
          />
        )}
      </Panel>
      {first === undefined || contacts.length === 0 ? null : (
        <p className={styles.more}>
          <span className="hf-num">{t('contacts.shown', { shown: contacts.length, count: first.matching })}</span>
          {list.hasNextPage ? (
            <Button
              variant="default"
              size="xs"
              disabled={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {t('contacts.more')}
            </Button>
          ) : null}
        </p>
      )}
      <Suspense>
        {search.contact === undefined || opened?.dialog === 'edit' ? null : (
          <ProfileDialog
            key={search.contact}
            id={search.contact as ContactId}
            onEdit={(contact) => setOpened({ dialog: 'edit', contact })}
            onClose={() => look(undefined)}
          />
        )}
        {opened?.dialog === 'add' ? <ContactForm onClose={close} onAdded={look} /> : null}
        {opened?.dialog === 'edit' ? <ContactForm contact={opened.contact} onClose={close} /> : null}
        {opened?.dialog === 'import' ? <ImportDialog onClose={close} /> : null}
      </Suspense>
    </Page>
  );
}
