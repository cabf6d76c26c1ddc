import { type ReactNode, useEffect, useState } from 'react';

/** What comes within 150 ms needs no sign that it is awaited. */
const WAIT_MS = 150;

export function Late({ children }: { readonly children: ReactNode }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? children : null;
}
