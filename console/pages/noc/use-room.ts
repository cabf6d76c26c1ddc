import { useElementSize } from '@mantine/hooks';
import { roomFor } from './wall-words.ts';

const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** How many rows of a height (rem) the element has room for, so that none is cut off. */
export const useRoom = (rowRem: number, most: number) => {
  const { ref, height } = useElementSize();
  return { ref, room: height === 0 ? most : roomFor(height, rowRem * rem(), most) };
};
