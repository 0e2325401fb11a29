import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';

/**
 * Moves one of a list up and down, and takes it away. A disabled button keeps the focus that it had during the move.
 */
export function MoveButtons({
  label,
  number,
  count,
  onMove,
  onRemove,
}: {
  label: string;
  /** From 1. */
  number: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const isFirst = number === 1;
  const isLast = number === count;
  return (
    <>
      {count > 1 ? (
        <>
          <IconButton
            label={t('routing.move.up', { label })}
            aria-disabled={isFirst || undefined}
            onClick={() => !isFirst && onMove(-1)}
          >
            <IconArrowUp size={16} aria-hidden />
          </IconButton>
          <IconButton
            label={t('routing.move.down', { label })}
            aria-disabled={isLast || undefined}
            onClick={() => !isLast && onMove(1)}
          >
            <IconArrowDown size={16} aria-hidden />
          </IconButton>
        </>
      ) : null}
      <IconButton label={t('routing.move.remove', { label })} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </IconButton>
    </>
  );
}
