import type { Reply } from './exchange.ts';
import type { Effect, FaultMatch, FaultRule, Phase } from './faults.ts';

/** A fault by its name: whom it strikes, and as what. */
export interface CataloguedFault {
  op: string;
  phase?: Phase;
  /** The first is meant where none is named. Names that are numbers are never first. */
  variants: Record<string, Effect>;
}

/** The effect of an answer as the provider would give it. */
export const answering = ({ status, headers, body }: Reply): Effect => ({ kind: 'status', status, headers, body });

/** *Errors*: where there is no such name or variant. */
export function pickFault(
  catalogue: Readonly<Record<string, CataloguedFault>>,
  name: string,
  variant: string | undefined,
  match: FaultMatch,
): FaultRule {
  const fault = catalogue[name];
  if (!fault) throw new Error(`no fault ${name}; there are ${Object.keys(catalogue).join(', ')}`);
  const chosen = variant ?? Object.keys(fault.variants)[0]!;
  const effect = fault.variants[chosen];
  if (!effect) throw new Error(`no variant ${chosen} of ${name}; there are ${Object.keys(fault.variants).join(', ')}`);
  return { op: fault.op, ...(fault.phase && { phase: fault.phase }), ...match, effect };
}
