import { useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { Logo } from '#ui/logo.tsx';
import { Stepper } from '#ui/stepper.tsx';
import { useStepFocus } from '#ui/use-step-focus.ts';
import { GuestFrame } from '../frame/guest-frame.tsx';
import type { GuestSearch } from '../frame/guest-search.ts';
import { LanguageSwitch } from '../frame/language-switch.tsx';
import { Refusal } from '../frame/refusal.tsx';
import { useWish } from '../frame/use-enter.ts';
import { entranceAt } from '../frame/use-entrance.ts';
import { useMfaSecret } from '../queries.ts';
import { EnrollBackup } from './enroll-backup.tsx';
import { EnrollCode } from './enroll-code.tsx';
import { EnrollSecret, EnrollSecretSkeleton } from './enroll-secret.tsx';

const steps = ['secret', 'code', 'backup'] as const;
type Step = (typeof steps)[number];

/** A second factor in three steps: the secret, a first code, the backup codes. */
export function MfaEnrollPage() {
  const { t } = useTranslation();
  const [step, setStep] = useState<Step>('secret');
  const [backupCodes, setBackupCodes] = useState<readonly string[]>([]);
  useStepFocus(step);
  const isSignedIn = useLocation({ select: ({ state }) => state.challenge === undefined });
  const wish = useWish();
  const back = isSignedIn ? (
    <a href={wish}>{t('access.enroll.later')}</a>
  ) : (
    <a href="/login">{t('access.backToLogin')}</a>
  );
  return (
    <GuestFrame
      logo={<Logo name={t('shell.product')} />}
      foot={<LanguageSwitch />}
      other={step === 'backup' ? null : back}
      title={t(`access.enroll.title.${step}`)}
      text={t(`access.enroll.text.${step}`)}
      steps={
        <Stepper
          label={t('access.enroll.steps')}
          steps={steps.map((name) => t(`access.enroll.step.${name}`))}
          current={steps.indexOf(step)}
        />
      }
    >
      {step === 'backup' ? (
        <EnrollBackup codes={backupCodes} />
      ) : (
        <Enrollment
          step={step}
          onStep={setStep}
          onEnrolled={(codes) => {
            setBackupCodes(codes);
            setStep('backup');
          }}
        />
      )}
    </GuestFrame>
  );
}

interface EnrollmentProps {
  step: 'secret' | 'code';
  onStep: (step: 'secret' | 'code') => void;
  onEnrolled: (backupCodes: readonly string[]) => void;
}

/** The two steps before there is a second factor. */
function Enrollment({ step, onStep, onEnrolled }: EnrollmentProps) {
  const { t } = useTranslation();
  const { from }: GuestSearch = useSearch({ strict: false });
  const challenge = useLocation({ select: ({ state }) => state.challenge });
  const errorText = useErrorText();
  const secret = useMfaSecret(challenge);
  if (secret.error) {
    return (
      <Refusal>
        {errorText(secret.error)} <a href={entranceAt('/login', from)}>{t('access.backToLogin')}</a>
      </Refusal>
    );
  }
  if (!secret.data) return <EnrollSecretSkeleton />;
  const { otpauth, base32Secret, session } = secret.data;
  return step === 'secret' ? (
    <EnrollSecret otpauth={otpauth} secret={base32Secret} onAdded={() => onStep('code')} />
  ) : (
    <EnrollCode session={session} onBack={() => onStep('secret')} onEnrolled={onEnrolled} />
  );
}
