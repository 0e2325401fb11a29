import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { ConnectForm } from './connect-form.tsx';
import { FeedForm } from './feed-form.tsx';
import { ProviderChooser, type ProviderChooserProps } from './provider-chooser.tsx';
import { type ProviderCard, type SimulatedProvider, useProviders } from './queries.ts';

/** First the kind of account, then the form with the help for it; Google and Microsoft have a page of their own. */
export function ConnectDialog({
  opened,
  onClose,
  onSimulated,
}: {
  opened: boolean;
  onClose: () => void;
  onSimulated: (provider: SimulatedProvider) => void;
}) {
  const { t } = useTranslation();
  const [card, setCard] = useState<ProviderCard | 'feed' | null>(null);
  const close = () => {
    setCard(null);
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={
        card === null
          ? t('connections.chooser.title')
          : card === 'feed'
            ? t('connections.feed.title')
            : t('connections.form.title', { provider: card.label })
      }
      actions={
        card ? null : (
          <Button variant="default" onClick={close}>
            {t('connections.chooser.cancel')}
          </Button>
        )
      }
    >
      {card === 'feed' ? (
        <FeedForm onBack={() => setCard(null)} onConnected={close} />
      ) : card ? (
        <ConnectForm key={card.profile} card={card} onBack={() => setCard(null)} onConnected={close} />
      ) : (
        <Choices
          onChoose={setCard}
          onFeed={() => setCard('feed')}
          onOwn={close}
          onSimulated={(provider) => {
            close();
            onSimulated(provider);
          }}
        />
      )}
    </Dialog>
  );
}

function Choices(actions: Pick<ProviderChooserProps, 'onChoose' | 'onFeed' | 'onOwn' | 'onSimulated'>) {
  const { t } = useTranslation();
  const providers = useProviders();
  if (providers.data) {
    const { providers: cards, signIns, simulated } = providers.data;
    return <ProviderChooser cards={cards} signIns={signIns} simulated={simulated} {...actions} />;
  }
  if (providers.error) {
    return (
      <ErrorState
        title={t('connections.chooser.loadFailed')}
        error={providers.error}
        onRetry={() => void providers.refetch()}
      />
    );
  }
  return <SkeletonRows rows={4} label={t('connections.loading')} />;
}
