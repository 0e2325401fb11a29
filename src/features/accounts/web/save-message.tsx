import { StateBadge } from '#ui/badge.tsx';

interface Saving {
  isSuccess: boolean;
  isError: boolean;
}

/** Beside a save button: how it went, spoken. */
export function SaveMessage({ mutation, saved, failed }: { mutation: Saving; saved: string; failed: string }) {
  return (
    <span role="status">
      {mutation.isSuccess ? <StateBadge state="ok">{saved}</StateBadge> : null}
      {mutation.isError ? <StateBadge state="bad">{failed}</StateBadge> : null}
    </span>
  );
}
