/**
 * Pause of a reader as a multiple of its working time: while the thread has capacity, and while it has not (a fifth of
 * a core then).
 */
const RESTS = { room: 1, busy: 4 };
/** Share of its time below which a thread has capacity for work that is not urgent. */
const ROOM = 0.7;

/** `busy`: share of the time in which the thread worked, 0 to 1. */
export const hasRoom = (busy: number): boolean => busy < ROOM;

/** Returns the time to leave a thread to others after a step of this duration, ms. */
export const restMs = (tookMs: number, how: keyof typeof RESTS): number => tookMs * RESTS[how];
