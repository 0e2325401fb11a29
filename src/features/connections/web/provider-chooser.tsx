import { IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ColorMark } from '#ui/provider-mark.tsx';
import styles from './provider-chooser.module.css';
import type { ProviderCard } from './queries.ts';

export function ProviderChooser({
  cards,
  onChoose,
}: {
  cards: readonly ProviderCard[];
  onChoose: (card: ProviderCard) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.text}>{t('connections.chooser.text')}</p>
      <ul className={styles.list}>
        {cards.map((card) => (
          <li key={card.profile}>
            <button type="button" className={styles.choice} onClick={() => onChoose(card)}>
              <ColorMark color={card.color} />
              <span>{card.label}</span>
              <IconChevronRight size={16} aria-hidden className={styles.arrow} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
