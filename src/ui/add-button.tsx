import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** Adds one more to the list that it stands under. */
export function AddButton({
  variant = 'default',
  onClick,
  children,
}: {
  /** `subtle` in a list within a list. */
  variant?: 'default' | 'subtle';
  onClick: () => void;
  children: ReactNode;
}) {
  // the span keeps it as wide as its words in a column
  return (
    <span>
      <Button
        type="button"
        variant={variant}
        size="xs"
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={onClick}
      >
        {children}
      </Button>
    </span>
  );
}
