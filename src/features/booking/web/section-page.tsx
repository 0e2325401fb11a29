import { useTranslation } from 'react-i18next';
import { Panel } from '#ui/page.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextArea } from '#ui/text-area.tsx';
import styles from './fields.module.css';
import type { SectionProps, TypeDraft } from './type-draft.ts';

/** Visibility of the page, and the sites that may embed it. */
export function SectionPage({
  draft,
  settings,
  errors,
  onChange,
  onDraft,
}: SectionProps & { draft: TypeDraft; onDraft: (patch: Partial<TypeDraft>) => void }) {
  const { t } = useTranslation();
  const frameError = Object.entries(errors).find(([path]) => path.startsWith('settings.frames'))?.[1];
  return (
    <Panel title={t('booking.editor.page')}>
      <div className={styles.fields}>
        <Switch
          label={t('booking.field.paused')}
          description={t('booking.field.pausedHint')}
          checked={settings.paused}
          onChange={(event) => onChange({ paused: event.currentTarget.checked })}
        />
        <Switch
          label={t('booking.field.recommend')}
          description={t('booking.field.recommendHint')}
          checked={settings.recommend}
          onChange={(event) => onChange({ recommend: event.currentTarget.checked })}
        />
        <Switch
          label={t('booking.field.hidden')}
          description={t('booking.field.hiddenHint')}
          checked={draft.hidden}
          onChange={(event) => onDraft({ hidden: event.currentTarget.checked })}
        />
        <Switch
          label={t('booking.field.secret')}
          description={t('booking.field.secretHint')}
          checked={draft.secret}
          onChange={(event) => onDraft({ secret: event.currentTarget.checked })}
        />
        <TextArea
          className={styles.whole}
          label={t('booking.field.frames')}
          description={t('booking.field.framesHint')}
          placeholder="https://www.example.org"
          value={settings.frames.join('\n')}
          error={frameError}
          onChange={(event) =>
            onChange({ frames: event.currentTarget.value === '' ? [] : event.currentTarget.value.split('\n') })
          }
        />
      </div>
    </Panel>
  );
}
