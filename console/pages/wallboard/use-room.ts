import { useElementSize } from '@mantine/hooks';
import type { CSSProperties } from 'react';
import { growthFor, roomFor } from './wallboard-text.ts';

const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

export const grown = (growth: number) => ({ '--growth': growth }) as CSSProperties;

/** Returns the number of rows of a height (rem) that fit into the element, so that none is cut off, and their growth. */
export const useRoom = (rowRem: number, most: number) => {
  const { ref, height } = useElementSize();
  return {
    ref,
    room: height === 0 ? most : roomFor(height, rowRem * rem(), most),
    growthOf: (rows: number) => growthFor(height, rowRem * rem(), rows),
  };
};
