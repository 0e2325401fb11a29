import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { useWords } from './words.tsx';

export interface CopyButtonProps {
  text: string;
  /** "Copy" unless it says more. */
  children?: ReactNode;
  size?: 'xs' | 'sm';
  fullWidth?: boolean;
  onCopied?: () => void;
}

/** Copies, and says that it did or why the person has to do it by hand. */
export function CopyButton({ text, children, onCopied, ...rest }: CopyButtonProps) {
  const words = useWords();
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  // The width stays, so that nothing beside the button moves.
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    const copied = await copyText(text);
    setOutcome(copied ? 'copied' : 'refused');
    if (copied) onCopied?.();
  };
  return (
    <>
      <Button
        {...rest}
        type="button"
        variant="default"
        leftSection={outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        style={outcome === 'copied' ? { minWidth: width } : undefined}
        onClick={(event) => {
          if (outcome === null) setWidth(event.currentTarget.offsetWidth);
          void copy();
        }}
      >
        {outcome === 'copied' ? words.copied : outcome === 'refused' ? words.copyRefused : (children ?? words.copy)}
      </Button>
      <span className="hf-sr-only" role="status">
        {outcome === 'copied' ? words.copied : outcome === 'refused' ? words.copyRefused : ''}
      </span>
    </>
  );
}
