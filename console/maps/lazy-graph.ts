import { lazy } from 'react';
import { loadedPart } from '#console/states/loaded-part.ts';

/** The canvas, loaded with the first map. */
export const GraphCanvas = lazy(async () => {
  const { GraphCanvas: component } = await loadedPart(() => import('./graph-canvas.tsx'));
  return { default: component };
});
