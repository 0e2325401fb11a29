import { IconPhoto } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { PictureField } from '#ui/picture-field.tsx';
import styles from './branding-panel.module.css';
import { type BrandLogo, useDrawLogo } from './branding-queries.ts';

export interface LogoFieldProps {
  label: string;
  text?: string;
  ground: 'light' | 'dark';
  logo: BrandLogo | null;
  onChange: (logo: BrandLogo | null) => void;
}

/** A logo as the server made it of what was chosen; people see it once the branding is saved. */
export function LogoField({ label, text, ground, logo, onChange }: LogoFieldProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const draw = useDrawLogo();
  return (
    <fieldset className={styles.logo}>
      <legend>{label}</legend>
      {text === undefined ? null : <p>{text}</p>}
      <PictureField
        initials=""
        picture={logo?.url ?? null}
        shown={
          <span className={styles.frame} data-ground={ground}>
            {logo === null ? <IconPhoto size={20} stroke={1.5} aria-hidden /> : <img src={logo.url} alt={label} />}
          </span>
        }
        chosen={draw.variables}
        pending={draw.isPending}
        problem={draw.isError ? errorText(draw.error) : null}
        tooLarge={t('adminSettings.branding.tooLarge')}
        words={{
          choose: t('adminSettings.branding.choose'),
          change: t('adminSettings.branding.change'),
          remove: t('adminSettings.branding.remove'),
          uploading: t('adminSettings.branding.uploading'),
          hint: t('adminSettings.branding.logoHint'),
        }}
        onChange={(file) => (file === null ? onChange(null) : draw.mutate(file, { onSuccess: onChange }))}
      />
    </fieldset>
  );
}
