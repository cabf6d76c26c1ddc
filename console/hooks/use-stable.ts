import { useCallback, useLayoutEffect, useRef } from 'react';

/** Runs the latest `run` and stays the same function, so that memoized parts do not render again for it. */
export const useStable = <Given extends readonly unknown[]>(run: (...given: Given) => void) => {
  const newest = useRef(run);
  useLayoutEffect(() => {
    newest.current = run;
  });
  return useCallback((...given: Given): void => newest.current(...given), []);
};
