import { useEffect, useState } from 'react';

/** What was typed or chosen, once nobody changes it any more. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), 250);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
