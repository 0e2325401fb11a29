import styles from './provider-mark.module.css';

const known: Record<string, { name: string; token: string }> = {
  google: { name: 'Google', token: 'google' },
  outlook: { name: 'Outlook', token: 'outlook' },
  microsoft: { name: 'Outlook', token: 'outlook' },
  icloud: { name: 'iCloud', token: 'icloud' },
  exchange: { name: 'Exchange', token: 'exchange' },
  holdfast: { name: 'Holdfast', token: 'own' },
  caldav: { name: 'CalDAV', token: 'other' },
  ics: { name: 'Calendar feed', token: 'other' },
  zoho: { name: 'Zoho', token: 'other' },
  fastmail: { name: 'Fastmail', token: 'other' },
  nextcloud: { name: 'Nextcloud', token: 'other' },
  davmail: { name: 'Exchange', token: 'exchange' },
};

/** The provider's name as people know it. */
export function providerName(provider: string): string {
  return known[provider]?.name ?? provider;
}

/** An 8 px rounded square in a colour: a calendar's or a provider's. Decoration; the name stands beside it. */
export function ColorMark({ color }: { color: string }) {
  return <span className={`${styles.mark} hf-mark`} style={{ backgroundColor: color }} aria-hidden="true" />;
}

/** Coloured square and name of a provider. */
export function ProviderMark({ provider }: { provider: string }) {
  return (
    <span className={styles.provider}>
      <ColorMark color={`var(--hf-provider-${known[provider]?.token ?? 'other'})`} />
      {providerName(provider)}
    </span>
  );
}
