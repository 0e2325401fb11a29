import { useEffect, useState } from 'react';

/** Returns the text once typing has paused. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
