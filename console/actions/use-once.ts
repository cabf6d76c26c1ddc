import { useRef, useState } from 'react';

/** Interval for the second click of a double click, also when the server has answered by then. */
const DOUBLE_CLICK_MS = 400;

/** Runs a work, and not a second time while it runs; with `keyOf`, works of other keys run concurrently. */
export const useOnce = <Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<unknown>,
  keyOf: (...given: Given) => string = () => '',
) => {
  const underWay = useRef(new Set<string>());
  const [many, setMany] = useState(0);
  const run = async (...given: Given): Promise<void> => {
    const key = keyOf(...given);
    if (underWay.current.has(key)) return;
    underWay.current.add(key);
    setMany((before) => before + 1);
    await Promise.allSettled([work(...given), new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS))]);
    underWay.current.delete(key);
    setMany((before) => before - 1);
  };
  return [run, many > 0] as const;
};
