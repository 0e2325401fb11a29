import { IconChevronRight, IconExternalLink, IconPlus } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { isDoublePress } from '#ui/button.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { Refusal } from '#ui/refusal.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './provider-chooser.module.css';
import {
  type Account,
  type ProviderCard,
  type SignIn,
  type SimulatedProvider,
  useConnectOwn,
  useSimulate,
} from './queries.ts';
import { startAddress } from './start-address.ts';

export interface ProviderChooserProps {
  signIns: readonly SignIn[];
  cards: readonly ProviderCard[];
  simulated: readonly SimulatedProvider[];
  onChoose: (card: ProviderCard) => void;
  onFeed: () => void;
  /** The calendar that Holdfast keeps is there. */
  onOwn: () => void;
  onSimulated: (provider: SimulatedProvider, account: Account) => void;
}

/** Where the calendar is: signing in at its provider, a guided form, or an account made up on the spot. */
export function ProviderChooser(props: ProviderChooserProps) {
  const { signIns, cards, simulated, onChoose, onFeed, onOwn, onSimulated } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  // focus on the first choice instead of the close button, also after a return from the form
  useEffect(() => list.current?.querySelector<HTMLElement>('a, button')?.focus(), []);
  return (
    <>
      <p className={styles.text}>{t('connections.chooser.text')}</p>
      <ul ref={list} className={styles.list}>
        {signIns.map((signIn) => (
          <li key={signIn.provider}>
            <SignInChoice signIn={signIn} />
          </li>
        ))}
        {cards.map((card) => (
          <li key={card.profile}>
            <button type="button" className={styles.choice} onClick={() => onChoose(card)}>
              <Choice color={card.color} label={card.label} icon={<IconChevronRight size={16} aria-hidden />} />
            </button>
          </li>
        ))}
        <li>
          <button type="button" className={styles.choice} onClick={onFeed}>
            <Choice
              color="#0b7285"
              label={t('connections.feed.choice')}
              icon={<IconChevronRight size={16} aria-hidden />}
            />
          </button>
        </li>
        <li>
          <OwnChoice onOwn={onOwn} />
        </li>
      </ul>
      {simulated.length > 0 ? <Simulated providers={simulated} signIns={signIns} onSimulated={onSimulated} /> : null}
    </>
  );
}

function Choice({ color, label, icon }: { color: string; label: ReactNode; icon: ReactNode }) {
  return (
    <>
      <ColorMark color={color} />
      <span>{label}</span>
      <span className={styles.arrow}>{icon}</span>
    </>
  );
}

function OwnChoice({ onOwn }: { onOwn: () => void }) {
  const { t } = useTranslation();
  const connect = useConnectOwn();
  const create = (event: MouseEvent) => {
    if (connect.isPending || isDoublePress(event)) return;
    connect.mutate(undefined, {
      onSuccess: () => {
        showToast({ subject: 'connect', state: 'ok', message: t('connections.own.done') });
        onOwn();
      },
    });
  };
  return (
    <>
      <button type="button" className={styles.choice} aria-disabled={connect.isPending || undefined} onClick={create}>
        <Choice
          color="#7048e8"
          label={connect.isPending ? t('connections.own.pending') : t('connections.own.choice')}
          icon={<IconPlus size={16} aria-hidden />}
        />
      </button>
      {connect.error ? (
        <Banner state="bad" role="alert">
          <Refusal error={connect.error} />
        </Banner>
      ) : null}
    </>
  );
}

function SignInChoice({ signIn }: { signIn: SignIn }) {
  const { t } = useTranslation();
  const why = useId();
  if (signIn.usable) {
    return (
      <a className={styles.choice} href={startAddress(`/provider/${signIn.provider}/start`)}>
        <Choice color={signIn.color} label={signIn.label} icon={<IconExternalLink size={16} aria-hidden />} />
      </a>
    );
  }
  return (
    <div className={styles.choice} data-disabled>
      <ColorMark color={signIn.color} />
      <span>
        <button type="button" className={styles.off} aria-disabled aria-describedby={why}>
          {signIn.label}
        </button>
        <span id={why} className={styles.why}>
          {t('connections.chooser.notSetUp')} {signIn.missing}
        </span>
      </span>
    </div>
  );
}

function Simulated({
  providers,
  signIns,
  onSimulated,
}: {
  providers: readonly SimulatedProvider[];
  signIns: readonly SignIn[];
  onSimulated: ProviderChooserProps['onSimulated'];
}) {
  const { t } = useTranslation();
  const simulate = useSimulate();
  const title = useId();
  const colorOf = (provider: SimulatedProvider) =>
    signIns.find((one) => one.provider === provider)?.color ?? 'currentColor';
  return (
    <section className={styles.simulated} aria-labelledby={title}>
      <h3 id={title}>{t('connections.simulate.title')}</h3>
      <p className={styles.text}>{t('connections.simulate.text')}</p>
      {simulate.error ? (
        <Banner state="bad" role="alert" title={t('connections.simulate.failed')}>
          <Refusal error={simulate.error} />
        </Banner>
      ) : null}
      <ul className={styles.list}>
        {providers.map((provider) => (
          <li key={provider}>
            <button
              type="button"
              className={styles.choice}
              aria-disabled={simulate.isPending || undefined}
              onClick={(event) => {
                if (simulate.isPending || isDoublePress(event)) return;
                simulate.mutate(provider, { onSuccess: ({ account }) => onSimulated(provider, account) });
              }}
            >
              <Choice
                color={colorOf(provider)}
                label={
                  simulate.isPending && simulate.variables === provider
                    ? t('connections.simulate.pending')
                    : t(`connections.simulate.${provider}`)
                }
                icon={<IconChevronRight size={16} aria-hidden />}
              />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
