import { IconChevronRight } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
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
  const list = useRef<HTMLUListElement>(null);
  // Where one goes on, not the cross; also when one comes back from the form.
  useEffect(() => list.current?.querySelector('button')?.focus(), []);
  return (
    <>
      <p className={styles.text}>{t('connections.chooser.text')}</p>
      <ul ref={list} className={styles.list}>
        {cards.map((card, index) => (
          <li key={card.profile}>
            <button
              type="button"
              className={styles.choice}
              data-autofocus={index === 0 || undefined}
              onClick={() => onChoose(card)}
            >
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
