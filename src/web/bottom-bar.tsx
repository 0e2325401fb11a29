import { IconDots, IconPlus } from '@tabler/icons-react';
import { createLink, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BottomNavItem } from '#ui/nav-item.tsx';
import { bottomSections, type Section, sections } from './sections.ts';
import styles from './shell.module.css';

const BottomSectionLink = createLink(BottomNavItem);

/** Phone: what one needs with a thumb, the button that makes an event in the middle. */
export function BottomBar({ onMore }: { onMore: () => void }) {
  const { t } = useTranslation();
  const places = bottomSections.flatMap((path) => sections.filter((section) => section.path === path));
  const link = ({ path, icon, label }: Section) => (
    <BottomSectionLink key={path} to={path} icon={icon} label={t(label)} />
  );
  return (
    <>
      {places.slice(0, 2).map(link)}
      <Link
        to="/calendar"
        search={({ day }: { day?: string }) => ({ day, new: '1' })}
        className={styles.create}
        aria-label={t('shell.createEvent')}
      >
        <span className={styles.plus}>
          <IconPlus size={24} stroke={2} aria-hidden />
        </span>
      </Link>
      {places.slice(2).map(link)}
      <button type="button" className={styles.more} onClick={onMore}>
        <IconDots size={22} stroke={1.6} aria-hidden />
        <span>{t('shell.more')}</span>
      </button>
    </>
  );
}
