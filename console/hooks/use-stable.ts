import { useCallback, useLayoutEffect, useRef } from 'react';

/** Does what `run` of the newest drawing does and stays the same function, so that memoized parts are not drawn anew for it. */
export const useStable = <Given extends readonly unknown[]>(run: (...given: Given) => void) => {
  const newest = useRef(run);
  useLayoutEffect(() => {
    newest.current = run;
  });
  return useCallback((...given: Given): void => newest.current(...given), []);
};
