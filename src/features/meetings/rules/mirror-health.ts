/** How the blocks of one instance stand; `total` is without what is skipped. */
export interface MirrorHealth {
  total: number;
  created: number;
  pending: number;
  failed: number;
  skipped: number;
}

/** A block of an event: of the whole (`recId` '') or of one instance. */
export interface BlockState {
  recId: string;
  targetId: string;
  state: 'created' | 'pending' | 'failed' | 'skipped';
}

/** The health of one instance, from all blocks of its event. In each target its own block counts before the series'. */
export function mirrorHealthOf(recId: string, states: readonly BlockState[]): MirrorHealth {
  const health = { total: 0, created: 0, pending: 0, failed: 0, skipped: 0 };
  const own = new Set(states.filter((one) => one.recId === recId).map((one) => one.targetId));
  for (const one of states) {
    if (one.recId !== recId && (one.recId !== '' || own.has(one.targetId))) continue;
    health[one.state] += 1;
    if (one.state !== 'skipped') health.total += 1;
  }
  return health;
}
