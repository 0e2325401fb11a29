/** The marks of sign-in services, in the colours that each of them asks for. Decoration; the name stands beside it. */
export function SignInLogo({
  service,
  size = 18,
}: {
  service: 'google' | 'microsoft' | 'apple' | 'zoho';
  size?: number;
}) {
  const Mark = marks[service];
  return <Mark size={size} />;
}

interface MarkProps {
  size: number;
}

function Google({ size }: MarkProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <path
        fill="#EA4335"
        d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
      />
      <path
        fill="#4285F4"
        d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
      />
      <path
        fill="#FBBC05"
        d="M10.53 28.59A14.5 14.5 0 0 1 9.77 24c0-1.6.27-3.14.76-4.59l-7.98-6.19A23.9 23.9 0 0 0 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
      />
      <path
        fill="#34A853"
        d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
      />
    </svg>
  );
}

function Microsoft({ size }: MarkProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 21 21" aria-hidden="true">
      <path fill="#F25022" d="M0 0h10v10H0z" />
      <path fill="#7FBA00" d="M11 0h10v10H11z" />
      <path fill="#00A4EF" d="M0 11h10v10H0z" />
      <path fill="#FFB900" d="M11 11h10v10H11z" />
    </svg>
  );
}

function Apple({ size }: MarkProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" fill="currentColor">
      <path d="M17.05 12.54c-.03-2.6 2.12-3.85 2.22-3.91-1.21-1.77-3.09-2.01-3.76-2.04-1.6-.16-3.12.94-3.93.94-.81 0-2.06-.92-3.39-.89-1.74.03-3.35 1.01-4.24 2.57-1.81 3.14-.46 7.78 1.3 10.33.86 1.25 1.89 2.65 3.23 2.6 1.3-.05 1.79-.84 3.36-.84 1.57 0 2.01.84 3.38.81 1.4-.02 2.28-1.27 3.13-2.53.99-1.45 1.39-2.85 1.42-2.93-.03-.01-2.72-1.04-2.75-4.14zM14.47 4.9c.71-.87 1.2-2.07 1.07-3.27-1.03.04-2.28.69-3.02 1.55-.66.77-1.24 2-1.09 3.17 1.15.09 2.33-.59 3.04-1.45z" />
    </svg>
  );
}

function Zoho({ size }: MarkProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" fill="none" strokeWidth="2">
      <rect x="1.5" y="7.5" width="7" height="9" rx="1.5" stroke="#E42527" transform="rotate(-8 5 12)" />
      <rect x="6" y="7" width="7" height="9" rx="1.5" stroke="#089949" transform="rotate(6 9.5 11.5)" />
      <rect x="10.5" y="8" width="7" height="9" rx="1.5" stroke="#226DB4" transform="rotate(-5 14 12.5)" />
      <rect x="15.5" y="7.5" width="7" height="9" rx="1.5" stroke="#F9B21D" transform="rotate(4 19 12)" />
    </svg>
  );
}

const marks = { google: Google, microsoft: Microsoft, apple: Apple, zoho: Zoho };
