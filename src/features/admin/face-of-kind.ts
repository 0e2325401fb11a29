import { faceOf } from '#features/connections/public.ts';

/** How a kind of account looks, by `provider/profile`. */
export function faceOfKind(kind: string): { label: string; color: string } {
  const [provider = '', profile = ''] = kind.split('/');
  const { label, color } = faceOf({ provider, profile });
  return { label: profile === 'simulated' ? `${label} (simulated)` : label, color };
}
