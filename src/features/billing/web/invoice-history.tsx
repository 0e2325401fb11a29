import { IconFileTypePdf } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { ButtonAnchor } from '#ui/button.tsx';
import { DataTable } from '#ui/data-table.tsx';
import { formatFigures } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import styles from './billing.module.css';
import { formatMoney } from './format-money.ts';
import type { Invoice } from './queries.ts';

export function InvoiceHistory({ invoices }: { invoices: readonly Invoice[] }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nameOf = (invoice: Invoice) => invoice.number ?? formatFigures(invoice.created, preferences);
  return (
    <Panel title={t('billing.invoices')} flush={invoices.length > 0}>
      {invoices.length === 0 ? (
        <p className={styles.dim}>{t('billing.noInvoices')}</p>
      ) : (
        <DataTable
          caption={t('billing.invoices')}
          rows={invoices}
          keyOf={({ id }) => id}
          columns={[
            {
              key: 'date',
              header: t('billing.invoice.date'),
              cell: ({ created }) => formatFigures(created, preferences),
              phone: 'title',
            },
            { key: 'number', header: t('billing.invoice.number'), cell: ({ number }) => number ?? '–', phone: 'line' },
            {
              key: 'amount',
              header: t('billing.invoice.amount'),
              cell: ({ amount, currency }) => formatMoney(amount, currency, preferences.locale),
              phone: 'aside',
            },
            {
              key: 'status',
              header: t('billing.invoice.status'),
              cell: ({ status }) => (
                <StateBadge state={status === 'paid' ? 'ok' : 'bad'}>{t(`billing.invoice.is.${status}`)}</StateBadge>
              ),
              phone: 'start',
            },
            {
              key: 'pdf',
              header: <span className={styles.hidden}>{t('billing.invoice.pdf')}</span>,
              cell: (invoice) =>
                invoice.pdfUrl === null ? null : (
                  <ButtonAnchor
                    variant="subtle"
                    size="xs"
                    href={invoice.pdfUrl}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={t('billing.invoice.pdfOf', { number: nameOf(invoice) })}
                    leftSection={<IconFileTypePdf size={16} aria-hidden />}
                  >
                    {t('billing.invoice.pdf')}
                  </ButtonAnchor>
                ),
              phone: 'actions',
              fit: true,
            },
          ]}
        />
      )}
    </Panel>
  );
}
