import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { TextField } from '#ui/text-field.tsx';
import { feedContents } from '../contract.ts';
import { type FeedContent, type PublishedFeed, usePublishedFeeds, usePublishFeed } from './feed-queries.ts';
import styles from './feeds-dialog.module.css';

/** The calendar and the busy time of a person as addresses for other programs: made, copied, renewed, ended. */
export function FeedsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const feeds = usePublishedFeeds();
  return (
    <Dialog opened onClose={onClose} title={t('feeds.title')}>
      <p className={styles.lead}>{t('feeds.lead')}</p>
      {feeds.isError ? (
        <Banner state="bad" role="alert">
          {errorText(feeds.error)}
        </Banner>
      ) : null}
      {feeds.data?.available === false ? <Banner state="info">{t('feeds.switchedOff')}</Banner> : null}
      {feeds.isPending ? <Skeleton height={120} /> : null}
      {feeds.data === undefined
        ? null
        : feedContents.map((content) => (
            <FeedSection
              key={content}
              content={content}
              available={feeds.data.available}
              feed={feeds.data.feeds.find((feed) => feed.content === content)}
            />
          ))}
    </Dialog>
  );
}

interface FeedSectionProps {
  content: FeedContent;
  feed: PublishedFeed | undefined;
  available: boolean;
}

function FeedSection({ content, feed, available }: FeedSectionProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { publish, show, end } = usePublishFeed(content);
  const failed = publish.error ?? show.error ?? end.error;
  const headingId = `feed-${content}`;
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h3 id={headingId} className={styles.heading}>
        {t(`feeds.heading.${content}`)}
      </h3>
      <p className={styles.text}>{t(`feeds.text.${content}`)}</p>
      {failed ? (
        <Banner state="bad" role="alert">
          {errorText(failed)}
        </Banner>
      ) : null}
      {feed === undefined ? (
        !available ? null : (
          <div className={styles.actions}>
            <ActionButton
              variant="default"
              type="button"
              pending={publish.isPending}
              pendingLabel={t('feeds.creating')}
              onClick={() => publish.mutate()}
            >
              {t('feeds.create')}
            </ActionButton>
          </div>
        )
      ) : (
        <>
          {feed.url === null ? (
            <div className={styles.actions}>
              <ActionButton
                variant="default"
                type="button"
                size="xs"
                aria-label={`${t('feeds.show')}: ${t(`feeds.heading.${content}`)}`}
                pending={show.isPending}
                pendingLabel={t('feeds.showing')}
                onClick={() => show.mutate()}
              >
                {t('feeds.show')}
              </ActionButton>
            </div>
          ) : (
            <Address url={feed.url} label={t(`feeds.address.${content}`)} />
          )}
          <p className={styles.text}>
            {feed.lastReadAt === null ? (
              t('feeds.neverRead')
            ) : (
              <>
                {t('feeds.lastRead')} <RelativeTime at={feed.lastReadAt} />
              </>
            )}
          </p>
          {feed.isCut ? <Banner state="warn">{t('feeds.cut')}</Banner> : null}
          <div className={styles.actions}>
            {!available ? null : (
              <ActionButton
                variant="default"
                type="button"
                size="xs"
                pending={publish.isPending}
                pendingLabel={t('feeds.renewing')}
                onClick={() => publish.mutate()}
              >
                {t('feeds.renew')}
              </ActionButton>
            )}
            <ActionButton
              variant="subtle"
              color="bad"
              type="button"
              size="xs"
              pending={end.isPending}
              pendingLabel={t('feeds.ending')}
              onClick={() => end.mutate()}
            >
              {t('feeds.end')}
            </ActionButton>
          </div>
        </>
      )}
    </section>
  );
}

function Address({ url, label }: { url: string; label: string }) {
  return (
    <div className={styles.address}>
      <TextField label={label} value={url} readOnly onFocus={(event) => event.currentTarget.select()} />
      <CopyButton key={url} text={url} />
    </div>
  );
}
