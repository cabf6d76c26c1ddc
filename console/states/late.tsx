import { type ReactNode, useEffect, useState } from 'react';

/** A reply within 150 ms needs no sign of waiting. */
const WAIT_MS = 150;

export function Late({ children }: { readonly children: ReactNode }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? children : null;
}
