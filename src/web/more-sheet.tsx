import { createLink, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#ui/dialog.tsx';
import { NavItem } from '#ui/nav-item.tsx';
import { bottomSections, sections } from './sections.ts';
import styles from './shell.module.css';

const SectionLink = createLink(NavItem);

/** Phone: the sections that the bar at the bottom has no room for. */
export function MoreSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const about = useLocation({ select: ({ pathname }) => pathname });
  return (
    <Dialog opened onClose={onClose} title={t('shell.more')}>
      <nav className={styles.sheet} aria-label={t('shell.more')}>
        {sections
          .filter((section) => !bottomSections.includes(section.path))
          .map((section) => (
            <SectionLink
              key={section.path}
              to={section.path}
              // help about the open screen comes first
              {...(section.path === '/help' ? { search: { about } } : {})}
              icon={section.icon}
              label={t(section.label)}
              onClick={onClose}
            />
          ))}
      </nav>
    </Dialog>
  );
}
