import { IconDots, IconEye, IconEyeOff, IconLock } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { useExplain } from '#ui/explain.ts';
import { ActionMenu, MenuDivider, MenuItem } from '#ui/menu.tsx';
import { showToast } from '#ui/toasts.tsx';
import { summaryOf } from './describe-type.ts';
import { type EventType, type Switches, useDuplicateType, useSwitchType } from './queries.ts';
import { TitleLink } from './title-link.tsx';
import styles from './type-row.module.css';

export interface TypeRowProps {
  type: EventType;
  /** Permission within a team, which not every member has. */
  mayChange: boolean;
  isFirst: boolean;
  isLast: boolean;
  onShare: (isEmbed: boolean) => void;
  onMove: (by: -1 | 1) => void;
  onDelete: () => void;
}

/** One event type. The row opens its editor; the link and the switch are at hand, everything else is in the menu. */
export function TypeRow({ type, mayChange, isFirst, isLast, onShare, onMove, onDelete }: TypeRowProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const duplicate = useDuplicateType();
  const change = useSwitchType();
  const explain = useExplain();
  const { title, url, hidden, secret } = type;
  const { paused } = type.settings;
  const refused = (error: unknown) =>
    showToast({ subject: `type ${type.id}`, state: 'bad', message: errorText(error) });
  const edit = (id: EventType['id']) => void navigate({ to: '/booking-links/$typeId', params: { typeId: id } });
  const switchTo = (switches: Switches) => change.mutate({ id: type.id, switches }, { onError: refused });
  return (
    <li className={styles.row} data-paused={paused || undefined}>
      <span className={styles.color} style={{ background: type.settings.color }} />
      <div className={styles.texts}>
        <p className={styles.title}>
          {mayChange ? (
            <TitleLink to="/booking-links/$typeId" params={{ typeId: type.id }}>
              {title}
            </TitleLink>
          ) : (
            <strong>{title}</strong>
          )}
          {paused ? <StateBadge state="warn">{t('booking.row.paused')}</StateBadge> : null}
          {type.lacks_calendars ? <StateBadge state="warn">{t('booking.row.lacksCalendars')}</StateBadge> : null}
          {hidden && !secret ? (
            <span className={styles.mark}>
              <IconEyeOff size={14} aria-hidden /> {t('booking.row.hidden')}
            </span>
          ) : null}
          {secret ? (
            <span className={styles.mark}>
              <IconLock size={14} aria-hidden /> {t('booking.row.secret')}
            </span>
          ) : null}
        </p>
        <p className={styles.summary}>{summaryOf(type, t)}</p>
        {url === null ? null : <p className={styles.address}>{new URL(url).pathname}</p>}
      </div>
      <span className={styles.actions}>
        {mayChange ? (
          <input
            type="checkbox"
            role="switch"
            aria-checked={!paused}
            className={styles.switch}
            aria-label={t('booking.row.takes', { title })}
            checked={!paused}
            onChange={() => switchTo({ paused: !paused })}
          />
        ) : null}
        {url === null ? (
          <Button variant="default" size="xs" onClick={() => onShare(false)}>
            {secret ? t('booking.row.makeLink') : t('booking.share.open')}
            <span className="hf-sr-only"> {title}</span>
          </Button>
        ) : (
          <>
            <CopyButton text={url} size="xs">
              {t('booking.row.copy')}
              <span className="hf-sr-only"> {title}</span>
            </CopyButton>
            <a
              className={styles.preview}
              href={url}
              target="_blank"
              rel="noreferrer noopener"
              aria-label={t('booking.row.previewOf', { title })}
              title={t('booking.row.preview')}
            >
              <IconEye size={18} stroke={1.6} aria-hidden />
            </a>
          </>
        )}
        <ActionMenu
          trigger={
            <IconButton label={t('booking.row.more', { title })}>
              <IconDots size={18} aria-hidden />
            </IconButton>
          }
        >
          {mayChange ? <MenuItem onClick={() => edit(type.id)}>{t('booking.row.edit')}</MenuItem> : null}
          {mayChange ? (
            <>
              <MenuItem onClick={() => onShare(false)}>{t('booking.share.open')}</MenuItem>
              {url === null ? null : <MenuItem onClick={() => onShare(true)}>{t('booking.share.embed')}</MenuItem>}
              <MenuItem
                onClick={() =>
                  duplicate.mutate(type.id, { onSuccess: (copy) => edit(copy.event_type.id), onError: refused })
                }
              >
                {t('booking.row.duplicate')}
              </MenuItem>
            </>
          ) : null}
          {explain === null ? null : (
            <MenuItem onClick={() => explain({ about: 'slot', eventTypeId: type.id, title })}>
              {t('booking.row.explain')}
            </MenuItem>
          )}
          {mayChange ? (
            <>
              <MenuDivider />
              {isFirst ? null : <MenuItem onClick={() => onMove(-1)}>{t('booking.row.up')}</MenuItem>}
              {isLast ? null : <MenuItem onClick={() => onMove(1)}>{t('booking.row.down')}</MenuItem>}
              {secret ? null : (
                <MenuItem onClick={() => switchTo({ hidden: !hidden })}>
                  {hidden ? t('booking.row.show') : t('booking.row.hide')}
                </MenuItem>
              )}
              <MenuItem onClick={() => switchTo({ secret: !secret })}>
                {secret ? t('booking.row.makePublic') : t('booking.row.makeSecret')}
              </MenuItem>
              <MenuDivider />
              <MenuItem color="bad" onClick={onDelete}>
                {t('booking.row.delete')}
              </MenuItem>
            </>
          ) : null}
        </ActionMenu>
      </span>
    </li>
  );
}
