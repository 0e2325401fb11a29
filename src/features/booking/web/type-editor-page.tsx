import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { EmbedPanel } from './embed-panel.tsx';
import { LinkButton } from './link-button.ts';
import { type EventType, type TypeId, useHandle, useType } from './queries.ts';
import { TypeEditor } from './type-editor.tsx';

/** All settings of one event type. */
export function TypeEditorPage() {
  const { t } = useTranslation();
  const { typeId } = useParams({ strict: false }) as { typeId: TypeId };
  const found = useType(typeId);
  const handle = useHandle();
  const type = found.data?.event_type;
  return (
    <Page
      width="narrow"
      title={type?.title ?? t('booking.editor.title')}
      subtitle={type === undefined ? null : t(`booking.kind.${type.kind}`)}
      actions={
        <>
          <LinkButton
            to="/booking-links"
            variant="subtle"
            color="gray"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
          >
            {t('booking.editor.back')}
          </LinkButton>
          {type?.url == null ? null : (
            <>
              <CopyButton text={type.url}>{t('booking.row.copy')}</CopyButton>
              <ButtonAnchor
                href={type.url}
                target="_blank"
                rel="noreferrer noopener"
                variant="default"
                leftSection={<IconExternalLink size={16} aria-hidden />}
              >
                {t('booking.row.preview')}
              </ButtonAnchor>
            </>
          )}
        </>
      }
    >
      {type && handle.data ? (
        <>
          <TypeEditor
            key={`${type.id} ${type.version}`}
            type={type}
            base={baseOf(type, handle.data.url)}
            onReload={() => void found.refetch()}
          />
          {type.url === null ? null : <EmbedPanel url={type.url} frames={type.settings.frames} />}
        </>
      ) : (
        <Panel>
          {(found.error ?? handle.error) ? (
            <ErrorState
              title={t('booking.loadFailed')}
              error={found.error ?? handle.error}
              onRetry={() => {
                void found.refetch();
                void handle.refetch();
              }}
            />
          ) : (
            <SkeletonRows rows={6} label={t('booking.loading')} />
          )}
        </Panel>
      )}
    </Page>
  );
}

/** Returns the prefix of an event type's name in its address; a team's follows from its URL. */
function baseOf({ team_id: teamId, url, slug }: EventType, profileUrl: string | null): string {
  const before = teamId === null ? profileUrl && `${profileUrl}/` : url?.slice(0, -slug.length);
  return before ? before.replace(/^https?:\/\//, '') : '…/';
}
