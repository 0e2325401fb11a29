import { loadZone } from '#kernel/time/zones.ts';

const key = 'holdfast-travel';

/**
 * The zone of this device, where its clock shows another time than the person's own zone and they have not yet said
 * that they know. Two zones with the same time are no journey.
 */
export function travelledTo(own: string, device: string, nowMs: number): string | undefined {
  const [here, home] = [loadZone(device), loadZone(own)];
  if (here === null || home === null || here.offsetAt(nowMs) === home.offsetAt(nowMs)) return undefined;
  return localStorage.getItem(key) === device ? undefined : device;
}

/** Not asked again on this device while it is in this zone. */
export function rememberStay(device: string): void {
  localStorage.setItem(key, device);
}
