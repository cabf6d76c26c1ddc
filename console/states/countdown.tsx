import { useEffect, useEffectEvent, useState } from 'react';
import * as text from './texts.ts';

interface Props {
  readonly ms: number;
  /** Done once, at the end. */
  readonly then: () => unknown;
}

/** "Retrying in 4s": and then it does. */
export function Countdown({ ms, then }: Props) {
  const [left, setLeft] = useState(Math.ceil(ms / 1_000));
  const onEnd = useEffectEvent(then);
  useEffect(() => {
    if (left <= 0) {
      onEnd();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  // Not announced: it changes each second.
  return <span aria-hidden>{left <= 0 ? text.retrying : text.retryingIn(left)}</span>;
}
