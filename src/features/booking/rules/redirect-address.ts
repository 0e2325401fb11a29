const campaign = /^utm_[a-z]{2,20}$/;
const longestValue = 200;
const mostValues = 10;

/** The campaign of a link (`utm_source` and the like), so that it can be passed on. */
export function readCampaign(fields: Iterable<readonly [string, string]>): Record<string, string> {
  const found = [...fields].filter(([name, value]) => campaign.test(name) && value.length <= longestValue);
  return Object.fromEntries(found.slice(0, mostValues));
}

/** A page of the host with values about the booking; a value that the host put there stays. */
export function passOn(address: string, values: Readonly<Record<string, string>>): string {
  const url = URL.parse(address);
  if (url === null) return address;
  for (const [name, value] of Object.entries(values))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.href;
}

interface Dated {
  uid: string;
  start: number;
}

/**
 * The values of a booking for the host's own page: nothing about the guest. `series`: its dates; null for a booking that was made
 * alone. *Units*: minutes.
 */
export function bookingValues({ uid, start, duration }: Dated & { duration: number }, series: readonly Dated[] | null) {
  const write = (minute: number) => Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toString();
  return {
    booking_uid: uid,
    start_time: write(start),
    end_time: write(start + duration),
    ...(series === null
      ? {}
      : {
          booking_uids: series.map((date) => date.uid).join(','),
          start_times: series.map((date) => write(date.start)).join(','),
        }),
  };
}
