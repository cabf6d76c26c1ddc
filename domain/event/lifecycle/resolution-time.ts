/** An event that seems to have been open for longer has a wrong time, and counts in no resolution time; ms. */
export const MAX_RESOLUTION_MS = 366 * 86_400_000;
