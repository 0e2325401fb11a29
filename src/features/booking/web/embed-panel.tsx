import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { loadWords } from '#ui/load-words.ts';
import { Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';

const EmbedBuilder = lazy(async () => {
  const [{ EmbedBuilder: Builder }] = await Promise.all([import('./embed-builder.tsx'), loadWords('embed')]);
  return { default: Builder };
});

/** The way to the code for one's own site; the rest comes when it is wanted. */
export function EmbedPanel({ url, frames }: { url: string; frames: readonly string[] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title={t('booking.embed.title')}
      text={t('booking.embed.text')}
      actions={
        isOpen ? null : (
          <Button type="button" variant="default" onClick={() => setOpen(true)}>
            {t('booking.embed.open')}
          </Button>
        )
      }
    >
      {isOpen ? (
        <Suspense fallback={<SkeletonRows rows={4} label={t('booking.loading')} />}>
          <EmbedBuilder url={url} frames={frames} />
        </Suspense>
      ) : null}
    </Panel>
  );
}
