import { expect } from '@jest/globals';

/** Returns Jest's own `-u`, as its snapshots use it: golden files are rewritten. */
export const isUpdate = (): boolean => {
  const state = expect.getState() as unknown as { snapshotState: { _updateSnapshot: string } };
  return state.snapshotState._updateSnapshot === 'all';
};
