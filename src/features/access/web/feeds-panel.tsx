import { IconRss } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { type PublishedFeed, useEndFeed, useFeeds } from './security-queries.ts';
import { SecurityRow, SecurityRows } from './security-row.tsx';

/** The published feeds of a person's calendar; nothing where there are none. */
export function FeedsPanel() {
  const { t } = useTranslation();
  const feeds = useFeeds().data?.feeds ?? [];
  if (feeds.length === 0) return null;
  return (
    <Panel title={t('security.feeds.title')} text={t('security.feeds.text')} flush>
      <SecurityRows>
        {feeds.map((feed) => (
          <FeedRow key={feed.content} feed={feed} />
        ))}
      </SecurityRows>
    </Panel>
  );
}

function FeedRow({ feed: { content, lastReadAt, isCut } }: { feed: PublishedFeed }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const end = useEndFeed();
  const name = t(`security.feeds.${content}`);
  return (
    <SecurityRow
      icon={IconRss}
      title={name}
      text={
        lastReadAt === null ? (
          t('security.feeds.neverRead')
        ) : (
          <>
            <RelativeTime at={lastReadAt} />
            {isCut ? ` · ${t('security.feeds.cut')}` : null}
          </>
        )
      }
      problem={end.error ? errorText(end.error) : null}
      actions={
        <ActionButton
          type="button"
          variant="subtle"
          aria-label={t('security.feeds.endNamed', { name })}
          pending={end.isPending}
          pendingLabel={t('security.feeds.ending')}
          onClick={() => end.mutate(content)}
        >
          {t('security.feeds.end')}
        </ActionButton>
      }
    />
  );
}
