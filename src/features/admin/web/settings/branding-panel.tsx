import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { judgeColor, ownColor } from '#kernel/brand-scale.ts';
import { ownName } from '#kernel/product-name.ts';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { brandColor, productName } from '../../branding/contract.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { SectionState } from '../section-state.tsx';
import styles from './branding-panel.module.css';
import { BrandingPreview } from './branding-preview.tsx';
import { type Branding, useBranding, useChangeBranding } from './branding-queries.ts';
import { LogoField } from './logo-field.tsx';

/** How the install is called and how it looks. */
export function BrandingPanel() {
  const { t } = useTranslation();
  const query = useBranding();
  return (
    <SectionState query={query} failed={t('adminSettings.branding.loadFailed')}>
      {(branding) => (
        <Panel title={t('adminSettings.branding.title')} text={t('adminSettings.branding.text')}>
          <BrandingForm key={JSON.stringify(branding)} branding={branding} />
        </Panel>
      )}
    </SectionState>
  );
}

const untouched: Branding = { name: null, color: null, logo: null, darkLogo: null };
const isSame = (one: Branding, other: Branding) => JSON.stringify(toBody(one)) === JSON.stringify(toBody(other));

function toBody({ name, color, logo, darkLogo }: Branding) {
  return { name, color, logo: logo?.file ?? null, darkLogo: darkLogo?.file ?? null };
}

function BrandingForm({ branding }: { branding: Branding }) {
  const { t } = useTranslation();
  const change = useChangeBranding();
  const [name, setName] = useState(branding.name ?? ownName);
  const [color, setColor] = useState(branding.color ?? ownColor);
  const [logo, setLogo] = useState(branding.logo);
  const [darkLogo, setDarkLogo] = useState(branding.darkLogo);
  const [asked, setAsked] = useState<Branding | null>(null);
  const isName = productName.safeParse(name.trim()).success;
  const typed = color.trim().toLowerCase();
  const isColor = brandColor.safeParse(typed).success;
  const shownColor = isColor ? typed : (branding.color ?? ownColor);
  const judged = judgeColor(shownColor);
  const wanted: Branding = {
    name: name.trim() === ownName ? null : name.trim(),
    color: typed === ownColor ? null : typed,
    logo,
    darkLogo,
  };
  const isReset = asked !== null && isSame(asked, untouched);
  const ratio = (value: number) => (Math.floor(value * 10) / 10).toFixed(1);
  return (
    <>
      <div className={styles.sides}>
        <div className={styles.form}>
          <TextField
            label={t('adminSettings.branding.name')}
            description={t('adminSettings.branding.nameText')}
            maxLength={40}
            value={name}
            error={isName ? undefined : t('adminSettings.branding.nameWrong')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <div className={styles.color}>
            <TextField
              label={t('adminSettings.branding.color')}
              description={t('adminSettings.branding.colorText')}
              maxLength={7}
              spellCheck={false}
              value={color}
              error={isColor ? undefined : t('adminSettings.branding.colorWrong')}
              onChange={(event) => setColor(event.currentTarget.value)}
            />
            <input
              type="color"
              aria-label={t('adminSettings.branding.pick')}
              value={shownColor}
              onChange={(event) => setColor(event.currentTarget.value)}
            />
          </div>
          {isColor && judged.chosen < 4.5 ? (
            <div className={styles.corrected} role="status">
              <p>
                {t('adminSettings.branding.corrected', {
                  color: typed,
                  ratio: ratio(judged.chosen),
                  shown: judged.accent,
                })}
              </p>
              <Button variant="default" onClick={() => setColor(judged.accent)}>
                {t('adminSettings.branding.take', { color: judged.accent })}
              </Button>
            </div>
          ) : null}
          <LogoField label={t('adminSettings.branding.logo')} ground="light" logo={logo} onChange={setLogo} />
          <LogoField
            label={t('adminSettings.branding.darkLogo')}
            text={t('adminSettings.branding.darkLogoText')}
            ground="dark"
            logo={darkLogo}
            onChange={setDarkLogo}
          />
        </div>
        <BrandingPreview name={name} steps={judged.steps} logo={logo} darkLogo={darkLogo} uses={judged.uses} />
      </div>
      <div className={styles.actions}>
        <Button disabled={!isName || !isColor || isSame(wanted, branding)} onClick={() => setAsked(wanted)}>
          {t('adminSettings.branding.save')}
        </Button>
        {isSame(branding, untouched) ? null : (
          <Button variant="default" onClick={() => setAsked(untouched)}>
            {t('adminSettings.branding.reset')}
          </Button>
        )}
      </div>
      {asked === null ? null : (
        <ReasonDialog
          opened
          title={t(isReset ? 'adminSettings.branding.resetQuestion' : 'adminSettings.branding.question')}
          confirmLabel={t(isReset ? 'adminSettings.branding.reset' : 'adminSettings.branding.save')}
          pending={change.isPending}
          error={change.error}
          onClose={() => setAsked(null)}
          onConfirm={(reason) =>
            change.mutate(
              { ...toBody(asked), reason },
              {
                onSuccess: () => {
                  setAsked(null);
                  showToast({
                    subject: 'branding',
                    state: 'ok',
                    message: t('adminSettings.branding.changed'),
                    action: { label: t('adminSettings.branding.reload'), run: () => location.reload() },
                    staysMs: 20_000,
                  });
                },
              },
            )
          }
        >
          <p>{t(isReset ? 'adminSettings.branding.resetText' : 'adminSettings.branding.questionText')}</p>
        </ReasonDialog>
      )}
    </>
  );
}
