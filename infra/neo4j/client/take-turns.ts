/** Runs work of one tenant in turn: two writes of one tenant meet at its node, and the server would take one of them back. */
export interface Turns {
  take<T>(tenant: string, work: () => Promise<T>): Promise<T>;
}

export const openTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(tenant, work) {
      const mine = (last.get(tenant) ?? Promise.resolve()).then(work, work);
      const settled = mine.catch(() => undefined);
      last.set(tenant, settled);
      void settled.then(() => {
        if (last.get(tenant) === settled) last.delete(tenant);
      });
      return mine;
    },
  };
};
