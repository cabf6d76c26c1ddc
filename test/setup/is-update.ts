import { expect } from '@jest/globals';

/** Jest's own `-u`, as its snapshots see it: golden files are written anew. */
export const isUpdate = (): boolean => {
  const state = expect.getState() as unknown as { snapshotState: { _updateSnapshot: string } };
  return state.snapshotState._updateSnapshot === 'all';
};
