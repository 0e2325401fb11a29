import { useTranslation } from 'react-i18next';
import { type Device, deviceOf } from '#features/accounts/rules/device.ts';

/** "Firefox on Linux", as far as it is known; of this browser unless another device is given. */
export function useDeviceName(): (device?: Device) => string {
  const { t } = useTranslation();
  return (device = deviceOf(navigator.userAgent)) => {
    const { program, system } = device;
    if (program !== null && system !== null) return t('security.device.both', { program, system });
    return program ?? system ?? t('security.device.unknown');
  };
}
